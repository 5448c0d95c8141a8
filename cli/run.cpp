// SPDX-License-Identifier: BSD-3-Clause
#include "cli/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "cli/environment.hpp"
#include "cli/execute.hpp"
#include "cli/exports.hpp"
#include "cli/inspect/llvm.hpp"
#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/nothing_to_bind.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"
#include "cli/inspect/verdict.hpp"
#include "cli/llvm_runtime.hpp"
#include "cli/machine.hpp"
#include "cli/message.hpp"
#include "cli/preload.hpp"
#include "cli/processors.hpp"
#include "cli/specification.hpp"
#include "show/canonical.hpp"

namespace nestbind::cli {

namespace {

// A path of the caller's, for programs that may go to another directory before they use it. Empty
// for an empty one.
std::string absolute(const std::string& path) {
  char directory[PATH_MAX];
  if (path.empty() || path.front() == '/' || getcwd(directory, sizeof directory) == nullptr) {
    return path;
  }
  return std::string(directory) + "/" + path;
}

std::string absolute_report(const std::string& report) {
  const auto colon = report.find(':');
  return colon == std::string::npos
             ? report
             : report.substr(0, colon + 1) + absolute(report.substr(colon + 1));
}

void put(const char* name, const std::string& value) {
  if (!value.empty()) {
    setenv(name, value.c_str(), 1);
  }
}

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

constexpr char kContainsRuntime[] =
    "contains GCC's OpenMP runtime (libgomp.a), whose forks a preload cannot see";

// The first of these that a program has is told. Nothing of what the kernel tells itself, nor of
// scripts, whose interpreters may start anything.
using Kind = inspect::Problem::Kind;
constexpr inspect::Words kWords[] = {
    {Kind::kUnreadable, nullptr, ""},
    {Kind::kNotElf, nullptr, ""},
    {Kind::kForeign, "is built for another architecture than this library", ""},
    {Kind::kLibrary, "is a shared library, not a program", ""},
    {Kind::kStatic, "is a static program, which preloads nothing", ""},
    {Kind::kPrivileged, "is ", ", for which the loader ignores preloads"},
    {Kind::kContained, kContainsRuntime, ""},
    {Kind::kUnreachable, "contains GCC's OpenMP runtime (libgomp.a) and does not export ",
     ", by which OPARI's calls reach it"},
    {Kind::kNoTools,
     "is for LLVM's or Intel's runtime, which starts no tool with OMP_TOOL=disabled", ""},
};

// Why a preloaded library cannot bind this program; empty if it can, or if that cannot be told.
std::string obstacle(const inspect::Facts& facts) {
  const inspect::Verdict verdict = judge(facts);
  for (const inspect::Words& words : kWords) {
    for (const inspect::Problem& problem : verdict.problems) {
      if (words.kind == problem.kind) {
        return words.of(problem);
      }
    }
  }
  return {};
}

// Whether the library in the process will say the same, as it does in those that the program
// starts.
bool is_told_inside(const inspect::Facts& facts) {
  const auto problems = judge(facts).problems;
  return !problems.empty() && std::ranges::all_of(problems, [](const inspect::Problem& problem) {
    return problem.kind == Kind::kContained || problem.kind == Kind::kNoTools;
  });
}

// The OpenMP runtime that the program gets.
struct RuntimeChoice {
  bool is_llvm = false;
  std::string file;  // of LLVM's; empty: to be found
};

// Reads native|llvm[:FILE]; empty is native. Says what is wrong with another text, and returns
// false.
bool read_runtime(const std::string& text, RuntimeChoice& choice) {
  constexpr std::string_view kLlvmFile = "llvm:";
  choice.is_llvm = text == "llvm" || text.starts_with(kLlvmFile);
  choice.file = text.starts_with(kLlvmFile) ? text.substr(kLlvmFile.size()) : "";
  const bool is_good = text.empty() || text == "native" || (choice.is_llvm && text != kLlvmFile);
  if (!is_good) {
    say("--runtime {}: expected native, or llvm with or without :FILE behind it", text);
  }
  return is_good;
}

// Puts LLVM's runtime in the place of GCC's, by this process's variables. None, with a message,
// where that cannot be had.
std::optional<LlvmRuntime> prefer_llvm(const RuntimeChoice& choice) {
  std::string fault;
  auto runtime = find_llvm_runtime(choice.file, fault);
  if (!runtime) {
    say("--runtime=llvm: {}", fault);
    return std::nullopt;
  }
  prefer(*runtime);
  setenv("NESTBIND_RUNTIME", "llvm", 1);
  return runtime;
}

// Puts LLVM's runtime in the place of GCC's, by this process's variables, for a program that can do
// with it: `name`, whose file is `path`. Otherwise says why it cannot, and returns false.
bool put_llvm_in_place(const std::string& name, const std::string& path,
                       const inspect::ElfFile& program, const RuntimeChoice& choice) {
  const auto runtime = prefer_llvm(choice);
  if (!runtime) {
    return false;
  }
  inspect::LlvmVerdict verdict;
  // A script's interpreter may start anything.
  if (program.kind == inspect::ElfFile::Kind::kElf) {
    verdict = judge_on_llvm(path, program, inspect::link_libraries(path, program), runtime->folder);
  }
  if (!verdict.obstacle.empty()) {
    say("{} cannot run on LLVM's runtime, {}: {}", name, runtime->file, verdict.obstacle);
    return false;
  }
  if (!verdict.is_checked) {
    warn(
        "{} starts without an OpenMP runtime: what it loads or starts later gets LLVM's without "
        "having been checked",
        name);
  }
  return true;
}

// Whether the program is to be started: one that cannot be bound is, with a warning, but not on a
// runtime that was asked for in vain. is_started: now, by the command itself.
bool may_start(const std::string& name, const std::string& path, const inspect::Facts& facts,
               const RuntimeChoice& runtime, bool is_strict, bool is_started) {
  std::string why = obstacle(facts);
  if (why.empty() && runtime.is_llvm && uses_gomp(facts.file) == inspect::Uses::kDefines) {
    why = kContainsRuntime;
  }
  if (why.empty() && runtime.is_llvm) {
    return put_llvm_in_place(name, path, facts.file, runtime);
  }
  if (why.empty()) {
    if (inspect::has_nothing_to_bind(path, facts.file)) {
      warn("{} has no OpenMP runtime, and loads or starts nothing that could: nothing is bound",
           name);
    }
    return true;
  }
  if (runtime.is_llvm) {
    say("{} cannot run on LLVM's runtime: it {}", name, why);
    return false;
  }
  if (is_strict) {
    say("{} {}: it is not started (--strict)", name, why);
    return false;
  }
  if (!is_started || !is_told_inside(facts)) {
    warn("{} {}: it will run unbound", name, why);
  }
  return true;
}

// LLVM's and Intel's runtimes keep the threads of inner teams only down to a level that they are
// told, and GCC's does not look. Whatever the program is, it may load or start what uses them.
void keep_llvm_teams(int levels) {
  constexpr int kUnlessSet = 0;
  if (levels == 0) {  // "off"
    return;
  }
  setenv("KMP_HOT_TEAMS_MAX_LEVEL", std::to_string(levels).c_str(), kUnlessSet);
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
  auto values = options.values;
  std::string& machine = values[options::kMachine];
  const auto library = find_library(options.library);
  if (!library || !machine_is_readable(*library, machine, spec)) {
    return kFailure;
  }
  say_dry_run(machine, options);
  std::string sanitizer;
  const bool has_program = !options.program.empty();
  if (!has_program && runtime.is_llvm && !prefer_llvm(runtime)) {
    return kFailure;
  }
  const auto path = has_program ? inspect::find_program(options.program[0]) : std::nullopt;
  if (has_program && options.prints) {
    warn_if_not_executable(options.program[0]);
  }
  if (path) {
    inspect::Facts facts = inspect::facts_of(*path, inspect::Depth::kQuick);
    facts.tools_are_disabled = tools_are_disabled();
    if (!may_start(options.program[0], *path, facts, runtime, values[options::kStrict] == "1",
                   !options.prints)) {
      return runtime.is_llvm ? kFailure : kStrict;
    }
    const std::vector<std::string>& needed = facts.file.needed;
    const auto found = std::find_if(needed.begin(), needed.end(), is_sanitizer);
    sanitizer = found == needed.end() ? "" : *found;
  }
  put("LD_PRELOAD", preload_with(inspect::variable("LD_PRELOAD"), *library, sanitizer));
  if (has_spec) {
    put(options::kSpecification, show::canonical(spec));
    keep_llvm_teams(spec.levels);
  }
  unsetenv(options::kOwnThreads);  // here the user says what is to be
  values[options::kOwn].clear();
  values[options::kReport] = absolute_report(values[options::kReport]);
  machine = access(machine.c_str(), F_OK) == 0 ? absolute(machine) : machine;
  for (int i = 0; i < options::kVariables; ++i) {
    put(options::kTable[i].rule.name, values[i]);
  }
  return options.prints ? print_variables(runtime.is_llvm) : execute(options.program);
}

}  // namespace nestbind::cli
