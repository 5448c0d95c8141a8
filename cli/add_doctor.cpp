// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind doctor.
#include <CLI/CLI.hpp>
#include <climits>
#include <memory>

#include "cli/commands.hpp"
#include "cli/doctor.hpp"
#include "cli/options.hpp"

namespace nestbind::cli {

void add_doctor(CLI::App& app, Call& call) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App& command =
      *app.add_subcommand("doctor", "Tell whether a program can be bound, or a running one is");
  CLI::Option* program =
      command
          .add_option("PROGRAM", options->program,
                      "Program, searched for as a shell does; by default the machine alone")
          ->type_name("");
  command.add_option("--pid", options->process, "A running process, in place of a program")
      ->check(CLI::Range(1, INT_MAX))
      ->type_name("NUMBER")
      ->excludes(program);
  add_library(command, options->library);
  set_examples(command,
               {"nestbind doctor ./program", "which runtime it loads, and who hears of it"},
               {"nestbind doctor --pid 4711",
                "whether a running process is bound, and where its threads are"});
  command.callback([&call, options] { call.status = doctor_command(*options); });
}

}  // namespace nestbind::cli
