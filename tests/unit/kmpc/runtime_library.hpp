// SPDX-License-Identifier: BSD-3-Clause
// Records the calls that reach the runtime through our entry points.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fake_kmpc {

struct Call {
  std::string name;  // without __kmpc_
  std::int32_t schedule = 0;
  std::vector<std::int64_t> numbers;  // first, last, step, chunk
};

// Returns all calls since the last call of this function, in order. Only one thread may use this
// function.
std::vector<Call> calls();

}  // namespace fake_kmpc
