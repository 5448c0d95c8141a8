// SPDX-License-Identifier: BSD-3-Clause
// nestbind map: finds an order that places threads close together if they communicate. rank_map
// does so with the ranks of a job.
#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/common/ask_scotch.hpp"
#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/map/rank_map.hpp"
#include "cli/map/rank_messages.hpp"
#include "cli/subcommand.hpp"
#include "mapping/communication.hpp"
#include "mapping/find_map.hpp"
#include "mapping/order_text.hpp"
#include "mapping/scotch/scotch_border.hpp"
#include "mapping/target.hpp"
#include "options/table.hpp"
#include "plan/team_plan.hpp"
#include "show/texts.hpp"

namespace nestbind::cli {

namespace {

struct MapOptions : RankMapOptions {
  std::string spec;
};

struct MapResult {
  std::string spec;
  std::string summary;
  int threads = 0;
  std::size_t pairs = 0;
  double weight = 0;
  bool has_scotch = false;
  mapping::Mapping mapping;
};

using Json = nlohmann::ordered_json;
using mapping::Method;

const char* word_of(Method method) {
  return method == Method::kMapper ? "scotch" : method == Method::kGreedy ? "greedy" : "plain";
}

const char* told(Method method) {
  return method == Method::kMapper   ? "by SCOTCH, then by exchanging members"
         : method == Method::kGreedy ? "by nestbind's greedy method, then by exchanging members"
                                     : "by exchanging members";
}

std::string left(const mapping::Mapping& mapping) {
  return fmt::format("{:.1f} %", 100 * mapping.cost / mapping.cost_before);
}

std::string costs(const mapping::Mapping& mapping) {
  std::string text = fmt::format("cost as planned     {:.6g}\n", mapping.cost_before);
  if (mapping.order.is_plain()) {
    return text + "no order that costs less was found\n";
  }
  return text + fmt::format("cost in this order  {:.6g}: {} of the planned cost; {}\n",
                            mapping.cost, left(mapping), told(mapping.method));
}

std::string text_of(const MapResult& result) {
  return fmt::format("{}\n{}\n{} threads, {} pairs of them exchange data, weight {:.6g}\n{}",
                     result.spec, result.summary, result.threads, result.pairs, result.weight,
                     costs(result.mapping)) +
         (result.mapping.order.is_plain() ? ""
                                          : "\n" + mapping::print_order(result.mapping.order, {}));
}

// {"spec", "machine", "threads", "pairs", "weight", "cost_before", "cost", "method", "scotch",
//  "order": [{"master", "seats"}]}
std::string json_of(const MapResult& result) {
  Json object;
  object["spec"] = result.spec;
  object["machine"] = result.summary;
  object["threads"] = result.threads;
  object["pairs"] = result.pairs;
  object["weight"] = result.weight;
  object["cost_before"] = result.mapping.cost_before;
  object["cost"] = result.mapping.cost;
  object["method"] = word_of(result.mapping.method);
  object["scotch"] = result.has_scotch && !result.mapping.has_refused;
  object["order"] = Json::array();
  for (const auto& [primary, positions] : result.mapping.order.teams()) {
    object["order"].push_back({{"master", primary}, {"seats", positions}});
  }
  return object.dump() + "\n";
}

std::string file_of(const MapResult& result) {
  return mapping::print_order(
      result.mapping.order, {"order of nestbind map, for " + result.spec + " on " + result.summary,
                             fmt::format("cost {:.6g} as planned, {:.6g} in this order",
                                         result.mapping.cost_before, result.mapping.cost)});
}

int read_communication(const std::string& name, const mapping::Threads& threads,
                       mapping::Communication& pairs) {
  int status = kSuccess;
  const auto text = read_pairs_file(name, status);
  mapping::Fault fault;
  if (text && !mapping::parse_communication(*text, threads, pairs, fault)) {
    say_printable(printable(name) + ", " + mapping::describe(*text, fault));
    return kUsage;
  }
  return status;
}

// Sets the wanted mapper, or the best one if the user names none. If the wanted mapper is missing,
// says so and returns false.
bool find_mapper(const MapOptions& options, mapping::Mapper& mapper) {
  if (options.method == "greedy") {
    return true;
  }
  const auto library = find_library("");
  const std::string program = library ? find_scotch(*library) : "";
  if (!program.empty()) {
    mapper = [program](const mapping::Target& target) {
      const std::size_t members = target.leaf.size();
      return ask_scotch(program, mapping::scotch::kMap, mapping::print_target(target), members,
                        static_cast<int>(members) - 1);
    };
    return true;
  }
  if (options.method == "scotch") {
    say("map: this nestbind was built without SCOTCH (Debian: libscotch-dev)");
    return false;
  }
  remark(
      "map: this nestbind was built without SCOTCH (Debian: libscotch-dev); nestbind's own method "
      "is used, and its result often costs more");
  return true;
}

// If SCOTCH did not answer, says so.
mapping::Mapping find_order(const mapping::Problem& problem, const mapping::Mapper& mapper) {
  mapping::Mapping found = mapping::map(problem, mapper);
  if (found.has_refused) {
    remark(
        "map: SCOTCH did not answer (is its library installed? Debian: libscotch-7.0); nestbind's "
        "own method is used, and its result often costs more");
  }
  return found;
}

int map_ranks_command(MapOptions& options) {
  if (!options.spec.empty()) {
    say("map: a specification is for threads, but other options are for ranks");
    return kUsage;
  }
  return complete(options.machine) ? rank_map_command(options) : kUsage;
}

int map_command(MapOptions& options) {
  if (is_for_ranks(options) || (options.spec.empty() && is_folder(options.communication))) {
    return map_ranks_command(options);
  }
  if (options.method == "blocks" || options.method == "halves" || options.format == "svg") {
    say("map: {} is for ranks; expected --grid or --nodes, too",
        options.format == "svg" ? "--format svg" : "--method " + options.method);
    return kUsage;
  }
  complete_spec(options.spec);
  if (options.spec.empty()) {
    say("map: no specification is given; expected nestbind map --communication FILE [OPTIONS] "
        "SPEC, or OMP_NESTING_TEAM_SIZE; for the ranks of a job, --nodes or --ranks-per-node");
    return kUsage;
  }
  if (options.communication.empty()) {
    say("map: no pairs of threads are given; expected nestbind map --communication FILE [OPTIONS] "
        "SPEC, with lines such as 0.1 2.3 64 in the file");
    return kUsage;
  }
  warn_of_unknown_variables();
  if (!complete(options.machine)) {
    return kUsage;
  }
  spec::Spec spec;
  if (!read_specification(options.spec, spec)) {
    return kUsage;
  }
  if (spec.is_off()) {
    say("map: the specification \"off\" binds no threads");
    return kUsage;
  }
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  mapping::Mapper mapper;
  if (!asked || !find_mapper(options, mapper)) {
    return asked ? kFailure : status;
  }
  plan::Plan plan = plan::make(spec, asked->topology, asked->smt, asked->cores, {}, asked->quota);
  const mapping::Threads threads = mapping::make_threads(plan);
  mapping::Communication pairs;
  status = read_communication(options.communication, threads, pairs);
  if (status != kSuccess) {
    return status;
  }
  const mapping::Distances distances(plan.machine());
  const mapping::Problem problem(threads, pairs, distances);
  MapResult result{
      show::canonical(spec),     asked->topology.summary(),  threads.count(), pairs.size(), 0,
      static_cast<bool>(mapper), find_order(problem, mapper)};
  for (const mapping::Pair& pair : pairs) {
    result.weight += pair.weight;
  }
  if (!options.output.empty() && !replace_file(options.output, file_of(result))) {
    say("{}: cannot be written: {}", options.output, std::strerror(errno));
    return kFailure;
  }
  const std::string text = options.format == "json" ? json_of(result) : text_of(result);
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

}  // namespace

void add_map(CLI::App& app, Call& call) {
  const auto options = std::make_shared<MapOptions>();
  CLI::App& command = *app.add_subcommand(
      "map", "Order threads or ranks so that those that exchange data are close");
  add_spec(command, options->spec, kSpecOrVariableHelp);
  add_option(command, "--communication", "FILE", options->communication,
             "Which threads exchange data. Each line has two threads and a weight, such as "
             "0.1 2.3 64; a Matrix Market file is also possible. For ranks also a folder of "
             "recorded traffic");
  add_option(command, "--output", "FILE", options->output,
             "Write the order there, for nestbind run --order=FILE; for ranks the answer");
  add_option(command, "--method", "METHOD", options->method,
             "greedy does not use SCOTCH, and scotch needs it; by default SCOTCH is used if "
             "it is installed. For ranks: blocks, halves or greedy; by default all of them")
      ->check(one_of({"scotch", "greedy", "blocks", "halves"}));
  add_rank_options(command, *options);
  add_machine_options(command, options->machine);
  add_format(command, options->format, "text (the default) or json; for ranks also svg",
             {"text", "json", "svg"});
  add_examples(command,
               {"nestbind map --communication pairs.txt --output order 4,scatter,4,subscatter",
                "four teams of four; nestbind run --order=order takes the file"},
               {"nestbind map --grid 16x16px16 --ranks-per-node 64",
                "the ranks of a stencil, on nodes that are equally far from each other"});
  command.callback([&call, options] { call.status = map_command(*options); });
}

}  // namespace nestbind::cli
