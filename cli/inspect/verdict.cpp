// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/verdict.hpp"

#include <algorithm>

#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

using Kind = Problem::Kind;

// Because of which nothing more can be asked of a file. At most one.
std::vector<Problem> problem_of_file(const Facts& facts) {
  const ElfFile& file = facts.file;
  const bool is_musl = file_name(file.interpreter).starts_with("ld-musl");
  switch (file.kind) {
    case ElfFile::Kind::kUnreadable:
      return {{Kind::kUnreadable, file.fault}};
    case ElfFile::Kind::kNotElf:
      return {{Kind::kNotElf, {}}};
    case ElfFile::Kind::kForeign:
      return {{Kind::kForeign, {}}};
    case ElfFile::Kind::kElf:
      break;
  }
  if (file.interpreter.empty()) {
    return {{Kind::kStatic, {}}};
  }
  if (is_musl && facts.depth == Depth::kThorough) {
    return {{Kind::kMusl, file.interpreter}};
  }
  return {};
}

using UsesOf = Uses (*)(const ElfFile&);

// What a process has of runtimes, and which calls are made in it. A quick look expects the runtime
// that the program was made for, with what it usually has.
struct Process {
  const Facts& facts;

  template <typename Predicate>
  bool any_library(Predicate holds) const {
    const std::vector<LoadedLibrary>& libraries = facts.listing.libraries;
    return std::any_of(libraries.begin(), libraries.end(), holds);
  }

  bool is_quick() const { return facts.depth == Depth::kQuick; }
  bool contains(UsesOf uses) const { return uses(facts.file) == Uses::kDefines; }
  bool calls(UsesOf uses) const {
    return uses(facts.file) == Uses::kImports || any_library([&](const LoadedLibrary& library) {
             return uses(library.file) == Uses::kImports;
           });
  }

  bool has_gnu() const {
    return is_quick() ? uses_gomp(facts.file) == Uses::kImports
                      : any_library([](const LoadedLibrary& library) {
                          return maker_of(library.file) == Maker::kGnu;
                        });
  }
  bool has_tools() const {
    if (is_quick()) {
      return uses_gomp(facts.file) == Uses::kNo && uses_kmpc(facts.file) != Uses::kNo;
    }
    return contains(uses_kmpc) || any_library([](const LoadedLibrary& library) {
             return maker_of(library.file) == Maker::kLlvm &&
                    library.file.does_export("ompt_start_tool");
           });
  }
  bool has_runtime() const {
    return contains(uses_gomp) || contains(uses_kmpc) ||
           any_library(
               [](const LoadedLibrary& library) { return maker_of(library.file) != Maker::kNone; });
  }
  bool calls_dlopen() const {
    // An interpreter may be one library with a small program before it.
    const auto is_own = [&](const std::string& name) {
      const std::vector<std::string>& needed = facts.file.needed;
      return !name.starts_with("libc.so") && !name.starts_with("libdl.so") &&
             !name.starts_with("/") &&
             std::find(needed.begin(), needed.end(), name) != needed.end();
    };
    return facts.file.does_import("dlopen") || any_library([&](const LoadedLibrary& library) {
             return is_own(library.name) && library.file.does_import("dlopen");
           });
  }
};

std::vector<std::string> hooks_of(const Process& process) {
  std::vector<std::string> hooks;
  if (process.has_gnu() && (process.calls(uses_gomp) || process.calls_dlopen())) {
    hooks.emplace_back("GOMP");
  }
  if (process.has_tools() && !process.facts.tools_are_disabled) {
    hooks.emplace_back("OMPT");
  }
  // An instrumented program's own calls stand back where the runtime reports the fork.
  const std::string stands_back = hooks.empty() ? "" : " (stands back)";
  if (process.calls(uses_pomp)) {
    hooks.push_back("POMP" + stands_back);
  }
  if (process.calls(uses_pomp2)) {
    hooks.push_back("POMP2" + stands_back);
  }
  return hooks;
}

void judge_forks(const Process& process, Verdict& verdict) {
  verdict.has_runtime = process.has_runtime();
  verdict.hooks = hooks_of(process);
  if (!verdict.hooks.empty()) {
    verdict.forks = Forks::kSeen;
  } else if (process.has_tools() || verdict.has_runtime) {
    verdict.forks = Forks::kUnseen;
    verdict.hearing = {{process.has_tools() ? Kind::kNoTools : Kind::kUnseen, {}}};
  } else if (!process.is_quick()) {
    verdict.forks = process.calls_dlopen()         ? Forks::kLoadedLater
                    : process.facts.is_interpreter ? Forks::kStartedLater
                                                   : Forks::kUnseen;
    if (verdict.forks == Forks::kUnseen) {
      verdict.hearing = {{Kind::kNoRuntime, {}}};
    }
  }
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
    facts.listing = list_libraries(path);
  } else if (uses_gomp(facts.file) == Uses::kNo && uses_kmpc(facts.file) == Uses::kNo) {
    // The dynamic tables, which are small, tell all that is to be known of most programs; this one
    // may contain its runtime.
    facts.file = read_elf(path, SymbolTables::kAll, is_openmp_symbol);
  }
  return facts;
}

Verdict judge(const Facts& facts) {
  Verdict verdict;
  const std::string privileged = name_of(facts.privileges);
  if (!privileged.empty()) {
    verdict.start.push_back(
        {facts.privileges.concerns_caller ? Kind::kPrivileged : Kind::kPrivilegedForOthers,
         privileged});
  }
  std::vector<Problem> last = problem_of_file(facts);
  if (last.empty() && !facts.listing.is_read) {
    last = {{Kind::kUnlisted, facts.listing.fault}};
  }
  verdict.start.insert(verdict.start.end(), last.begin(), last.end());
  if (!last.empty()) {
    return verdict;
  }
  for (const LoadedLibrary& library : facts.listing.libraries) {
    if (library.path.empty()) {
      verdict.start.push_back({Kind::kMissing, library.name});
    }
  }
  judge_forks(Process{facts}, verdict);
  return verdict;
}

}  // namespace nestbind::cli::inspect
