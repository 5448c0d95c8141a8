// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/verdict.hpp"

#include <algorithm>
#include <iterator>

#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::cli::inspect {

namespace {

using Kind = Problem::Kind;

struct Words {
  Kind kind;
  const char* before;
  const char* after;
  const char* remedy;
};

constexpr Words kWords[] = {
    {Kind::kPrivileged, "is ", ", so the loader ignores LD_PRELOAD", ""},
    {Kind::kPrivilegedForOthers, "is ",
     ", so the loader ignores LD_PRELOAD for other users; you have these privileges already", ""},
    {Kind::kUnreadable, "cannot be read: ", "", ""},
    {Kind::kNotElf, "is neither a program nor a script with an interpreter", "", ""},
    {Kind::kForeign, support::kForeign, "", ""},
    {Kind::kLibrary, "is a shared library, not a program", "",
     "; ask about the program that loads it"},
    {Kind::kStatic, support::kStatic, "", "; link it dynamically"},
    {Kind::kMusl, support::kMusl, "", ""},
    {Kind::kUnlisted, "has libraries that cannot be listed: ", "", ""},
    {Kind::kMissing, "does not start: ", " is not found", ""},
    {Kind::kNoTools, support::kStartsNoTool, "", ""},
    {Kind::kContained, support::kContainsRuntime, "", ""},
    {Kind::kUnreachable, "contains GCC's OpenMP runtime (libgomp.a) and does not export ",
     ", which OPARI's calls need",
     "; link it with nestbind-instrument, or with -lnestbind-pomp or -lnestbind-pomp2 in place of "
     "the tool's own library"},
    {Kind::kUnseen, "uses an OpenMP runtime, and nestbind cannot see the forks of this runtime", "",
     ""},
    {Kind::kNoRuntime, support::kNoRuntime, "", ""},
};

const Words& row_of(const Problem& problem) {
  return *std::ranges::find(kWords, problem.kind, &Words::kind);
}

std::vector<Problem> problem_of_file(const Facts& facts) {
  const ElfFile& file = facts.file;
  if (file.kind == ElfFile::Kind::kUnreadable) {
    return {{Kind::kUnreadable, file.fault}};
  }
  if (file.kind != ElfFile::Kind::kElf || file.interpreter.empty()) {
    return {{file.kind == ElfFile::Kind::kNotElf    ? Kind::kNotElf
             : file.kind == ElfFile::Kind::kForeign ? Kind::kForeign
             : file.is_library                      ? Kind::kLibrary
                                                    : Kind::kStatic,
             {}}};
  }
  if (file_name(file.interpreter).starts_with("ld-musl")) {
    return {{Kind::kMusl, file.interpreter}};
  }
  return {};
}

struct RunningProcess {
  bool has_gnu = false;       // the shared libgomp
  bool contains_gnu = false;  // the static libgomp.a
  bool has_tools = false;
  bool has_runtime = false;
  bool calls_gomp = false;
  bool calls_pomp = false;
  bool calls_pomp2 = false;
  bool calls_dlopen = false;
  bool has_nestbind = false;

