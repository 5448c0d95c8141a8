// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind tune.
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/refused.hpp"
#include "cli/subcommand.hpp"
#include "cli/tune.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

int tune(const Subcommand& command, TuneOptions& options, Call& call) {
  if (!take_program(command.parsed(), call.behind_dashes, options.program)) {
    return kUsage;
  }
  if (options.program.empty()) {
    say("tune: which program? nestbind tune [OPTIONS] -- program arguments");
    return kUsage;
  }
  warn_of_unknown_variables();
  return tune_command(options);
}

void add_what(const Subcommand& command, TuneOptions& options) {
  command.option("--shapes", options.shapes, "YxZ,...",
                 "Team sizes of the program's levels, such as 4x4,2x8: each is tried");
  command.option("--candidates", options.candidates, "SPEC;SPEC...",
                 "Specifications to try, in place of those that nestbind suggest names");
  command.flag("--schedule", options.schedules,
               "Then try schedules of loops with schedule(runtime), in the best layout");
  command.option("--metric", options.metric, "time|LINE-REGEX",
                 "time (the default), or an expression, as of grep -E, whose group is the number "
                 "in the last line that matches");
  command.flag("--higher", options.is_higher, "Of this number, more is better");
  command.flag("--lower", options.is_lower, "Of this number, less is better");
  command.option("--check", options.check, "REGEX",
                 "The lines that match have to be the unbound run's, or a candidate is out");
}

void add_how(const Subcommand& command, TuneOptions& options) {
  constexpr int kMostRounds = 1000;
  command.option("--rounds", options.rounds, {1, kMostRounds}, "N",
                 "Rounds of the final; by default 15");
  command.option("--budget", options.budget, "TIME",
                 "As many rounds as fit in this time, such as 90s, 15m or 2h");
  command.option("--timeout", options.timeout, "TIME",
                 "A longer run is ended; by default ten times the longest so far");
  command.option("--seed", options.seed, "N", "Of the order of the runs; by default 1");
  command.option("--input", options.input, "FILE", "The standard input of each run");
  command.option("--json", options.json, "FILE", "Write all that was found here, too");
  command.option("--keep", options.keep, "FOLDER", "Keep the output of the runs in this folder");
}

}  // namespace

void add_tune(CLI::App& app, Call& call) {
  const auto shared = std::make_shared<TuneOptions>();
  TuneOptions& options = *shared;
  const Subcommand command(app, "tune",
                           "Run a program in several layouts, and tell the best, if any");
  // The program's own arguments are no options of ours.
  command.usages({"[OPTIONS] [--] PROGRAM [ARGUMENT...]"});
  add_what(command, options);
  add_how(command, options);
  for (const auto& [variable, value] : {std::pair(options::kRuntime, &options.runtime),
                                        {options::kSmt, &options.smt},
                                        {options::kCores, &options.cores}}) {
    add_variable_option(command, variable, *value);
  }
  add_cpus(command, options.cpus,
           "Processors that the program may use, such as 0-3,8; by default this process's");
  add_library(command, options.library);
  command.take_program();
  command.examples(
      {"nestbind tune --shapes 4x4 -- ./program", "by the time that it takes"},
      {"nestbind tune --metric 'GFLOP/s: (.*)' --higher --check 'residual' -- ./program",
       "by a number that it prints, and only if it still computes the same"});
  command.does([command, &call, shared] { call.status = tune(command, *shared, call); });
}

}  // namespace nestbind::cli
