// SPDX-License-Identifier: BSD-3-Clause
// Finds a program's forks and loops by its symbols.
#pragma once

#include <string_view>

#include "cli/inspect/elf.hpp"

namespace nestbind::cli::inspect {

// The filter for read_elf(). True if a function of this header needs the symbol.
bool is_openmp_symbol(std::string_view name);

bool is_openmp_function(std::string_view name);

bool starts_others(const ElfFile& file);

enum class Uses { kNo, kImports, kDefines };

Uses uses_gomp(const ElfFile& file);   // GOMP_parallel and its family: GCC's code
Uses uses_kmpc(const ElfFile& file);   // __kmpc_fork_call: Clang's, Intel's and Flang's code
Uses uses_pomp(const ElfFile& file);   // pomp_parallel_begin: instrumented by OPARI 1
Uses uses_pomp2(const ElfFile& file);  // POMP2_Parallel_begin: instrumented by OPARI2

// Runtime functions that POMP calls if no other hook reports forks (lib/preload/omp/calls.hpp).
inline constexpr const char* kAskedByPomp[] = {
    "omp_get_thread_num",        "omp_get_num_threads",
    "omp_get_max_threads",       "omp_get_level",
    "omp_get_team_size",         "omp_get_ancestor_thread_num",
    "omp_get_max_active_levels", "omp_set_num_threads",
    "omp_set_max_active_levels"};

// The kinds of a program's loops, according to its imports. GCC's static loops import nothing.
struct Loops {
  bool has_runtime = false;     // schedule(runtime), in GCC's code
  bool has_dynamic = false;     // schedule(dynamic) or schedule(guided), in GCC's code
  bool has_dispatched = false;  // any of these schedules, in the code of another compiler
  bool operator==(const Loops&) const = default;
};
Loops loops_of(const ElfFile& file);

// The maker of an OpenMP runtime, according to the exports of the library.
enum class Maker { kNone, kGnu, kLlvm };
Maker maker_of(const ElfFile& library);

}  // namespace nestbind::cli::inspect
