// SPDX-License-Identifier: BSD-3-Clause
// nestbind doctor: finds the reasons why a program or a running process is not bound.
#include "cli/doctor/doctor.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/mpi_library.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/say.hpp"
#include "cli/common/starting.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"
#include "cli/inspect/verdict.hpp"
#include "cli/subcommand.hpp"
#include "show/texts.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::cli {

namespace {

struct DoctorOptions {
  std::string program;
  std::string library;
  int process = 0;
  std::string format = "text";
};

using inspect::Facts;
using inspect::Forks;
using inspect::LoadedLibrary;
using inspect::Loops;
using inspect::Maker;
using inspect::Uses;
using inspect::Verdict;

// Returns "" if a script cannot be started.
std::string follow_scripts(std::string path, Findings& findings) {
  // The kernel follows at most this number of scripts.
  constexpr int kMaxScripts = 5;
  for (int i = 0; i < kMaxScripts; ++i) {
    const inspect::Script script = inspect::read_script(path);
    if (script.interpreter.empty()) {
      return path;
    }
    const std::string name = script.program;
    findings.fact(
        "script",
        fmt::format("{}: {} {} is examined; the programs that it starts are not", path,
                    script.is_named ? "its interpreter" : "it names no interpreter, so the shell",
                    name));
    const auto found = inspect::find_program(name);
    if (!found) {
      findings.problem("the interpreter " + name + " is not there" + inspect::hint_of(name));
      return {};
    }
    path = *found;
  }
  findings.problem("too many scripts start each other; the kernel has a limit");
  return {};
}

void say_problems(const Verdict& verdict, bool are_of_forks, Findings& findings) {
  constexpr std::size_t kMost = 32;
  std::size_t said = 0;
  for (const inspect::Problem& problem : verdict.problems) {
    if (problem.is_of_forks() == are_of_forks && ++said <= kMost) {
      findings.problem("the program " + words_of(problem) + remedy_of(problem));
    }
  }
  if (said > kMost) {
    findings.problem(fmt::format("and {} more", said - kMost));
  }
}

void say_sanitizers(const Facts& facts, Findings& findings) {
  for (const LoadedLibrary& library : facts.listing.libraries) {
    if (is_sanitizer(library.name)) {
      findings.fact("sanitizer", library.name +
                                     ": must be the first library; nestbind run keeps it "
                                     "before the preload");
    }
  }
  if (facts.file.does_define("__asan_init") || facts.file.does_define("__tsan_init")) {
    findings.fact("sanitizer", "linked statically");
  }
}

// Preloading cannot replace what is in the program's own file.
void say_contained(const inspect::ElfFile& program, Findings& findings) {
  const auto say = [&](Uses uses, const char* topic, const char* text) {
    if (uses == Uses::kDefines) {
      findings.fact(topic, text);
    }
  };
  say(inspect::uses_gomp(program), "runtime",
      "GCC's, linked statically (libgomp.a): nestbind sees its forks only if OPARI has "
      "instrumented the program");
  say(inspect::uses_kmpc(program), "runtime",
      "LLVM's or Intel's, linked statically; like the shared library, it starts tools");
  say(inspect::uses_pomp(program), "note",
      "instrumented by OPARI 1, with a static libpomp; nestbind cannot replace it; link a shared "
      "one");
  say(inspect::uses_pomp2(program), "note",
      "instrumented by OPARI2, with its own static library; link nestbind's shared library "
      "instead");
}

bool has_nestbind(const LoadedLibrary& library) {
  return library.file.does_export("omp_set_nesting_info") ||
         library.file.soname.starts_with("libnestbind.so");
}

struct Runtimes {
  int gnu = 0;
  bool binds_itself = false;  // the program itself loads our library in time
  bool is_late = false;       // the program loads our library too late
};

Runtimes say_runtimes(const Facts& facts, Findings& findings) {
  Runtimes runtimes;
  auto& [gnu, binds_itself, is_late] = runtimes;
  int llvm = 0;
  const char* before_us = "";
  for (const LoadedLibrary& library : facts.listing.libraries) {
    const Maker maker = maker_of(library.file);
    const std::string name =
        library.name == library.path ? library.path : library.name + " (" + library.path + ")";
    if (has_nestbind(library)) {
      binds_itself = binds_itself || *before_us == '\0';
      is_late = !binds_itself;
      findings.fact("nestbind", name + (is_late ? ", loaded after " : "") + before_us);
    } else if (library.name.starts_with("libc.so.")) {
      before_us = *before_us == '\0' ? "the C library" : before_us;
    } else if (maker == Maker::kGnu) {
      ++gnu;
      before_us = "GCC's runtime";
      findings.fact("runtime", "GCC's, " + name);
    } else if (maker == Maker::kLlvm) {
      ++llvm;
      findings.fact(
          "runtime",
          (library.file.soname.starts_with("libiomp") ? "Intel's, " : "LLVM's, ") + name +
              (library.file.does_export("ompt_start_tool") ? "" : ", built without OMPT"));
    }
  }
  if (gnu + llvm == 0 && binds_itself && uses_gomp(facts.file) == Uses::kImports) {
    findings.fact("runtime",
                  "GCC's; libnestbind loads it, because the linker left it out (--as-needed)");
  }
  const struct {
    bool holds;
    std::string text;
  } notes[] = {
      {gnu + llvm > 1, "more than one OpenMP runtime is loaded; each has its threads and settings"},
      {llvm > 0 && std::getenv("KMP_HOT_TEAMS_MAX_LEVEL") == nullptr,
       "this runtime keeps the threads of inner teams only with KMP_HOT_TEAMS_MAX_LEVEL=2 (or "
       "more, for more levels); nestbind run sets it"},
      {is_late, "libnestbind is loaded too late to bind anything by itself: " +
                    std::string(support::kLoadFirst)},
  };
  for (const auto& [holds, text] : notes) {
    if (holds) {
      findings.fact("note", text);
    }
  }
  return runtimes;
}

void say_forks(const Verdict& verdict, Findings& findings) {
  if (!verdict.has_runtime) {
    findings.fact("runtime", "none");
  }
  findings.fact("hook", verdict.hooks.empty() ? "none" : inspect::join(verdict.hooks, ", "));
  say_problems(verdict, true, findings);
  if (verdict.forks == Forks::kLoadedLater) {
    findings.fact(
        "note",
        "if the program loads a runtime later, nestbind hooks it at that time (GOMP, OMPT)");
  } else if (verdict.forks == Forks::kStartedLater) {
    findings.fact("note",
                  "the interpreter has no OpenMP; programs that the script starts inherit the "
                  "preload; examine them by nestbind doctor, too");
  }
}

constexpr struct {
  bool Loops::* is_there;
  const char* text;
} kKinds[] = {{&Loops::has_runtime,
               "NESTBIND_SCHEDULE=hybrid or balanced takes loops with schedule(runtime)"},
              {&Loops::has_dynamic,
               "NESTBIND_SCHEDULE=hybrid,loops=dynamic or balanced,loops=dynamic takes loops with "
               "schedule(dynamic) or (guided), too"},
              {&Loops::has_dispatched,
               "NESTBIND_SCHEDULE=hybrid or balanced takes loops with schedule(runtime); the "
               "option loops=dynamic adds loops with schedule(dynamic) and (guided); LLVM's "
               "symbols do not show which of these loops the program has"}};

constexpr char kNone[] =
    "none that NESTBIND_SCHEDULE can take: loops with schedule(static), or without a clause, are "
    "compiled into the program; compile them with schedule(runtime)";

// The text is empty if only the program has loops of this kind.
std::string places_of(const inspect::Facts& facts, bool Loops::* kind) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> names;
  for (const inspect::LoadedLibrary& library : facts.listing.libraries) {
    if (inspect::loops_of(library.file).*kind) {
      names.push_back(library.name);
    }
  }
  if (names.size() > kMost) {
    names[kMost] = fmt::format("{} others", names.size() - kMost);
    names.resize(kMost + 1);
  }
  if (!names.empty() && inspect::loops_of(facts.file).*kind) {
    names.insert(names.begin(), "the program");
  }
  return names.empty() ? "" : " (in " + inspect::join(names, ", ") + ")";
}

