// SPDX-License-Identifier: BSD-3-Clause
// NESTBIND_TRACE=FILE: what happened, in order, for whoever develops nestbind or asks why a thread
// is where it is. One line an event: seconds, thread, number of the event, its numbers, its text.
// `nestbind trace FILE` puts it into words, which are not here.
#pragma once

#include <atomic>

namespace nestbind::process {

// Numbers stand in files: new ones come last.
enum class Traced {
  kBegins,      // process; text: the specification
  kActs,        // source, reason (omp/sources.hpp)
  kStandsBack,  // source, reason
  kRuntime,     // text: the file of a runtime that has started
  kFork,        // level of the team, address of the code
  kPlaced,      // the kernel's number of the thread; text: its path, a blank, its processors
  kLeft,        // level, number
  kRefused,     // level, number: the system has refused to bind
  kRegion       // address of the code, the same as its file counts; text: that file's name
};

extern std::atomic<bool> g_traced;
inline bool is_traced() { return g_traced.load(std::memory_order_relaxed); }

// Begins to write to this file, behind what is in it. Returns null, or why it cannot be opened.
const char* begin_trace(const char* file);

// text: null is as empty. Keeps errno.
void write_trace(Traced event, long first, long second, long third, const char* text);

inline void trace(Traced event, long first = 0, long second = 0, long third = 0,
                  const char* text = "") {
  if (is_traced()) {
    write_trace(event, first, second, third, text);
  }
}

}  // namespace nestbind::process
