// SPDX-License-Identifier: BSD-3-Clause
#include "cli/balance.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

#include "balance/assign.hpp"
#include "balance/partition/border.hpp"
#include "balance/partition/request.hpp"
#include "cli/asked_machine.hpp"
#include "cli/balance/objects_file.hpp"
#include "cli/balance/result.hpp"
#include "cli/balance/slots.hpp"
#include "cli/helper_program.hpp"
#include "cli/message.hpp"
#include "cli/preload.hpp"
#include "cli/specification.hpp"
#include "plan/make.hpp"
#include "support/user_file.hpp"

namespace nestbind::cli {

namespace {

namespace core = nestbind::balance;

bool is_partitioner(const std::string& algorithm) {
  return algorithm == "scotch" || algorithm == "metis";
}

// The slots of the specification, or without one a slot for each core. None where it is bad; says
// so.
std::optional<machine::Machine> find_slots(const std::string& text, const AskedMachine& asked) {
  if (text.empty()) {
    return asked.topology.slots({1, asked.smt, asked.cores});
  }
  spec::Spec spec;
  if (!read_specification(text, spec)) {
    return std::nullopt;
  }
  if (spec.is_off()) {
    return asked.topology.slots({1, asked.smt, asked.cores});
  }
  return plan::make(spec, asked.topology, asked.smt, asked.cores).machine();
}

// Reads the file, and looks whether it is for these slots. Returns an exit status.
int read_objects(const std::string& name, const balance::Slots& slots,
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

// Where nobody says where the objects are: in equal blocks by number.
std::vector<int> begin_of(const balance::ObjectsFile& objects, int slots) {
  std::vector<int> place = objects.slot;
  const std::size_t count = objects.load.size();
  for (std::size_t i = place.size(); i < count; ++i) {
    place.push_back(static_cast<int>(i * static_cast<std::size_t>(slots) / count));
  }
  return place;
}

// Returns whether it has answered; says so where it has not.
bool ask_partitioner(const std::string& name, const core::Objects& objects, int slots,
                     std::vector<int>& place) {
  const bool is_scotch = name == "scotch";
  const auto library = find_library("");
  const std::string program =
      library ? find_helper(*library, core::partition::kFilePrefix + name) : "";
  if (program.empty()) {
    say("balance: this nestbind was built without {} (Debian: {}); numa, greedy and refine are its "
        "own",
        is_scotch ? "SCOTCH" : "METIS", is_scotch ? "libscotch-dev" : "libmetis-dev");
    return false;
  }
  const auto parts =
      ask_helper(program, core::partition::print(core::partition::request_of(objects, slots)),
                 place.size(), slots - 1);
  if (!parts) {
    say("balance: {} did not answer (is its library installed? Debian: {})",
        is_scotch ? "SCOTCH" : "METIS", is_scotch ? "libscotch-7.0" : "libmetis5");
    return false;
  }
  place = *parts;
  return true;
}

void assign(const BalanceOptions& options, const core::Objects& objects,
            const core::Machine& machine, std::vector<int>& place) {
  std::vector<double> memory(core::work_bytes(objects.count, machine) / sizeof(double) + 1);
  const core::Work work = core::work_in(memory.data(), objects.count, machine);
  if (options.algorithm == "greedy") {
    core::greedy(objects, machine, work, place.data());
  } else if (options.algorithm == "refine") {
    constexpr double kUsualTolerance = 1e-3;
    core::refine(objects, machine, options.tolerance.value_or(kUsualTolerance), work, place.data());
  } else {
    core::numa(objects, machine, options.alpha.value_or(core::usual_alpha(objects)), work,
               place.data());
  }
}

double heaviest_of(const std::vector<double>& load) {
  return load.empty() ? 0 : *std::ranges::max_element(load);
}

// An option of one of the algorithms.
bool is_amount_of(const char* owner, const BalanceOptions& options, const char* option,
                  std::optional<double> number) {
  const std::string chosen = options.algorithm.empty() ? "numa" : options.algorithm;
  if (number && chosen != owner) {
    say("{} is {}'s, and the algorithm is {}", option, owner, chosen);
    return false;
  }
  if (number && !(*number >= 0 && *number <= core::kLargest)) {
    say("{} {}: expected a number from 0 to 1e15", option, *number);
    return false;
  }
  return true;
}

}  // namespace

int balance_command(const BalanceOptions& options) {
  if (!is_amount_of("numa", options, "--alpha", options.alpha) ||
      !is_amount_of("refine", options, "--tolerance", options.tolerance)) {
    return kUsage;
  }
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  const auto machine = asked ? find_slots(options.spec, *asked) : std::nullopt;
  if (!machine) {
    return asked ? kUsage : status;
  }
  const balance::Slots slots(*machine, asked->topology.numa_nodes());
  balance::ObjectsFile file;
  status = read_objects(options.file, slots, file);
  if (status != kSuccess) {
    return status;
  }
  const core::Objects objects = file.view();
  const core::Machine on = slots.view();
  balance::Result result{asked->topology.summary(),
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
      warn("{}: no object has a load, so that nothing is known: all stay where they are",
           options.file);
    }
  } else if (!is_partitioner(options.algorithm)) {
    assign(options, objects, on, result.after);
  } else if (!ask_partitioner(options.algorithm, objects, on.slots, result.after)) {
    return kFailure;
  }
  std::vector<double> load(static_cast<std::size_t>(on.slots));
  result.worth_before = core::worth_of(objects, on, result.before.data(), load.data());
  result.worth = core::worth_of(objects, on, result.after.data(), load.data());
  const std::string text = options.json ? balance::json_of(result) : balance::text_of(result);
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

}  // namespace nestbind::cli
