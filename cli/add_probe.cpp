// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind probe.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/options.hpp"
#include "cli/probe.hpp"

namespace nestbind::cli {

void add_probe(CLI::App& app, Call& call) {
  const auto options = std::make_shared<ProbeOptions>();
  CLI::App& command =
      *app.add_subcommand("probe", "Measure how far processors and NUMA nodes are from each other");
  add_cpus(command, options->cpus,
           "Processors that are measured, such as 0-3,8; by default this process's");
  command.add_flag("--full", options->full, "All pairs of cores, and not three of each kind");
  command.add_flag("--json", options->json, "Write JSON in place of the table");
  command.add_option("--svg", options->svg, "Write a picture of the distances here, too")
      ->type_name("FILE");
  command
      .add_option("--xml", options->xml,
                  "Write this machine with the distances of its nodes here, too, as hwloc's XML")
      ->type_name("FILE");
  command.add_flag("--save", options->save,
                   "Keep the distances of nodes for NESTBIND_MACHINE_DISTANCES=probed");
  set_examples(command, {"nestbind probe", "what the machine does, in some seconds"},
               {"nestbind probe --full --xml measured.xml --svg measured.svg",
                "all pairs of cores, a picture of them, and a file for lstopo --distances"});
  command.callback([&call, options] {
    warn_of_unknown_variables();
    call.status = probe_command(*options);
  });
}

}  // namespace nestbind::cli
