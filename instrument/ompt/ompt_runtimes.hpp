// SPDX-License-Identifier: BSD-3-Clause
// The OpenMP runtimes with OMPT in this process. A process can have several (libomp and libiomp5, a
// Python wheel's own copy); OMPT's callbacks do not say whose they are, so that each runtime has a
// number, and callbacks of its own that are made for this number.
#pragma once

#include <array>
#include <atomic>
#include <utility>

#include "instrument/ompt/ompt_abi.hpp"
#include "omp/calls.hpp"

namespace nestbind::ompt {

inline constexpr int kMaxRuntimes = 4;

struct Runtime {
  StartToolResult result;    // what the runtime was given by ompt_start_tool
  StartToolResult* next;     // a second tool that wants to be started too; null: none
  Lookup lookup;             // the runtime's own
  SetCallback set_callback;  // likewise
  omp::Calls calls;
  std::array<Function, kEvents> second;  // the second tool's callbacks
  std::atomic<bool> started;             // all above is in place, and `alone` callbacks are wanted
};

extern constinit std::array<Runtime, kMaxRuntimes> g_runtimes;

// Finds the omp_* functions of the runtime that `lookup` belongs to, in its own module, and keeps
// that module loaded from then on. Returns false, with `calls` undefined, where they cannot be
// reached: a runtime that is linked statically into a program which does not export them.
bool find_omp_calls(Lookup lookup, omp::Calls& calls);

// Warns, once in the process, where ompt_set_callback has returned that the runtime does not call
// what we have set for an event.
void warn_if_refused(Event event, int result);

// One function for each runtime: make_table(f)[r], where f(number<r>) gives the function of r.
template <typename Make>
constexpr auto make_table(Make make) {
  return [make]<int... R>(std::integer_sequence<int, R...>) {
    return std::array{make(std::integral_constant<int, R>{})...};
  }(std::make_integer_sequence<int, kMaxRuntimes>{});
}

}  // namespace nestbind::ompt