bool is_there(const inspect::Facts& facts, bool Loops::* kind) {
  return inspect::loops_of(facts.file).*kind || !places_of(facts, kind).empty();
}

// Says which loops of a program and its libraries can be shared. Call the function only if a hook
// sees the program's forks.
void examine_loops(const inspect::Facts& facts, Findings& findings) {
  bool is_any = false;
  for (const auto& [kind, text] : kKinds) {
    if (is_there(facts, kind)) {
      findings.fact("loops", text + places_of(facts, kind));
      is_any = true;
    }
  }
  if (!is_any && (uses_gomp(facts.file) != Uses::kNo || uses_kmpc(facts.file) != Uses::kNo)) {
    findings.fact("loops", kNone);
  }
}

void say_llvm(const std::string& path, const inspect::ElfFile& program, Findings& findings) {
  std::string why;
  if (uses_gomp(program) == Uses::kDefines) {
    why = std::string("the program ") + support::kContainsRuntime;
  } else if (const auto runtime = find_llvm_runtime("", why)) {
    prefer(*runtime);
    why =
        judge_on_llvm(path, program, list_libraries(path, program, inspect::own_loader_variables()),
                      runtime->folder)
            .obstacle;
    if (why.empty()) {
      findings.fact("llvm", "can run on LLVM's runtime too, " + runtime->file +
                                ": nestbind run --runtime=llvm");
      return;
    }
  }
  findings.fact("llvm", "cannot run on LLVM's runtime: " + why);
}

