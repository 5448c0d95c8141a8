// SPDX-License-Identifier: BSD-3-Clause
// How much can be known of a process's memory here, and what an administrator could do about it.
// Pure.
#pragma once

#include <string>

namespace nestbind::memory {

enum class MeasurementLevel {
  kPages,    // where pages are
  kTouches,  // and who touched them first
  kHints     // and who uses them: the kernel's NUMA hint faults
};

struct Circumstances {
  int nodes = 1;
  bool is_balanced = false;  // kernel.numa_balancing is on
  int refusal = 0;           // of perf_event_open: an error number; 0: none
  long paranoid = 2;         // kernel.perf_event_paranoid
};

MeasurementLevel measurement_level(const Circumstances& here);

// "pages", "touches" or "hints".
const char* name(MeasurementLevel level);

// One line without an end: what is known, and what would be needed for more.
std::string line_of(const Circumstances& here);

}  // namespace nestbind::memory
