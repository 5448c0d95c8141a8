// SPDX-License-Identifier: BSD-3-Clause
// The OpenMP runtimes with OMPT. A process may have several (libomp and libiomp5, a wheel's copy).
// A callback does not say which runtime calls. So each runtime has a number, and its own callbacks.
#pragma once

#include <array>
#include <atomic>
#include <utility>

#include "instrument/ompt/ompt_abi.hpp"
#include "omp/calls.hpp"

namespace nestbind::ompt {

inline constexpr int kMaxRuntimes = 4;

struct Runtime {
  StartToolResult result;    // what ompt_start_tool returned to the runtime
  StartToolResult* next;     // the answer of a second tool, or null
  Lookup lookup;             // the runtime's own function
  SetCallback set_callback;  // the runtime's own function
  omp::Calls calls;
  std::array<Function, kEvents> second;  // the second tool's callbacks
  std::atomic<bool> started;             // whether all above is set and we are its only tool
};

extern constinit std::array<Runtime, kMaxRuntimes> g_runtimes;

// Finds omp_* functions in the runtime's module, and keeps the module loaded. If a function is
// missing, returns false, with undefined `calls`. A program with a static runtime may export none.
bool find_omp_calls(Lookup lookup, omp::Calls& calls);

// Warns once if the runtime does not report this event. result: from ompt_set_callback.
void warn_if_refused(Event event, int result);

// Returns a table with a function for each runtime: make_table(f)[r] is the result of f(number<r>).
template <typename Make>
constexpr auto make_table(Make make) {
  return [make]<int... R>(std::integer_sequence<int, R...>) {
    return std::array{make(std::integral_constant<int, R>{})...};
  }(std::make_integer_sequence<int, kMaxRuntimes>{});
}

}  // namespace nestbind::ompt
