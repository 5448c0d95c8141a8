// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind memory.
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/memory.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/refused.hpp"
#include "cli/subcommand.hpp"

namespace nestbind::cli {

namespace {

int memory(const Subcommand& command, MemoryOptions& options, Call& call) {
  if (!take_program(command.parsed(), call.behind_dashes, options.program)) {
    return kUsage;
  }
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
  const Subcommand command(
      app, "memory", "Run a program, and tell which of its arrays lie on the wrong NUMA nodes");
  command.usages({"[OPTIONS] [--] PROGRAM [ARGUMENT...]", "[OPTIONS] --pid NUMBER"});
  command.option("--seconds", options.seconds, {1, kMostSeconds}, "N",
                 "Watch so long only; by default to the end");
  command.option("--pid", options.process, {1, kMostProcess}, "NUMBER",
                 "A process that runs, in place of a program: what is known of it by now");
  command.option("--min", options.least, "SIZE", "Regions of at least so much; by default 8M");
  command.flag("--json", options.json, "Write JSON, a line for each process");
  command.option("--output", options.output, "FILE",
                 "Write there, and not on the standard error output, which is the program's, too");
  add_library(command, options.library);
  command.take_program();
  command.examples({"nestbind memory -- ./program", "a report at its end"},
                   {"nestbind memory --pid 4711", "what is known by now of a process that runs"});
  command.does([command, &call, shared] { call.status = memory(command, *shared, call); });
}

}  // namespace nestbind::cli
