// SPDX-License-Identifier: BSD-3-Clause
// What a runtime tells of its threads' processors and places. It knows only where it has bound them
// itself.
#pragma once

#include <atomic>
#include <cstddef>

#include "mask/cpu_mask.hpp"
#include "omp/calls.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::omp {

// OpenMP's functions with these names, for C; null what an older runtime has not.
struct AffinityCalls {
  std::size_t (*get_format)(char* buffer, std::size_t size);
  std::size_t (*capture)(char* buffer, std::size_t size, const char* format);
  void (*display)(const char* format);
  int (*get_num_places)();
  int (*get_place_num_procs)(int place);
  void (*get_place_proc_ids)(int place, int* processors);
  int (*get_place_num)();
  int (*get_partition_num_places)();
  void (*get_partition_place_nums)(int* places);
  bool is_llvm;
};

// Those of a runtime. Asks the loader, the first time.
const AffinityCalls& affinity_calls(const Calls& runtime);

// Whether OMP_DISPLAY_AFFINITY asks for a line of each thread whose affinity is new: GCC's runtime
// takes one word for yes, LLVM's several. Known when something is specified: the settings are read,
// then note_display() is called.
void note_display();
extern bool g_gnu_displays __attribute__((visibility("hidden")));
extern bool g_llvm_displays __attribute__((visibility("hidden")));
inline bool displays_affinity(bool is_gnu) { return is_gnu ? g_gnu_displays : g_llvm_displays; }

// A runtime prints these lines before anybody hears of the threads, and so before they are bound.
// A source that has kept its runtime from it takes the lines over: the members print them.
void take_lines(const Calls& runtime);
bool lines_are_taken(const Calls& runtime);

// Of any runtime; read inline by every member.
extern std::atomic<bool> g_lines_taken __attribute__((visibility("hidden")));
inline bool some_lines_are_taken() { return g_lines_taken.load(std::memory_order_relaxed); }

// The lines of a runtime could not be kept back: says once that they are not true.
void tell_false_lines();

// Adds an affinity format (OpenMP 5.0, 6.4) to `text`, with a list of these processors in place of
// each field for the thread's affinity, as wide as the field. What is no such field stays as it is,
// also what a runtime will object to.
//
// pairs_are_ranges: "0-1", as GCC's runtime writes, and not "0,1", as LLVM's.
void add_format(const char* format, const mask::CpuMask& cpus, bool pairs_are_ranges,
                support::TextBuffer& text);

}  // namespace nestbind::omp