  void add_calls(const ElfFile& file) {
    calls_gomp |= uses_gomp(file) == Uses::kImports;
    calls_pomp |= uses_pomp(file) == Uses::kImports;
    calls_pomp2 |= uses_pomp2(file) == Uses::kImports;
  }
  void add(const LoadedLibrary& library, bool is_needed) {
    add_calls(library.file);
    const Maker maker = maker_of(library.file);
    has_runtime |= maker != Maker::kNone;
    has_gnu |= maker == Maker::kGnu;
    has_nestbind |= library.file.does_export("omp_set_nesting_info");
    has_tools |= maker == Maker::kLlvm && library.file.does_export("ompt_start_tool");
    // Also looks at libraries: an interpreter may be a small program with one large library.
    const bool is_system = library.name.starts_with("libc.so") ||
                           library.name.starts_with("libdl.so") || library.name.starts_with("/");
    calls_dlopen |= is_needed && !is_system && library.file.does_import("dlopen");
  }
};

RunningProcess process_of(const Facts& facts) {
  const Uses gomp = uses_gomp(facts.file);
  const Uses kmpc = uses_kmpc(facts.file);
  // Depth::kQuick assumes that the program uses the runtime of its compiler.
  const bool is_quick = facts.depth == Depth::kQuick;
  RunningProcess process;
  process.add_calls(facts.file);
  process.contains_gnu = gomp == Uses::kDefines;
  // dlopen is not counted if libgomp.a is in the program: libgomp.a calls dlopen to offload.
  process.calls_dlopen = facts.file.does_import("dlopen") && !process.contains_gnu;
  process.has_gnu = is_quick && gomp == Uses::kImports;
  process.has_tools = is_quick ? gomp == Uses::kNo && kmpc != Uses::kNo : kmpc == Uses::kDefines;
  process.has_runtime = gomp == Uses::kDefines || kmpc == Uses::kDefines;
  const std::vector<std::string>& needed = facts.file.needed;
  for (const LoadedLibrary& library : facts.listing.libraries) {
    process.add(library, contains(needed, library.name));
  }
  // The linker drops libgomp if our library has all functions that the program calls. In this case
  // our library loads libgomp.
  process.has_gnu |= process.has_nestbind && !process.has_runtime && gomp == Uses::kImports;
  process.has_runtime |= process.has_gnu && !is_quick;
  return process;
}

std::vector<std::string> hooks_of(const RunningProcess& process, bool tools_are_disabled) {
  std::vector<std::string> hooks;
  if (process.has_gnu && (process.calls_gomp || process.calls_dlopen)) {
    hooks.emplace_back("GOMP");
  }
  if (process.has_tools && !tools_are_disabled) {
    hooks.emplace_back("OMPT");
  }
  // An instrumented program's calls do nothing if another hook sees the fork. If the program
  // contains its runtime, no other hook sees the fork.
  const std::string stands_back = hooks.empty() || process.contains_gnu ? "" : " (stands back)";
  if (process.calls_pomp) {
    hooks.push_back("POMP" + stands_back);
  }
  if (process.calls_pomp2) {
    hooks.push_back("POMP2" + stands_back);
  }
  return hooks;
}

// Our POMP libraries make the linker export the functions of kAskedByPomp. Other libraries do not.
std::string unreachable(const ElfFile& program, const RunningProcess& process) {
  if (!process.contains_gnu) {
    return {};
  }
  const auto missing = std::ranges::find_if(
      kAskedByPomp, [&](const char* name) { return !program.does_export(name); });
  return missing == std::end(kAskedByPomp) ? "" : *missing;
}

void judge_forks(const Facts& facts, Verdict& verdict) {
  const RunningProcess process = process_of(facts);
  verdict.has_runtime = process.has_runtime;
  verdict.hooks = hooks_of(process, facts.tools_are_disabled);
  const bool is_expected = process.has_tools || process.has_runtime;
  // The program's calls go to the runtime that it contains, even if another runtime is loaded.
  const bool is_unseen = process.contains_gnu && !process.calls_pomp && !process.calls_pomp2;
  const std::string function = is_unseen ? "" : unreachable(facts.file, process);
  if (is_unseen) {
    verdict.forks = Forks::kUnseen;
    verdict.problems.push_back({Kind::kContained, {}});
  } else if (!function.empty()) {
    verdict.forks = Forks::kUnseen;
    verdict.problems.push_back({Kind::kUnreachable, function});
  } else if (!verdict.hooks.empty()) {
    verdict.forks = Forks::kSeen;
  } else if (!is_expected && facts.depth == Depth::kQuick) {
    verdict.forks = Forks::kUnjudged;
  } else if (!is_expected && (process.calls_dlopen || facts.is_interpreter)) {
    verdict.forks = process.calls_dlopen ? Forks::kLoadedLater : Forks::kStartedLater;
  } else {
    verdict.forks = Forks::kUnseen;
    verdict.problems.push_back({process.has_tools     ? Kind::kNoTools
                                : process.has_runtime ? Kind::kUnseen
                                                      : Kind::kNoRuntime,
                                {}});
  }
}

bool has_nothing(const ElfFile& file) {
  return file.kind == ElfFile::Kind::kElf && uses_gomp(file) == Uses::kNo &&
         uses_kmpc(file) == Uses::kNo && !file.does_import("omp_get_thread_num") &&
         !starts_others(file);
}

bool has_nothing(const LoadedLibrary& library) {
  // Our library calls dlopen only to load the planner.
  return file_name(library.path).starts_with("libnestbind") || has_nothing(library.file);
}

}  // namespace

Facts facts_of(const std::string& path, Depth depth) {
  Facts facts;
  facts.depth = depth;
  facts.privileges = privileges_of(path);
  const bool is_quick = depth == Depth::kQuick;
  const auto tables = is_quick ? SymbolTables::kDynamic : SymbolTables::kAll;
  facts.file = read_elf(path, tables, is_openmp_symbol);
  if (!problem_of_file(facts).empty()) {
    return facts;
  }
  if (!is_quick) {
    // The loader ignores these variables for a privileged program.
    const bool is_free = !facts.privileges.concerns_caller;
    facts.listing =
        list_libraries(path, facts.file, is_free ? own_loader_variables() : LoaderVariables{});
  } else if (uses_gomp(facts.file) == Uses::kNo && uses_kmpc(facts.file) == Uses::kNo) {
    // The dynamic tables are small, and enough for most programs. Without OpenMP symbols in the
    // tables, all symbols are read, because the program may contain its runtime.
    facts.file = read_elf(path, SymbolTables::kAll, is_openmp_symbol);
  }
  return facts;
}

Verdict judge(const Facts& facts) {
  Verdict verdict;
  const std::string privileged = name_of(facts.privileges);
  if (!privileged.empty()) {
    verdict.problems.push_back(
        {facts.privileges.concerns_caller ? Kind::kPrivileged : Kind::kPrivilegedForOthers,
         privileged});
  }
  std::vector<Problem> last = problem_of_file(facts);
  if (last.empty() && !facts.listing.fault.empty()) {
    last = {{Kind::kUnlisted, facts.listing.fault}};
  }
  verdict.problems.insert(verdict.problems.end(), last.begin(), last.end());
  if (!last.empty()) {
    return verdict;
  }
  for (const LoadedLibrary& library : facts.listing.libraries) {
    if (library.path.empty()) {
      verdict.problems.push_back({Kind::kMissing, library.name});
    }
  }
  judge_forks(facts, verdict);
  return verdict;
}

bool has_nothing_to_bind(const ElfFile& program, const Listing& listing) {
  const auto& libraries = listing.libraries;
  return has_nothing(program) && listing.fault.empty() &&
         std::all_of(libraries.begin(), libraries.end(),
                     [](const LoadedLibrary& library) { return has_nothing(library); });
}

bool has_nothing_to_bind(const std::string& path, const ElfFile& program) {
  return !program.interpreter.empty() && has_nothing(program) &&
         has_nothing_to_bind(program, list_libraries(path, program, own_loader_variables()));
}

std::string words_of(const Problem& problem) {
  const Words& row = row_of(problem);
  const bool has_detail = *row.after != '\0' || std::string_view(row.before).ends_with(' ');
  return row.before + (has_detail ? problem.detail : "") + row.after;
}

std::string remedy_of(const Problem& problem) { return row_of(problem).remedy; }

}  // namespace nestbind::cli::inspect
