// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind run.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/help_format.hpp"
#include "cli/inspect/program.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/refused.hpp"
#include "cli/run.hpp"
#include "cli/specification.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

// All that the library would complain of, before the program starts.
bool complete_run(RunOptions& options) {
  const std::string& machine = options.values[options::kMachine];
  options.names_machine = !machine.empty();
  std::string runtime;  // --runtime is not its variable's value: run_command reads it
  for (int i = 0; i < options::kVariables; ++i) {
    if (!complete(i, i == options::kRuntime ? runtime : options.values[i])) {
      return false;
    }
  }
  if (!machine.empty() && !options.cpus.empty()) {
    say("--cpus is for this machine, and a dry run for all of {}; nestbind plan shows a part of it",
        machine);
    return false;
  }
  return true;
}

// Which of the words is the specification, and which the program: with --schedule there need not be
// one, and then the program is behind "--". Says so where it is not.
bool has_specification(const CLI::App& command, const RunOptions& options, bool has_dashes) {
  const bool has_word = command.get_option("SPEC")->count() > 0;
  const std::string schedule = options.values[options::kSchedule].empty()
                                   ? variable(options::kTable[options::kSchedule].rule.name)
                                   : options.values[options::kSchedule];
  const bool may_do_without = !schedule.empty();
  if (!has_word && !may_do_without) {
    throw CLI::RequiredError("SPEC");
  }
  spec::Spec unused;
  if (has_word && may_do_without && !has_dashes && !parse(options.spec, unused).empty() &&
      inspect::find_program(options.spec)) {
    say("run: {} is no specification; without one, -- is to be before the program: nestbind run "
        "--schedule={} -- {}",
        options.spec, schedule, options.spec);
    return false;
  }
  return true;
}

int run(const CLI::App& command, RunOptions& options, Call& call) {
  unshield(options.spec);
  options.program = command.remaining();
  if (!options.program.empty() && options.program[0].starts_with("-")) {
    say_no_option(command, options.program[0]);
    return kUsage;
  }
  if (!has_specification(command, options, !call.behind_dashes.empty())) {
    return kUsage;
  }
  if (!complete_run(options)) {
    return kUsage;
  }
  warn_of_unknown_variables();
  if (!options.program.empty() && !call.behind_dashes.empty()) {
    say("run: {} is between the specification and --; where a program has a -- of its own, "
        "another one stands before it: nestbind run SPEC -- {} ...",
        options.program[0], options.program[0]);
    return kUsage;
  }
  if (options.program.empty()) {
    options.program = std::move(call.behind_dashes);
  }
  if (options.program.empty() && !options.prints) {
    spec::Spec unused;
    if (!parse(options.spec, unused).empty() && inspect::find_program(options.spec)) {
      say("run: {} is no specification, which stands before the program: nestbind run SPEC -- {} "
          "(nestbind suggest names some)",
          options.spec, options.spec);
      return kUsage;
    }
    say("run: which program? nestbind run [OPTIONS] SPEC -- program arguments");
    return kUsage;
  }
  return run_command(options);
}

}  // namespace

void add_run(CLI::App& app, Call& call) {
  const auto shared = std::make_shared<RunOptions>();
  RunOptions& options = *shared;
  CLI::App& command = *app.add_subcommand("run", "Start a program with its teams bound");
  // The program's own arguments are no options of ours.
  command.formatter(help_format({"[OPTIONS] SPEC [--] PROGRAM [ARGUMENT...]",
                                 "--schedule SCHEDULE [OPTIONS] -- PROGRAM [ARGUMENT...]",
                                 "--print-env [OPTIONS] SPEC"}));
  command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command.add_option("SPEC", options.spec, kSpecHelp)->type_name("");
  for (int i = 0; i < options::kVariables; ++i) {
    if (options::kTable[i].option.name != nullptr) {
      add_variable_option(command, i, i == options::kRuntime ? options.runtime : options.values[i]);
    }
  }
  add_cpus(command, options.cpus,
           "Processors that the program may use, such as 0-3,8; by default this process's");
  add_library(command, options.library);
  command.add_flag("--print-env", options.prints,
                   "Start nothing: print the variables, for a job script's eval");
  command.prefix_command();
  set_examples(command, {"nestbind run 4,scatter,2,subcompact -- ./program", "four teams of two"},
               {"nestbind run --report numa,scatter,core,subcompact -- ./program",
                "a thread for each core, and who really runs where"});
  command.callback([&command, &call, shared] { call.status = run(command, *shared, call); });
}

}  // namespace nestbind::cli
