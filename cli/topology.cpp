// SPDX-License-Identifier: BSD-3-Clause
// nestbind topology: shows the distances between the slots of a machine.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/devices/device_words.hpp"
#include "cli/subcommand.hpp"
#include "machine/cache/record.hpp"
#include "options/table.hpp"
#include "show/layout.hpp"
#include "show/topology_forms.hpp"

namespace nestbind::cli {

namespace {

struct TopologyOptions {
  std::string spec;  // shows the slots of this specification; if empty, a slot on each core
  MachineOptions machine;
  std::string order;  // a file; if empty, the plain order
  bool hops = false;
  bool coordinates = false;
  bool devices = false;
  bool details = false;
  std::string format;
};

// Returns the cache's record of the machine in hexadecimal digits, for the planner in docs/site.
std::string record_of(AskedMachine asked) {
  if (asked.allowed) {
    machine::allow_only(asked.hardware, *asked.allowed);
  }
  const std::string bytes = machine::cache::encode(asked.hardware);
  const std::vector<unsigned char> numbers(bytes.begin(), bytes.end());
  return fmt::format("{:02x}\n", fmt::join(numbers, ""));
}

// Options that choose what is shown do not go together, except --hops and --coordinates.
bool are_together(const TopologyOptions& options) {
  std::vector<const char*> chosen;
  const auto add = [&](bool is_given, const char* name) {
    if (is_given) {
      chosen.push_back(name);
    }
  };
  add(options.details, "--details");
  add(options.devices, "--devices");
  add(options.format == "record", "--format=record");
  add(options.hops || options.coordinates, options.hops ? "--hops" : "--coordinates");
  if (chosen.size() > 1) {
    say("topology: {} does not go with {}; give one of the two", chosen[1], chosen[0]);
  }
  return chosen.size() < 2;
}

int topology_command(const TopologyOptions& options) {
  if (!are_together(options)) {
    return kUsage;
  }
  std::optional<spec::Spec> spec;
  if (!options.spec.empty() && !read_specification(options.spec, spec.emplace())) {
    return kUsage;
  }
  plan::Order order;
  if (!read_order(options.order, order)) {
    return kUsage;
  }
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  if (!asked) {
    return status;
  }
  if (options.details) {
    std::fputs(show::details_of(asked->hardware, options.format == "json").c_str(), stdout);
    return kSuccess;
  }
  if (options.devices) {
    const machine::Hardware& hardware = asked->hardware;
    if (hardware.devices.empty()) {
      say("{}", why_no_devices(options.machine.machine));
      return kFailure;
    }
    std::vector<int> all(hardware.devices.size());
    std::iota(all.begin(), all.end(), 0);
    const std::string text =
        options.format == "json"
            ? json_of_devices(hardware, all, asked->allowed.value_or(hardware.cpus)) + "\n"
            : table_of_devices(hardware);
    std::fputs(text.c_str(), stdout);
    return kSuccess;
  }
  if (options.format == "record") {
    std::fputs(record_of(*asked).c_str(), stdout);
    return kSuccess;
  }
  std::optional<show::Layout> layout;
  if (spec) {
    warn_of_order(options.order, order, *spec, *asked);
    layout = show::make_layout(*spec, asked->topology, asked->smt, asked->cores, order, {},
                               asked->quota);
  }
  const show::Between between(asked->topology,
                              layout ? layout->machine
                                     : asked->topology.slots(machine::choice_without_specification(
                                           asked->smt, asked->cores)),
                              layout ? &*layout : nullptr);
  const std::string text = options.format == "json"
                               ? json_of(between)
                               : text_of(between, {options.hops, options.coordinates});
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

}  // namespace

void add_topology(CLI::App& app, Call& call) {
  const auto options = std::make_shared<TopologyOptions>();
  CLI::App& command =
      *app.add_subcommand("topology", "Show a machine's slots, and the distances between them");
  add_spec(command, options->spec,
           "Show the slots of this specification; by default OMP_NESTING_TEAM_SIZE, or a "
           "slot for each core");
  add_machine_options(command, options->machine);
  add_variable_option(command, options::kOrder, options->order);
  command.add_flag("--hops", options->hops, "Only the hops between NUMA nodes");
  command.add_flag("--coordinates", options->coordinates, "Only the place of each slot");
  command.add_flag("--devices", options->devices,
                   "Only the GPUs, network cards and NVMe disks, and the processors beside them");
  command.add_flag("--details", options->details,
                   "Only the sizes of caches, and the memory of each NUMA node");
  add_format(command, options->format,
             "text (the default), json (all of it), or record: the machine for the planner's "
             "page (docs/site)",
             {"text", "json", "record"});
  add_output(command, call);
  add_examples(command,
               {"nestbind topology", "the distances between the NUMA nodes of this machine"},
               {"nestbind topology --coordinates --machine 'pack:4 [numa] core:4 pu:1'",
                "the place of each core, on a machine of four packages"});
  command.callback([&call, options] {
    complete_spec(options->spec);
    warn_of_unknown_variables();
    options->machine.with_devices =
        options->devices || options->details || options->format == "record";
    const bool is_complete =
        complete(options->machine) && complete(options::kOrder, options->order);
    call.status = is_complete ? topology_command(*options) : kUsage;
  });
}

}  // namespace nestbind::cli
