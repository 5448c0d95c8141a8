// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind probe.
#include <memory>

#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/options.hpp"
#include "cli/probe.hpp"
#include "cli/subcommand.hpp"

namespace nestbind::cli {

void add_probe(CLI::App& app, Call& call) {
  const auto options = std::make_shared<ProbeOptions>();
  const Subcommand command(app, "probe",
                           "Measure how far processors and NUMA nodes are from each other");
  add_cpus(command, options->cpus,
           "Processors that are measured, such as 0-3,8; by default this process's");
  command.flag("--full", options->full, "All pairs of cores, and not three of each kind");
  command.flag("--json", options->json, "Write JSON in place of the table");
  command.option("--svg", options->svg, "FILE", "Write a picture of the distances here, too");
  command.option("--xml", options->xml, "FILE",
                 "Write this machine with the distances of its nodes here, too, as hwloc's XML");
  command.flag("--save", options->save,
               "Keep the distances of nodes for NESTBIND_MACHINE_DISTANCES=probed");
  command.examples({"nestbind probe", "what the machine does, in some seconds"},
                   {"nestbind probe --full --xml measured.xml --svg measured.svg",
                    "all pairs of cores, a picture of them, and a file for lstopo --distances"});
  command.does([&call, options] {
    warn_of_unknown_variables();
    call.status = probe_command(*options);
  });
}

}  // namespace nestbind::cli
