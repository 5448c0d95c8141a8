// SPDX-License-Identifier: BSD-3-Clause
#include "cli/run.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "cli/environment.hpp"
#include "cli/execute.hpp"
#include "cli/exports.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/verdict.hpp"
#include "cli/machine.hpp"
#include "cli/message.hpp"
#include "cli/preload.hpp"
#include "cli/processors.hpp"
#include "cli/specification.hpp"
#include "cli/startable.hpp"
#include "cli/variables.hpp"

namespace nestbind::cli {

namespace {

// Reading the machine takes longer than all the rest: only where the specification has a symbolic
// size, which only a machine can make a number, or where the user may have misspelt it.
bool machine_is_readable(const std::string& library, const std::string& source,
                         const spec::Spec& spec) {
  const auto is_symbolic = [](const spec::Level& level) { return level.size == 0; };
  if (source.empty() && std::none_of(spec.level, spec.level + spec.levels, is_symbolic)) {
    return true;
  }
  try {
    read_topology(library, source, source.empty() ? own_processors() : std::nullopt);
    return true;
  } catch (const machine::Unreadable& fault) {
    say("{}", fault.what());
    return false;
  }
}

// A dry run without a report looks like any other: says that nothing is bound.
void say_dry_run(const std::string& machine, const RunOptions& options) {
  if (machine.empty()) {
    return;
  }
  const char* hint = "; --report shows who would sit where, and nestbind plan all of them";
  const bool reports = !options.values[options::kReport].empty();
  if (!options.names_machine) {
    warn("NESTBIND_MACHINE={} is set: a dry run, nothing is bound{}", machine, reports ? "" : hint);
  } else if (!reports) {
    remark("dry run on {}: nothing is bound{}", machine, hint);
  }
}

// What a shell needs for programs that it starts itself.
int print_variables(bool is_on_llvm) {
  std::vector<std::string> names = {"LD_PRELOAD", options::kSpecification,
                                    "KMP_HOT_TEAMS_MAX_LEVEL"};
  if (is_on_llvm) {
    names.emplace_back("LD_LIBRARY_PATH");
  }
  for (const options::Row& row : options::kTable) {
    names.emplace_back(row.rule.name);
  }
  std::fputs(exports(names).c_str(), stdout);
  return kSuccess;
}

// The processors of --cpus become this process's, and so the program's. Says what is wrong, and
// returns false.
bool take_processors(const RunOptions& options) {
  if (options.cpus.empty()) {
    return true;
  }
  if (options.prints) {
    say("--cpus is no variable: taskset --cpu-list {} starts a program so", options.cpus);
    return false;
  }
  const auto cpus = read_processors(options.cpus);
  return cpus && confine_to(*cpus, options.cpus);
}

}  // namespace

int run_command(const RunOptions& options) {
  spec::Spec spec;
  RuntimeChoice runtime;
  const bool has_spec = !options.spec.empty() || options.values[options::kSchedule].empty();
  if ((has_spec && !read_specification(options.spec, spec)) ||
      !read_runtime(options.runtime, runtime) || !take_processors(options)) {
    return kUsage;
  }
  const std::string& machine = options.values[options::kMachine];
  const auto library = find_library(options.library);
  if (!library || !machine_is_readable(*library, machine, spec)) {
    return kFailure;
  }
  say_dry_run(machine, options);
  Binding binding{has_spec ? &spec : nullptr, options.values, *library, ""};
  const bool has_program = !options.program.empty();
  if (!has_program && runtime.is_llvm && !put_llvm_in_place(runtime)) {
    return kFailure;
  }
  const auto path = has_program ? inspect::find_program(options.program[0]) : std::nullopt;
  if (has_program && options.prints) {
    warn_if_not_executable(options.program[0]);
  }
  if (path) {
    inspect::Facts facts = inspect::facts_of(*path, inspect::Depth::kQuick);
    facts.tools_are_disabled = tools_are_disabled();
    const bool is_strict = options.values[options::kStrict] == "1";
    if (!may_start(options.program[0], *path, facts, runtime, is_strict, !options.prints)) {
      return runtime.is_llvm ? kFailure : kStrict;
    }
    binding.sanitizer = needed_sanitizer(facts.file.needed);
  }
  set_variables(binding);
  return options.prints ? print_variables(runtime.is_llvm) : execute(options.program);
}

}  // namespace nestbind::cli
