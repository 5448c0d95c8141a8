// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind memory.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/help_format.hpp"
#include "cli/memory.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/refused.hpp"

namespace nestbind::cli {

namespace {

int memory(const CLI::App& command, MemoryOptions& options, Call& call) {
  options.program = command.remaining();
  if (!options.program.empty() && options.program[0].starts_with("-")) {
    say_no_option(command, options.program[0]);
    return kUsage;
  }
  options.program.insert(options.program.end(), call.behind_dashes.begin(),
                         call.behind_dashes.end());
  if (options.process != 0) {
    if (!options.program.empty() || options.seconds != 0) {
      say("memory: --pid is for a process that runs: no {} then",
          options.program.empty() ? "--seconds" : "program");
      return kUsage;
    }
    return memory_of_running(options);
  }
  if (options.program.empty()) {
    say("memory: which program? nestbind memory [OPTIONS] -- program arguments, or --pid NUMBER of "
        "one that runs");
    return kUsage;
  }
  warn_of_unknown_variables();
  return memory_command(options);
}

}  // namespace

void add_memory(CLI::App& app, Call& call) {
  constexpr int kMostSeconds = 1000000;
  constexpr int kMostProcess = 1 << 30;
  const auto shared = std::make_shared<MemoryOptions>();
  MemoryOptions& options = *shared;
  CLI::App& command = *app.add_subcommand(
      "memory", "Run a program, and tell which of its arrays lie on the wrong NUMA nodes");
  command.formatter(
      help_format({"[OPTIONS] [--] PROGRAM [ARGUMENT...]", "[OPTIONS] --pid NUMBER"}));
  command.add_option("--seconds", options.seconds, "Watch so long only; by default to the end")
      ->check(CLI::Range(1, kMostSeconds))
      ->type_name("N");
  command
      .add_option("--pid", options.process,
                  "A process that runs, in place of a program: what is known of it by now")
      ->check(CLI::Range(1, kMostProcess))
      ->type_name("NUMBER");
  command.add_option("--min", options.least, "Regions of at least so much; by default 8M")
      ->type_name("SIZE");
  command.add_flag("--json", options.json, "Write JSON, a line for each process");
  command
      .add_option("--output", options.output,
                  "Write there, and not on the standard error output, which is the program's, too")
      ->type_name("FILE");
  add_library(command, options.library);
  command.prefix_command();
  set_examples(command, {"nestbind memory -- ./program", "a report at its end"},
               {"nestbind memory --pid 4711", "what is known by now of a process that runs"});
  command.callback([&command, &call, shared] { call.status = memory(command, *shared, call); });
}

}  // namespace nestbind::cli
