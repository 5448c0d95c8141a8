// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/openmp_symbols.hpp"

#include <algorithm>
#include <cctype>

#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

// The first letters of the names that is_openmp_symbol() accepts. Most other names begin otherwise.
constexpr std::string_view kFirstLetters = "GPpoad_sef";

bool is_gomp_fork(std::string_view name) {
  return name.starts_with("GOMP_parallel") || name.starts_with("GOMP_teams_reg");
}

// Fortran compilers add underscores and may change the case.
bool is_fortran_or_c(std::string_view name, std::string_view wanted) {
  while (name.ends_with('_')) {
    name.remove_suffix(1);
  }
  return std::equal(name.begin(), name.end(), wanted.begin(), wanted.end(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

bool is_pomp_begin(std::string_view name) { return is_fortran_or_c(name, "pomp_parallel_begin"); }
bool is_pomp2_begin(std::string_view name) { return is_fortran_or_c(name, "pomp2_parallel_begin"); }

bool is_start(std::string_view name) {
  return name == "dlopen" || name == "dlmopen" || name == "system" || name == "popen" ||
         starts_with_any(name, {"exec", "fexecve", "posix_spawn"});
}

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

bool is_dispatched(std::string_view name) { return name.starts_with("__kmpc_dispatch_init_"); }

// True for functions that begin a loop without `ordered`.
bool is_gomp_loop(std::string_view name) {
  const bool begins = name.starts_with("GOMP_parallel_loop_") ||
                      (name.starts_with("GOMP_loop_") && name.ends_with("_start"));
  return begins && !has(name, "_ordered_") && !has(name, "_doacross_");
}
bool is_runtime(std::string_view name) { return is_gomp_loop(name) && has(name, "runtime"); }
bool is_dynamic(std::string_view name) {
  return is_gomp_loop(name) && (has(name, "dynamic") || has(name, "guided"));
}

template <typename Predicate>
Uses uses(const ElfFile& file, Predicate is_it) {
  const auto any = [&](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), is_it);
  };
  if (any(file.exports) || any(file.definitions)) {
    return Uses::kDefines;
  }
  return any(file.imports) ? Uses::kImports : Uses::kNo;
}

}  // namespace

bool is_openmp_symbol(std::string_view name) {
  if (name.empty() || kFirstLetters.find(name.front()) == std::string_view::npos) {
    return false;
  }
  return is_openmp_function(name) || is_gomp_loop(name) || is_dispatched(name) ||
         is_pomp_begin(name) || is_pomp2_begin(name) || name == "__kmpc_fork_call" ||
         name == "ompt_start_tool" || name == "pthread_create" || name == "__asan_init" ||
         name == "__tsan_init" || is_start(name);
}

bool is_openmp_function(std::string_view name) {
  return starts_with_any(name, {"GOMP_", "omp_", "GOACC_", "acc_"});
}

bool starts_others(const ElfFile& file) {
  return std::any_of(file.imports.begin(), file.imports.end(), is_start);
}

Loops loops_of(const ElfFile& file) {
  Loops loops;
  for (const std::string& name : file.imports) {
    loops.has_runtime = loops.has_runtime || is_runtime(name);
    loops.has_dynamic = loops.has_dynamic || is_dynamic(name);
    loops.has_dispatched = loops.has_dispatched || is_dispatched(name);
  }
  return loops;
}

Uses uses_gomp(const ElfFile& file) {
  const Uses by_symbols = uses(file, is_gomp_fork);
  // A program that calls a shared libgomp may contain libgomp's texts for another reason.
  return by_symbols == Uses::kNo && file.has_texts_of_gomp ? Uses::kDefines : by_symbols;
}
Uses uses_kmpc(const ElfFile& file) {
  return uses(file, [](std::string_view name) { return name == "__kmpc_fork_call"; });
}
Uses uses_pomp(const ElfFile& file) { return uses(file, is_pomp_begin); }
Uses uses_pomp2(const ElfFile& file) { return uses(file, is_pomp2_begin); }

Maker maker_of(const ElfFile& library) {
  if (!library.does_export("omp_get_thread_num")) {
    return Maker::kNone;
  }
  if (library.does_export("__kmpc_fork_call")) {
    return Maker::kLlvm;
  }
  return library.does_export("GOMP_parallel") ? Maker::kGnu : Maker::kNone;
}

}  // namespace nestbind::cli::inspect
