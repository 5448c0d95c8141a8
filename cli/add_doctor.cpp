// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind doctor.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/doctor.hpp"
#include "cli/options.hpp"

namespace nestbind::cli {

void add_doctor(CLI::App& app, Call& call) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App& command = *app.add_subcommand("doctor", "Tell whether a program can be bound");
  command.add_option("PROGRAM", options->program, "Program, searched for as a shell does")
      ->required()
      ->type_name("");
  add_library(command, options->library);
  set_examples(command,
               {"nestbind doctor ./program", "which runtime it loads, and who hears of it"},
               {"nestbind doctor python3", "an interpreter: what its scripts start is bound"});
  command.callback([&call, options] { call.status = doctor_command(*options); });
}

}  // namespace nestbind::cli
