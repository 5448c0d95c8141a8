// SPDX-License-Identifier: BSD-3-Clause
// nestbind balance: which object belongs on which slot.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "balance/assign.hpp"
#include "balance/objects.hpp"
#include "cli/balance/objects_file.hpp"
#include "cli/command_line.hpp"
#include "cli/common/ask_scotch.hpp"
#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/subcommand.hpp"
#include "machine/machine.hpp"
#include "machine/numbers.hpp"
#include "mapping/object_graph.hpp"
#include "mapping/scotch/scotch_border.hpp"
#include "options/table.hpp"
#include "plan/team_plan.hpp"
#include "support/user_file.hpp"
#include "topology/geometry.hpp"

namespace nestbind::cli {

namespace {

struct BalanceOptions {
  std::string file;  // JSON: loads, places and messages of the objects
  std::string spec;  // if empty, one slot on each core
  MachineOptions machine;
  std::string algorithm;        // greedy, refine, numa or scotch; if empty, numa
  std::optional<double> alpha;  // for the algorithm numa; if not set, balance::usual_alpha()
  double tolerance = 0.02;
  double move_price = 0;
  int most_moves = -1;  // -1 for no limit
  std::string format = "text";
};

struct BalanceResult {
  std::string summary;
  std::string algorithm;
  int slots = 0;
  std::vector<int> before;
  std::vector<int> after;
  nestbind::balance::Worth worth_before;
  nestbind::balance::Worth worth;
  double heaviest_object = 0;

  int migrations() const;
};

using nestbind::balance::Worth;

double per_cent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

std::string messages_of(const Worth& before, const Worth& after) {
  return after.messages > 0
             ? fmt::format("messages to other nodes {:.1f} % -> {:.1f} % of {:.6g}\n",
                           per_cent(before.remote_messages, before.messages),
                           per_cent(after.remote_messages, after.messages), after.messages)
             : "";
}

std::string no_gain_of(const BalanceResult& result) {
  const Worth& before = result.worth_before;
  const Worth& after = result.worth;
  const bool is_one_object = result.heaviest_object > 0 && after.heaviest <= result.heaviest_object;
  std::string text =
      is_one_object ? "the heaviest object alone has this load, so no placement is better\n" : "";
  if (result.migrations() > 0 && after.heaviest >= before.heaviest &&
      after.remote_messages >= before.remote_messages) {
    text += "the moves gain nothing\n";
  }
  return text;
}

int BalanceResult::migrations() const {
  int moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    moved += before[i] != after[i] ? 1 : 0;
  }
  return moved;
}

std::string text_of(const BalanceResult& result) {
  const Worth& before = result.worth_before;
  const Worth& after = result.worth;
  std::string text = fmt::format(
      "{}\n{} objects on {} slots, by {}: {} to be moved ({:.1f} %)\n"
      "heaviest slot {:.6g} -> {:.6g}, mean {:.6g}: {:.1f} % above it -> {:.1f} %\n",
      result.summary, result.before.size(), result.slots, result.algorithm, result.migrations(),
      per_cent(result.migrations(), static_cast<double>(result.before.size())), before.heaviest,
      after.heaviest, after.mean, 100 * (before.imbalance() - 1), 100 * (after.imbalance() - 1));
  text += messages_of(before, after) + no_gain_of(result);
  std::string moves;
  for (std::size_t i = 0; i < result.before.size(); ++i) {
    if (result.before[i] != result.after[i]) {
      moves += fmt::format("object {}: slot {} -> {}\n", i, result.before[i], result.after[i]);
    }
  }
  return text + (moves.empty() ? "" : "\n" + moves);
}

// {"machine", "algorithm", "objects", "slots", "migrations", "mean", "heaviest_before", "heaviest",
//  "messages", "remote_messages_before", "remote_messages", "slot": [of each object]}
std::string json_of(const BalanceResult& result) {
  nlohmann::ordered_json object;
  object["machine"] = result.summary;
  object["algorithm"] = result.algorithm;
  object["objects"] = result.before.size();
  object["slots"] = result.slots;
  object["migrations"] = result.migrations();
  object["mean"] = result.worth.mean;
  object["heaviest_before"] = result.worth_before.heaviest;
  object["heaviest"] = result.worth.heaviest;
  object["messages"] = result.worth.messages;
  object["remote_messages_before"] = result.worth_before.remote_messages;
  object["remote_messages"] = result.worth.remote_messages;
  object["slot"] = result.after;
  return object.dump() + "\n";
}

class BalanceSlots {
 public:
  BalanceSlots(const machine::Machine& machine, const machine::NumaNodes& nodes)
      : numbers_(nodes.numbers) {
    const topology::Geometry geometry(machine, nodes);
    for (const machine::Slot& slot : machine.slots) {
      if (place_of(slot.numa) < 0) {
        numbers_.push_back(slot.numa);  // a slot that is in no node
      }
      node_.push_back(place_of(slot.numa));
    }
    for (const int from : numbers_) {
      for (const int to : numbers_) {
        const double known = geometry.numa_factor(from, to);
        factor_.push_back(known > 0 ? known : 1);
      }
    }
  }

