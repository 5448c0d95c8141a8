// SPDX-License-Identifier: BSD-3-Clause
// The OpenMP runtimes with OMPT. A process may contain both libomp and libiomp5. The parameters of
// a callback do not name the runtime. So each runtime has a number, and its own callbacks.
#pragma once

#include <array>
#include <atomic>
#include <utility>

#include "instrument/ompt/ompt_abi.hpp"
#include "omp/calls.hpp"

namespace nestbind::ompt {

inline constexpr int kMaxRuntimes = 4;

struct Runtime {
  StartToolResult result;
  StartToolResult* next;  // the answer of a second tool, or null
  Lookup lookup;
  SetCallback set_callback;
  omp::Calls calls;
  std::array<Function, kEvents> second;
  std::atomic<bool> started;  // True if all above is set, and we are the only tool.
};

extern constinit std::array<Runtime, kMaxRuntimes> g_runtimes;

// If a function is missing, returns false. Then `calls` is undefined.
bool find_omp_calls(Lookup lookup, omp::Calls& calls);

void warn_if_refused(Event event, int result);

template <typename Make>
constexpr auto make_table(Make make) {
  return [make]<int... R>(std::integer_sequence<int, R...>) {
    return std::array{make(std::integral_constant<int, R>{})...};
  }(std::make_integer_sequence<int, kMaxRuntimes>{});
}

}  // namespace nestbind::ompt
