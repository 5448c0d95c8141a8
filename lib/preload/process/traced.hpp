// SPDX-License-Identifier: BSD-3-Clause
// Writes events to the file in NESTBIND_TRACE. Each event is one line: seconds, thread, number of
// the event, its three numbers, its text. `nestbind trace FILE` shows the events in words.
#pragma once

#include <atomic>

namespace nestbind::process {

// Files contain these numbers, so add new events at the end.
enum class Traced {
  kBegins,      // process; text: the specification
  kActs,        // source, reason (omp/sources.hpp)
  kStandsBack,  // source, reason
  kRuntime,     // text: the file of a runtime that has started
  kFork,        // level of the team, address of its code
  kPlaced,      // kernel's number of the thread; text: its path, a blank, its processors
  kLeft,        // level, number
  kRefused,     // level, number
  kRegion,      // address of the code, address in the code's file; text: the file's name
  kPlacesFull   // bytes of all places: from now on some teams are planned at each fork
};

extern std::atomic<bool> g_traced;
inline bool is_traced() { return g_traced.load(std::memory_order_relaxed); }

// Returns null, or why the file cannot be opened.
const char* begin_trace(const char* file);

void write_trace(Traced event, long first, long second, long third, const char* text);

inline void trace(Traced event, long first = 0, long second = 0, long third = 0,
                  const char* text = "") {
  if (is_traced()) {
    write_trace(event, first, second, third, text);
  }
}

}  // namespace nestbind::process
