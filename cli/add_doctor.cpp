// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind doctor.
#include <climits>
#include <memory>

#include "cli/commands.hpp"
#include "cli/doctor.hpp"
#include "cli/options.hpp"
#include "cli/subcommand.hpp"

namespace nestbind::cli {

void add_doctor(CLI::App& app, Call& call) {
  const auto options = std::make_shared<DoctorOptions>();
  const Subcommand command(app, "doctor",
                           "Tell whether a program can be bound, or a running one is");
  command.argument("PROGRAM", options->program,
                   "Program, searched for as a shell does; by default the machine alone");
  command.option("--pid", options->process, {1, INT_MAX}, "NUMBER",
                 "A running process, in place of a program");
  command.exclude("--pid", "PROGRAM");
  add_library(command, options->library);
  command.examples({"nestbind doctor ./program", "which runtime it loads, and who hears of it"},
                   {"nestbind doctor --pid 4711",
                    "whether a running process is bound, and where its threads are"});
  command.does([&call, options] { call.status = doctor_command(*options); });
}

}  // namespace nestbind::cli