  nestbind::balance::Machine view() const {
    return {static_cast<int>(node_.size()), static_cast<int>(numbers_.size()), node_.data(),
            factor_.data()};
  }

  int place_of(int number) const {
    const auto found = std::ranges::find(numbers_, number);
    return found == numbers_.end() ? -1 : static_cast<int>(found - numbers_.begin());
  }

 private:
  std::vector<int> numbers_;  // the operating system's numbers of the NUMA nodes
  std::vector<int> node_;     // for each slot the index of its node in numbers_
  std::vector<double> factor_;
};

namespace core = nestbind::balance;

// Returns the slots of the specification, or else a slot on each core.
std::optional<machine::Machine> find_slots(const std::string& text, const AskedMachine& asked) {
  if (text.empty()) {
    return asked.topology.slots(machine::choice_without_specification(asked.smt, asked.cores));
  }
  spec::Spec spec;
  if (!read_specification(text, spec)) {
    return std::nullopt;
  }
  if (spec.is_off()) {
    return asked.topology.slots(machine::choice_without_specification(asked.smt, asked.cores));
  }
  return plan::make(spec, asked.topology, asked.smt, asked.cores).machine();
}

int read_objects(const std::string& name, const BalanceSlots& slots,
                 balance::ObjectsFile& objects) {
  std::string text;
  const int error =
      support::read_user_file(name.c_str(), balance::kLargestFile, support::Streams::kRead, text);
  if (error != 0) {
    say("{}: {}", name, std::strerror(error));
    return kFailure;
  }
  const std::string fault = balance::parse(text, objects);
  if (!fault.empty()) {
    say("{}, {}", name, fault);
    return kUsage;
  }
  const int count = slots.view().slots;
  for (std::size_t i = 0; i < objects.slot.size(); ++i) {
    if (objects.slot[i] >= count) {
      say("{}, \"slot\"[{}]: there is no slot {}, expected 0 to {}", name, i, objects.slot[i],
          count - 1);
      return kUsage;
    }
  }
  for (std::size_t i = 0; i < objects.home.size(); ++i) {
    const int place = objects.home[i] < 0 ? -1 : slots.place_of(objects.home[i]);
    if (objects.home[i] >= 0 && place < 0) {
      say("{}, \"home\"[{}]: the machine has no NUMA node {} with processors (nodes count from 0; "
          "nestbind topology --coordinates lists them)",
          name, i, objects.home[i]);
      return kUsage;
    }
    objects.home[i] = place;
  }
  return kSuccess;
}

// Without "slot", each slot gets an equal block of consecutive objects.
std::vector<int> begin_of(const balance::ObjectsFile& objects, int slots) {
  std::vector<int> place = objects.slot;
  const std::size_t count = objects.load.size();
  for (std::size_t i = place.size(); i < count; ++i) {
    place.push_back(static_cast<int>(i * static_cast<std::size_t>(slots) / count));
  }
  return place;
}

bool divide_by_scotch(const core::Objects& objects, int slots, std::vector<int>& place) {
  const auto library = find_library("");
  const std::string program = library ? find_scotch(*library) : "";
  if (program.empty()) {
    say("balance: this nestbind was built without SCOTCH (Debian: libscotch-dev); the algorithms "
        "numa, greedy and refine do not need it");
    return false;
  }
  const std::string problem = mapping::print_graph(mapping::graph_of(objects, slots));
  const auto parts =
      ask_scotch(program, mapping::scotch::kDivide, problem, place.size(), slots - 1);
  if (!parts) {
    say("balance: SCOTCH did not answer (is its library installed? Debian: libscotch-7.0)");
    return false;
  }
  place = *parts;
  return true;
}

void assign(const BalanceOptions& options, const core::Objects& objects,
            const core::Machine& machine, std::vector<int>& place) {
  std::vector<double> memory(core::work_bytes(objects.count, machine) / sizeof(double) + 1);
  const core::Work work = core::work_in(memory.data(), objects.count, machine);
  const core::Algorithm algorithm = options.algorithm == "greedy"   ? core::Algorithm::kGreedy
                                    : options.algorithm == "refine" ? core::Algorithm::kRefine
                                                                    : core::Algorithm::kNuma;
  core::assign(algorithm, objects, machine,
               {options.alpha.value_or(core::usual_alpha(objects)), options.tolerance,
                options.move_price, options.most_moves},
               work, place.data());
}

double heaviest_of(const std::vector<double>& load) {
  return load.empty() ? 0 : *std::ranges::max_element(load);
}

bool is_amount(const char* option, double number) {
  const bool is_good = number >= 0 && number <= core::kLargest;
  if (!is_good) {
    say("{} {}: expected a number from 0 to 1e15", option, number);
  }
  return is_good;
}

bool is_good(const BalanceOptions& options) {
  if (options.alpha && !options.algorithm.empty() && options.algorithm != "numa") {
    say("--alpha is for the algorithm numa, not for {}", options.algorithm);
    return false;
  }
  if (options.algorithm == "scotch" && (options.move_price > 0 || options.most_moves >= 0)) {
    say("--move-price and --most-moves are not for scotch");
    return false;
  }
  return is_amount("--alpha", options.alpha.value_or(0)) &&
         is_amount("--tolerance", options.tolerance) &&
         is_amount("--move-price", options.move_price);
}

int balance_command(const BalanceOptions& options) {
  if (!is_good(options)) {
    return kUsage;
  }
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  const auto machine = asked ? find_slots(options.spec, *asked) : std::nullopt;
  if (!machine) {
    return asked ? kUsage : status;
  }
  const BalanceSlots slots(*machine, asked->topology.numa_nodes());
  balance::ObjectsFile file;
  status = read_objects(options.file, slots, file);
  if (status != kSuccess) {
    return status;
  }
  const core::Objects objects = file.view();
  const core::Machine on = slots.view();
  BalanceResult result{asked->topology.summary(),
                       options.algorithm.empty() ? "numa" : options.algorithm,
                       on.slots,
                       begin_of(file, on.slots),
                       {},
                       {},
                       {},
                       heaviest_of(file.load)};
  result.after = result.before;
  if (!core::has_load(objects)) {
    if (objects.count > 0) {
      warn("{}: no object has a load, so nothing moves", options.file);
    }
  } else if (options.algorithm != "scotch") {
    assign(options, objects, on, result.after);
  } else if (!divide_by_scotch(objects, on.slots, result.after)) {
    return kFailure;
  }
  std::vector<double> load(static_cast<std::size_t>(on.slots));
  result.worth_before = core::worth_of(objects, on, result.before.data(), load.data());
  result.worth = core::worth_of(objects, on, result.after.data(), load.data());
  const std::string text = options.format == "json" ? json_of(result) : text_of(result);
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

int check_and_do(BalanceOptions& options) {
  complete_spec(options.spec);
  if (options.file.empty()) {
    say("balance: no file of objects is given; expected nestbind balance [OPTIONS] FILE, with "
        "{{\"load\": [4, 1, 1, 2]}} in the file");
    return kUsage;
  }
  warn_of_unknown_variables();
  return complete(options.machine) ? balance_command(options) : kUsage;
}

}  // namespace

void add_balance(CLI::App& app, Call& call) {
  const auto options = std::make_shared<BalanceOptions>();
  CLI::App& command =
      *app.add_subcommand("balance", "Find the slot for each object, by load and distance");
  add_option(command, "FILE", "", options->file,
             "The objects, as JSON: {\"load\": [4, 1, 1, 2]}; with slots, homes and messages: "
             "nestbind-balance(1)");
  add_option(command, "--spec", "SPEC", options->spec,
             "The slots of this specification; by default OMP_NESTING_TEAM_SIZE, or a slot "
             "for each core");
  add_machine_options(command, options->machine);
  add_option(command, "--algorithm", "WORD", options->algorithm,
             "numa (the default) uses loads and distances; greedy and refine use loads only; "
             "scotch uses the library SCOTCH")
      ->check(one_of({"numa", "greedy", "refine", "scotch"}));
  add_option(command, "--alpha", "NUMBER", options->alpha,
             "For numa: the cost of a message, as a load; by default all messages together "
             "cost 5 % of all loads")
      ->check(not_empty());
  add_option(command, "--tolerance", "NUMBER", options->tolerance,
             "Move nothing if the heaviest slot is at most this fraction above the mean, or "
             "if the gain is a smaller fraction; by default 0.02")
      ->check(not_empty());
  add_option(command, "--move-price", "NUMBER", options->move_price,
             "The cost of moving an object, in the unit of the loads; by default 0")
      ->check(not_empty());
  add_option(command, "--most-moves", "N", options->most_moves,
             "How many objects may move; by default any number")
      ->check(not_empty())
      ->check(CLI::Range(0, 1'000'000'000).description(""));
  add_format(command, options->format, "text (the default) or json, with each object's slot");
  add_output(command, call);
  add_examples(command,
               {"nestbind balance objects.json", "which objects should move, on this machine"},
               {"nestbind balance --algorithm refine --machine machine.xml objects.json",
                "use only the loads, and the machine in machine.xml"});
  command.callback([&call, options] { call.status = check_and_do(*options); });
}

}  // namespace nestbind::cli
