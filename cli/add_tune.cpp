// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind tune.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/help_format.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/refused.hpp"
#include "cli/tune.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

int tune(const CLI::App& command, TuneOptions& options, Call& call) {
  options.program = command.remaining();
  if (!options.program.empty() && options.program[0].starts_with("-")) {
    say_no_option(command, options.program[0]);
    return kUsage;
  }
  options.program.insert(options.program.end(), call.behind_dashes.begin(),
                         call.behind_dashes.end());
  if (options.program.empty()) {
    say("tune: which program? nestbind tune [OPTIONS] -- program arguments");
    return kUsage;
  }
  warn_of_unknown_variables();
  return tune_command(options);
}

void add_what(CLI::App& command, TuneOptions& options) {
  command
      .add_option("--shapes", options.shapes,
                  "Team sizes of the program's levels, such as 4x4,2x8: each is tried")
      ->type_name("YxZ,...");
  command
      .add_option("--candidates", options.candidates,
                  "Specifications to try, in place of those that nestbind suggest names")
      ->type_name("SPEC;SPEC...");
  command.add_flag("--schedule", options.schedules,
                   "Then try schedules of loops with schedule(runtime), in the best layout");
  command
      .add_option("--metric", options.metric,
                  "time (the default), or an expression, as of grep -E, whose group is the number "
                  "in the last line that matches")
      ->type_name("time|LINE-REGEX");
  command.add_flag("--higher", options.is_higher, "Of this number, more is better");
  command.add_flag("--lower", options.is_lower, "Of this number, less is better");
  command
      .add_option("--check", options.check,
                  "The lines that match have to be the unbound run's, or a candidate is out")
      ->type_name("REGEX");
}

void add_how(CLI::App& command, TuneOptions& options) {
  constexpr int kMostRounds = 1000;
  command.add_option("--rounds", options.rounds, "Rounds of the final; by default 15")
      ->check(CLI::Range(1, kMostRounds))
      ->type_name("N");
  command
      .add_option("--budget", options.budget,
                  "As many rounds as fit in this time, such as 90s, 15m or 2h")
      ->type_name("TIME");
  command
      .add_option("--timeout", options.timeout,
                  "A longer run is ended; by default ten times the longest so far")
      ->type_name("TIME");
  command.add_option("--seed", options.seed, "Of the order of the runs; by default 1")
      ->type_name("N");
  command.add_option("--input", options.input, "The standard input of each run")->type_name("FILE");
  command.add_option("--json", options.json, "Write all that was found here, too")
      ->type_name("FILE");
  command.add_option("--keep", options.keep, "Keep the output of the runs in this folder")
      ->type_name("FOLDER");
}

}  // namespace

void add_tune(CLI::App& app, Call& call) {
  const auto shared = std::make_shared<TuneOptions>();
  TuneOptions& options = *shared;
  CLI::App& command =
      *app.add_subcommand("tune", "Run a program in several layouts, and tell the best, if any");
  // The program's own arguments are no options of ours.
  command.formatter(help_format({"[OPTIONS] [--] PROGRAM [ARGUMENT...]"}));
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
  command.prefix_command();
  set_examples(command, {"nestbind tune --shapes 4x4 -- ./program", "by the time that it takes"},
               {"nestbind tune --metric 'GFLOP/s: (.*)' --higher --check 'residual' -- ./program",
                "by a number that it prints, and only if it still computes the same"});
  command.callback([&command, &call, shared] { call.status = tune(command, *shared, call); });
}

}  // namespace nestbind::cli
