// SPDX-License-Identifier: BSD-3-Clause
// The processors and places that a runtime reports for threads. A runtime knows only the bindings
// that it has set itself.
#pragma once

#include <atomic>
#include <cstddef>

#include "mask/cpu_mask.hpp"
#include "omp/calls.hpp"
#include "support/text_writer.hpp"

namespace nestbind::omp {

// A pointer is null if the runtime is too old for the function.
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

// The first call for a runtime asks the loader.
const AffinityCalls& affinity_calls(const Calls& runtime);

// Call this after the settings are read. GCC's runtime accepts fewer words for "yes" in
// OMP_DISPLAY_AFFINITY than LLVM's runtime.
void note_display();
extern bool g_gnu_displays __attribute__((visibility("hidden")));
extern bool g_llvm_displays __attribute__((visibility("hidden")));
inline bool displays_affinity(bool is_gnu) { return is_gnu ? g_gnu_displays : g_llvm_displays; }

// A source calls take_lines() if it suppresses the runtime's affinity lines. The runtime would
// print these lines before nestbind binds the threads.
void take_lines(const Calls& runtime);
bool lines_are_taken(const Calls& runtime);

extern std::atomic<bool> g_lines_taken __attribute__((visibility("hidden")));
inline bool some_lines_are_taken() { return g_lines_taken.load(std::memory_order_relaxed); }

void tell_false_lines();

// Adds an affinity format (OpenMP 5.0, 6.4) to `text`. Replaces each field for the thread's
// affinity by a list of `cpus`, padded to the field's width.
//
// If `pairs_are_ranges` is true, writes two neighbours as "0-1", as GCC's runtime does. Otherwise
// writes "0,1", as LLVM's runtime does.
void add_format(const char* format, const mask::CpuMask& cpus, bool pairs_are_ranges,
                support::TextBuffer& text);

// `format` is a format, or null or empty for the runtime's own one. Returns false if the runtime is
// too old to have one.
bool add_format(const Calls& runtime, const char* format, const mask::CpuMask& cpus,
                support::TextBuffer& text);

// Adds the processors of all places of the runtime.
void add_places(const Calls& runtime, mask::MaskBuffer& cpus);

// Returns the first of the runtime's places that contains all processors of `mask`, or -1.
int place_of(const Calls& runtime, const mask::CpuMask& mask);

}  // namespace nestbind::omp
