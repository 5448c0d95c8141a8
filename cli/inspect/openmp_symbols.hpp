// SPDX-License-Identifier: BSD-3-Clause
// What a program's symbols say: how it forks its teams, which kinds of loops it has, and who could
// see them.
#pragma once

#include <string>
#include <string_view>

#include "cli/inspect/elf.hpp"

namespace nestbind::cli::inspect {

// What is to be read of programs and libraries for the questions below.
bool is_openmp_symbol(std::string_view name);

// Whether a symbol is a function of OpenMP's or OpenACC's runtime in GCC's ABI, by its name.
bool is_openmp_function(std::string_view name);

// Whether it loads libraries by itself, or starts programs: by the functions that it imports.
bool starts_others(const ElfFile& file);

enum class Uses { kNo, kImports, kDefines };

Uses uses_gomp(const ElfFile& file);   // GOMP_parallel and its family: GCC's code
Uses uses_kmpc(const ElfFile& file);   // __kmpc_fork_call: Clang's, Intel's and Flang's code
Uses uses_pomp(const ElfFile& file);   // pomp_parallel_begin: instrumented by OPARI 1
Uses uses_pomp2(const ElfFile& file);  // POMP2_Parallel_begin: instrumented by OPARI2

// What POMP asks of a runtime that nothing else tells of (lib/preload/omp/calls.hpp).
inline constexpr const char* kAskedByPomp[] = {
    "omp_get_thread_num",        "omp_get_num_threads",
    "omp_get_max_threads",       "omp_get_level",
    "omp_get_team_size",         "omp_get_ancestor_thread_num",
    "omp_get_max_active_levels", "omp_set_num_threads",
    "omp_set_max_active_levels"};

// Which kinds of loops a program has, by the functions that it imports for them. Static loops of
// GCC's import nothing.
struct Loops {
  bool has_runtime = false;     // schedule(runtime), in GCC's code
  bool has_dynamic = false;     // schedule(dynamic) or schedule(guided), likewise
  bool has_dispatched = false;  // any of these in Clang's, Flang's or Intel's: one entry for all
  bool operator==(const Loops&) const = default;
};
Loops loops_of(const ElfFile& file);

// A function by which members of a team get the iterations of a loop, ordered ones left out.
bool is_loop_symbol(std::string_view name);

// Who has made the OpenMP runtime that a library is: by what it exports, not by its name, since
// libomp may stand in the place of libgomp.so.1, and wheels bring renamed copies.
enum class Maker { kNone, kGnu, kLlvm };
Maker maker_of(const ElfFile& library);

}  // namespace nestbind::cli::inspect
