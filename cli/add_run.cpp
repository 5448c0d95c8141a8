// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind run.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/inspect/program.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/refused.hpp"
#include "cli/run.hpp"
#include "cli/specification.hpp"
#include "cli/subcommand.hpp"
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
bool has_specification(const Subcommand& command, const RunOptions& options, bool has_dashes) {
  const bool has_word = command.has("SPEC");
  const std::string schedule = options.values[options::kSchedule].empty()
                                   ? variable(options::kTable[options::kSchedule].rule.name)
                                   : options.values[options::kSchedule];
  const bool may_do_without = !schedule.empty();
  if (!has_word && !may_do_without) {
    Subcommand::refuse_without("SPEC", "nestbind suggest names some; off binds nothing");
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

// A specification that was typed as several words, in one; empty where they are none.
std::string specification_of_words(const std::string& first,
                                   const std::vector<std::string>& others) {
  constexpr std::size_t kMostWords = 16;
  for (const char* between : {" ", ", "}) {
    std::string text = first;
    for (std::size_t i = 0; i < std::min(others.size(), kMostWords); ++i) {
      spec::Spec unused;
      text += between + others[i];
      if (parse(text, unused).empty()) {
        return text;
      }
    }
  }
  return {};
}

int run(const Subcommand& command, RunOptions& options, Call& call) {
  unshield(options.spec);
  if (!take_program(command.parsed(), {}, options.program) ||
      !has_specification(command, options, !call.behind_dashes.empty()) || !complete_run(options)) {
    return kUsage;
  }
  const std::string whole = specification_of_words(options.spec, options.program);
  if (!whole.empty()) {
    say("run: a specification with blanks stands in quotes, with commas between its parts: "
        "nestbind run '{}' -- program arguments",
        whole);
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
  const Subcommand command(app, "run", "Start a program with its teams bound");
  // The program's own arguments are no options of ours.
  command.usages({"[OPTIONS] SPEC [--] PROGRAM [ARGUMENT...]",
                  "--schedule SCHEDULE [OPTIONS] -- PROGRAM [ARGUMENT...]",
                  "--print-env [OPTIONS] SPEC"});
  command.take_last();
  command.argument("SPEC", options.spec, kSpecHelp);
  for (int i = 0; i < options::kVariables; ++i) {
    if (options::kTable[i].option.name != nullptr) {
      add_variable_option(command, i, i == options::kRuntime ? options.runtime : options.values[i]);
    }
  }
  add_cpus(command, options.cpus,
           "Processors that the program may use, such as 0-3,8; by default this process's");
  add_library(command, options.library);
  command.flag("--print-env", options.prints,
               "Start nothing: print the variables, for a job script's eval");
  command.take_program();
  command.examples({"nestbind run 4,scatter,2,subcompact -- ./program", "four teams of two"},
                   {"nestbind run --report numa,scatter,core,subcompact -- ./program",
                    "a thread for each core, and who really runs where"});
  command.does([command, &call, shared] { call.status = run(command, *shared, call); });
}

}  // namespace nestbind::cli