// Nothing about programs without MPI.
void say_mpi(const Facts& facts, Findings& findings) {
  for (const LoadedLibrary& library : facts.listing.libraries) {
    const MpiFamily family = mpi_family_of(library.name);
    const auto own = family == MpiFamily::kNone ? std::nullopt : find_library("");
    if (own) {
      const std::string module = mpi_module(family, *own);
      findings.fact(
          "mpi", library.name + (module.empty()
                                     ? fmt::format(": this nestbind was built without {}{}.so, so "
                                                   "nestbind run --reorder has no effect",
                                                   support::kMpiLibraryFile, name_of(family))
                                     : ": nestbind run --reorder preloads " + module));
      return;
    }
  }
}

struct Examined {
  Forks forks = Forks::kUnjudged;
  bool binds_itself = false;
  bool is_late = false;
};

Examined examine_program(const std::string& path, bool is_interpreter, Findings& findings) {
  Facts facts = inspect::facts_of(path, inspect::Depth::kThorough);
  facts.tools_are_disabled = tools_are_disabled();
  facts.is_interpreter = is_interpreter;
  const Verdict verdict = judge(facts);
  if (!facts.file.interpreter.empty()) {
    findings.fact("loader", facts.file.interpreter);
  }
  say_problems(verdict, false, findings);
  if (verdict.forks == Forks::kUnjudged) {
    return {verdict.forks};
  }
  say_sanitizers(facts, findings);
  say_mpi(facts, findings);
  say_contained(facts.file, findings);
  const Runtimes runtimes = say_runtimes(facts, findings);
  say_forks(verdict, findings);
  if (verdict.forks == Forks::kSeen) {
    examine_loops(facts, findings);
  }
  if (runtimes.gnu > 0) {
    say_llvm(path, facts.file, findings);
  }
  return {verdict.forks, runtimes.binds_itself, runtimes.is_late};
}

std::string verdict(const Findings& findings, const Examined& examined, bool can_run,
                    const std::string& program) {
  if (findings.has_problem) {
    return "the program will not be bound";
  }
  return std::string(examined.is_late                 ? "bound by nestbind run alone"
                     : examined.forks == Forks::kSeen ? "binding will work"
                                                      : "nothing prevents binding") +
         (can_run ? fmt::format(
                        ": {}nestbind run SPEC -- ",
                        findings.ignored.empty() ? "" : "correct " + findings.ignored + ", then ")
                  : ": OMP_NESTING_TEAM_SIZE=SPEC ") +
         shell_word(program);
}

