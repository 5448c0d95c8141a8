// SPDX-License-Identifier: BSD-3-Clause
#include "cli/map/rank_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>

#include "cli/common/asked_machine.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/printable.hpp"
#include "cli/common/say.hpp"
#include "cli/map/rank_messages.hpp"
#include "cli/subcommand.hpp"
#include "job/facts.hpp"
#include "mapping/communication.hpp"
#include "mapping/ranks/map_ranks.hpp"
#include "mask/cpu_list.hpp"
#include "nodes/launch_files.hpp"
#include "nodes/nodes_picture.hpp"

namespace nestbind::cli {

namespace {

using mapping::RankMethod;
using mapping::RankOrder;
using mapping::RankTraffic;
using Json = nlohmann::ordered_json;

struct RankResult {
  std::string what;  // what the ranks exchange
  std::string unit;  // of the traffic; may be empty
  std::string network;
  AskedNodes nodes;
  const mapping::RankGraph& graph;
  const mapping::RankSlots& slots;
  mapping::RankMapping mapping;

  const network::Network& net() const { return *slots.network; }
  bool is_changed() const { return mapping.cost < mapping.cost_before; }
  std::vector<std::vector<int>> ranks_on() const {
    std::vector<std::vector<int>> on(nodes.names.size());
    for (std::size_t rank = 0; rank < mapping.slot.size(); ++rank) {
      on[slots.node[mapping.slot[rank]]].push_back(static_cast<int>(rank));
    }
    return on;
  }
};

const char* word_of(RankMethod method) {
  return method == RankMethod::kBlocks   ? "blocks"
         : method == RankMethod::kHalves ? "halves"
         : method == RankMethod::kGreedy ? "greedy"
                                         : "plain";
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format(" ({:.1f} %)", 100 * part / whole) : "";
}

std::string text_of(const RankResult& result) {
  const auto& [least, most] = std::ranges::minmax(result.nodes.ranks);
  std::string text =
      fmt::format("{} on {}, {} on each; network {}\n{}\n\n{:<16}{:<28}{}\n",
                  job::counted(result.mapping.slot.size(), "rank"),
                  job::counted(result.nodes.names.size(), "node"),
                  least == most ? std::to_string(least) : fmt::format("{} to {}", least, most),
                  result.network, printable(result.what), "", "in the order of ranks", "as mapped");
  const auto row = [&](const char* name, const auto& value) {
    text += fmt::format("{:<16}{:<28}{}\n", name, value(result.mapping.before),
                        value(result.mapping.after));
  };
  row("between nodes", [&](const RankTraffic& traffic) {
    return fmt::format("{:.6g}{}{}", traffic.between_nodes, result.unit,
                       percent(traffic.between_nodes, traffic.bytes));
  });
  row("heaviest node", [&](const RankTraffic& traffic) {
    return fmt::format("{:.6g}, {}", traffic.of[traffic.heaviest],
                       printable(result.nodes.names[traffic.heaviest]));
  });
  row("hop-bytes",
      [](const RankTraffic& traffic) { return fmt::format("{:.6g}", traffic.hop_bytes); });
  if (result.net().links() > 0) {
    row("busiest link",
        [](const RankTraffic& traffic) { return fmt::format("{:.6g}", traffic.busiest_load); });
    if (result.mapping.after.busiest_link >= 0) {
      text += fmt::format("{:<16}as mapped: {}\n", "",
                          printable(result.net().link_name(result.mapping.after.busiest_link)));
    }
  }
  if (!result.is_changed()) {
    return text + "\nno order that costs less was found\n";
  }
  text += fmt::format("\nby {}, then by exchanges\n", word_of(result.mapping.method));
  const auto on = result.ranks_on();
  for (std::size_t node = 0; node < on.size(); ++node) {
    text += fmt::format("{}  {}\n", printable(result.nodes.names[node]), mask::list(on[node]));
  }
  return text;
}

Json json_of(const RankResult& result, const RankTraffic& traffic) {
  Json object;
  object["between_nodes"] = traffic.between_nodes;
  object["heaviest_node"] = result.nodes.names[traffic.heaviest];
  object["heaviest"] = traffic.of[traffic.heaviest];
  object["hop_bytes"] = traffic.hop_bytes;
  if (traffic.busiest_link >= 0) {
    object["busiest_link"] = result.net().link_name(traffic.busiest_link);
    object["busiest"] = traffic.busiest_load;
  }
  return object;
}

// {"ranks", "pairs", "traffic", "unit", "network", "method", "cost_before", "cost",
//  "before": {"between_nodes", "heaviest_node", "heaviest", "hop_bytes", "busiest_link",
//  "busiest"}, "after", "nodes": [{"name", "ranks"}], "slots"}
std::string json_of(const RankResult& result) {
  Json object;
  object["ranks"] = result.mapping.slot.size();
  object["pairs"] = result.graph.pairs();
  object["traffic"] = result.mapping.before.bytes;
  object["unit"] = result.unit.empty() ? "weight" : "bytes";
  object["network"] = result.network;
  object["method"] = word_of(result.mapping.method);
  object["cost_before"] = result.mapping.cost_before;
  object["cost"] = result.mapping.cost;
  object["before"] = json_of(result, result.mapping.before);
  object["after"] = json_of(result, result.mapping.after);
  object["nodes"] = Json::array();
  const auto on = result.ranks_on();
  for (std::size_t node = 0; node < on.size(); ++node) {
    object["nodes"].push_back({{"name", result.nodes.names[node]}, {"ranks", on[node]}});
  }
  object["slots"] = result.mapping.slot;
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string svg_of(const RankResult& result) {
  std::vector<nodes::DrawnNode> drawn;
  const auto on = result.ranks_on();
  drawn.reserve(on.size());
  for (std::size_t node = 0; node < on.size(); ++node) {
    const int number = static_cast<int>(node);
    const bool is_tree = result.net().kind() == network::Kind::kTree;
    drawn.push_back(
        {result.nodes.names[node], mask::list(on[node]), result.net().switches_above(number),
         fmt::format(
             "{}",
             fmt::join(is_tree ? std::span<const int>() : result.net().coordinates(number), ","))});
  }
  std::vector<nodes::DrawnTraffic> maps{{"in the order of ranks", result.mapping.before.pairs}};
  if (result.is_changed()) {
    maps.push_back({"as mapped", result.mapping.after.pairs});
  }
  return nodes::draw_nodes(fmt::format("{} on {}", job::counted(result.mapping.slot.size(), "rank"),
                                       job::counted(on.size(), "node")),
                           drawn, maps);
}

// Gives each rank the objects of the machine that contain its part of the cores. Returns the number
// of cores.
int seat_inside(const machine::Machine& machine, const std::vector<int>& ranks,
                mapping::RankSlots& slots) {
  const int cores = static_cast<int>(machine.slots.size());
  slots.levels = 3;
  for (const int count : ranks) {
    for (int rank = 0; rank < count; ++rank) {
      const long slot = static_cast<long>(rank) * cores / count;
      const machine::Slot& own = machine.slots[static_cast<std::size_t>(slot)];
      slots.inner.insert(slots.inner.end(), {own.package, own.numa, own.l3});
    }
  }
  return cores;
}

// Returns false if a file is not written, and says why. Writes nothing if one form is wrong.
bool write_launch_files(const RankMapOptions& options, const RankResult& result, int cores,
                        std::string& commands, int& status) {
  nodes::Placed placed{result.nodes.names, result.nodes.ranks, {}, cores};
  std::vector<int> first(placed.ranks.size(), 0);
  std::partial_sum(placed.ranks.begin(), placed.ranks.end() - 1, first.begin() + 1);
  for (const int slot : result.mapping.slot) {
    const int node = result.slots.node[slot];
    placed.places.push_back({node, slot - first[node]});
  }
  std::vector<std::pair<std::string, std::string>> files;
  for (const std::string& wanted : options.write) {
    const std::size_t colon = std::min(wanted.find(':'), wanted.size());
    const std::string launcher = wanted.substr(0, colon);
    const std::string file = colon < wanted.size() ? wanted.substr(colon + 1) : "";
    const auto made = nodes::launch_file(launcher, shell_word(file), placed);
    if (!made || file.empty() || file == "-") {
      say("map: --write {}: expected LAUNCHER:FILE with {}", wanted, nodes::kLaunchers);
      status = kUsage;
      return false;
    }
    if (!result.nodes.has_names && launcher != "cray") {
      say("map: --write {}: the names of the nodes are not known; expected --nodes HOSTS", wanted);
      status = kUsage;
      return false;
    }
    files.emplace_back(file, made->text);
    commands += made->command + "\n";
  }
  for (const auto& [file, text] : files) {
    if (!replace_file(file, text)) {
      say("{}: cannot be written: {}", file, std::strerror(errno));
      status = kFailure;
      return false;
    }
  }
  return true;
}

}  // namespace

bool is_for_ranks(const RankMapOptions& options) {
  const NodesOptions& nodes = options.nodes;
  return !options.grid.empty() || !nodes.nodes.empty() || !nodes.ranks_per_node.empty() ||
         !nodes.network.empty() || !options.write.empty();
}

int rank_map_command(const RankMapOptions& options) {
  if (options.grid.empty() == options.communication.empty()) {
    say("map: expected one of --grid, such as --grid 16x16px16, and --communication FILE");
    return kUsage;
  }
  if (options.output.ends_with(".png")) {
    say("map: --output {}: expected a name in .svg for a picture", options.output);
    return kUsage;
  }
  if (options.method == "scotch" || (options.method == "blocks" && options.grid.empty())) {
    say("map: --method {} is not for {}", options.method,
        options.method == "scotch" ? "ranks" : "--communication");
    return kUsage;
  }
  std::optional<mapping::Grid> grid;
  if (!options.grid.empty() &&
      !(grid = read_grid(options.grid, options.stencil, options.weights))) {
    return kUsage;
  }
  if (!options.monitoring.empty() &&
      (!is_folder(options.communication) ||
       options.monitoring.find_first_not_of("EIC") != std::string::npos)) {
    say("map: --monitoring {}: expected some of the letters E, I and C, and a folder of Open MPI's "
        "monitoring files",
        options.monitoring);
    return kUsage;
  }
  int status = kSuccess;
  std::optional<RankMessages> messages;
  int ranks = grid ? grid->ranks() : 0;
  std::optional<std::string> pairs;
  // A folder of our recorder says how many ranks there are. A file of pairs need not name them all.
  if (!grid && is_folder(options.communication)) {
    messages = read_traffic_folder(options.communication,
                                   options.monitoring.empty() ? "EI" : options.monitoring, status);
    ranks = messages ? messages->ranks : 0;
  } else if (!grid) {
    pairs = read_pairs_file(options.communication, status);
    ranks = pairs && mapping::is_matrix(*pairs) ? ranks_in(*pairs) : 0;
  }
  auto nodes = status == kSuccess ? read_nodes(options.nodes, ranks, status) : std::nullopt;
  if (nodes && pairs && !nodes->is_counted) {
    const int least = static_cast<int>(nodes->names.size());
    nodes = read_nodes(options.nodes, std::max(least, ranks_in(*pairs)), status);
  }
  if (!nodes) {
    return status;
  }
  const int seats = std::accumulate(nodes->ranks.begin(), nodes->ranks.end(), 0);
  if (ranks != 0 && ranks != seats) {
    say("map: {} has {} ranks, but the job has {}", grid ? "the grid" : options.communication,
        ranks, seats);
    return kUsage;
  }
  if (pairs && !(messages = parse_pairs(options.communication, *pairs, seats, status))) {
    return status;
  }
  const auto network = read_network(options.nodes, nodes->names, status);
  if (!network) {
    return status;
  }
  mapping::RankSlots slots;
  slots.network = &*network;
  for (std::size_t node = 0; node < nodes->ranks.size(); ++node) {
    slots.node.insert(slots.node.end(), static_cast<std::size_t>(nodes->ranks[node]),
                      static_cast<int>(node));
  }
  int cores = 0;
  if (!options.machine.machine.empty()) {
    const auto asked = read_asked_machine(options.machine, status);
    if (!asked) {
      return status;
    }
    cores =
        seat_inside(asked->topology.slots(machine::choice_without_specification(1, asked->cores)),
                    nodes->ranks, slots);
  }
  const mapping::RankGraph graph =
      grid ? mapping::graph_of(*grid) : mapping::graph_of(seats, messages->messages);
  std::vector<RankMethod> methods{RankMethod::kPlain, RankMethod::kBlocks, RankMethod::kHalves,
                                  RankMethod::kGreedy};
  std::erase_if(methods, [&](RankMethod method) {
    return !options.method.empty() && options.method != word_of(method);
  });
  const RankResult result{
      grid ? fmt::format("grid {}: {} of neighbours", options.grid,
                         job::counted(graph.pairs(), "pair"))
           : fmt::format("{}: {} of ranks", messages->said, job::counted(graph.pairs(), "pair")),
      messages && messages->is_in_bytes ? " bytes" : "",
      options.nodes.network.empty() ? "none" : options.nodes.network,
      *nodes,
      graph,
      slots,
      mapping::map_ranks({graph, grid ? &*grid : nullptr, slots}, methods)};
  std::string commands;
  if (!write_launch_files(options, result, cores, commands, status)) {
    return status;
  }
  const bool is_graphic = options.format.empty() && options.output.ends_with(".svg");
  const std::string format = is_graphic ? "svg" : options.format;
  const std::string text = format == "json"  ? json_of(result)
                           : format == "svg" ? svg_of(result)
                                             : text_of(result);
  if (!options.output.empty() && !replace_file(options.output, text)) {
    say("{}: cannot be written: {}", options.output, std::strerror(errno));
    return kFailure;
  }
  const bool is_shown = options.output.empty();
  std::fputs(!is_shown ? commands.c_str()
             : format == "json" || format == "svg"
                 ? text.c_str()
                 : (text + (commands.empty() ? "" : "\n" + commands)).c_str(),
             stdout);
  return kSuccess;
}

void add_rank_options(CLI::App& command, RankMapOptions& options) {
  add_option(command, "--grid", "GRID", options.grid,
             "For ranks: a grid such as 16x16px16 in which neighbours exchange data; p is for "
             "periodic");
  add_option(command, "--stencil", "STENCIL", options.stencil,
             "Neighbours in the grid: faces (the default), edges or corners")
      ->check(one_of({"faces", "edges", "corners"}));
  add_option(command, "--weights", "LIST", options.weights,
             "How much neighbours in each dimension exchange, such as 1,1,4");
  add_option(command, "--ranks-per-node", "LIST", options.nodes.ranks_per_node,
             "The ranks on each node: 64, 8,8,4 or 8(x3),4; by default what the job says");
  add_option(command, "--nodes", "HOSTS|FILE", options.nodes.nodes,
             "The nodes: a list such as node[01-64], or a host file; by default the job's");
  add_network_options(command, options.nodes);
  add_option(command, "--monitoring", "LETTERS", options.monitoring,
             "Which lines of Open MPI's monitoring files count: E (the program's), I (the "
             "library's) and C (collectives); by default EI");
  add_option(command, "--write", "LAUNCHER:FILE", options.write,
             "Write a file by which slurm, openmpi, mpich, intel or cray puts the ranks there; its "
             "command line is printed");
}

}  // namespace nestbind::cli