bool examine_around(const DoctorOptions& options, bool program_has_one, Findings& findings) {
  const bool can_run = examine_library(options.library, program_has_one, findings);
  examine_environment(own_variables(), findings);
  examine_cache(findings);
  examine_devices(findings);
  examine_here(options.program.empty() ? "./program" : options.program, findings);
  examine_others(own_processors().value_or(std::vector<int>()), 0, findings);
  return can_run;
}

int print(const Findings& findings, const std::string& format) {
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  int width = 0;
  for (const Findings::Line& line : findings.lines) {
    lines.push_back({{"topic", line.topic}, {"text", line.text}});
    width = std::max(width, static_cast<int>(line.topic.size()) + 2);
  }
  const bool is_json = format == "json";
  if (is_json) {
    nlohmann::ordered_json object = {{"problem", findings.has_problem}, {"findings", lines}};
    fmt::print("{}\n", object.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  for (std::size_t i = 0; i < findings.lines.size() && !is_json; ++i) {
    std::string topic = findings.lines[i].topic;
    const auto texts = inspect::split(findings.lines[i].text, "\n");
    for (const std::string& text : texts) {
      // Does not wrap texts of several lines, because a caret must stay below its character.
      const int columns = texts.size() > 1 ? 0 : text_columns(0);
      fmt::print("{}\n",
                 show::wrapped(fmt::format("{:<{}}{}", topic, width, text), columns, width));
      topic.clear();
    }
  }
  return findings.has_problem ? kFailure : kSuccess;
}

int doctor_machine(const DoctorOptions& options) {
  Findings findings;
  examine_around(options, false, findings);
  findings.fact("verdict", findings.has_problem
                               ? "nothing will be bound"
                               : "nestbind is ready; nestbind doctor PROGRAM looks at a program, "
                                 "nestbind doctor --pid NUMBER at a running one");
  return print(findings, options.format);
}

int doctor_command(const DoctorOptions& options) {
  Findings findings;
  if (options.process > 0) {
    return examine_process(options.process, findings) ? print(findings, options.format) : kFailure;
  }
  if (options.program.empty()) {
    return doctor_machine(options);
  }
  const auto found = inspect::find_program(options.program);
  if (!found) {
    say("{}: no such program{}", options.program, inspect::hint_of_missing(options.program));
    return kFailure;
  }
  findings.fact("program", *found);
  const std::string refused = inspect::refusal_of(*found);
  if (!refused.empty()) {
    findings.problem("the program does not start: " + refused);
  }
  const std::string path = follow_scripts(*found, findings);
  const bool is_script = path != *found;
  const Examined examined = path.empty() ? Examined{} : examine_program(path, is_script, findings);
  const bool can_run = examine_around(options, examined.binds_itself, findings);
  findings.fact("verdict", verdict(findings, examined, can_run, options.program));
  return print(findings, options.format);
}

}  // namespace

void add_doctor(CLI::App& app, Call& call) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App& command = *app.add_subcommand(
      "doctor", "Report whether a program can be bound, or whether a running process is bound");
  add_option(command, "PROGRAM", "", options->program,
             "The program, searched as a shell does; without it only the machine is examined");
  add_option(command, "--pid", "NUMBER", options->process,
             "A running process, in place of a program")
      ->check(within(1, INT_MAX));
  command.get_option("--pid")->excludes("PROGRAM");
  add_library(command, options->library);
  add_format(command, options->format);
  add_output(command, call);
  add_examples(
      command,
      {"nestbind doctor ./program", "which runtime it loads, and whether nestbind sees its forks"},
      {"nestbind doctor --pid 4711",
       "whether a running process is bound, and where its threads are"});
  command.callback([&call, options] { call.status = doctor_command(*options); });
}

}  // namespace nestbind::cli
