// SPDX-License-Identifier: BSD-3-Clause
// Shows which calls the fake runtime library (fake_library.cpp) has received.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fake {

struct LastFork {
  std::string entry;
  void (*function)(void*) = nullptr;
  void* data = nullptr;
  unsigned threads = 0;
  unsigned flags = 0;
  std::vector<long> others;
};
const LastFork& last_fork();

// Returns the calls of loops and barriers since the last call of this function, such as
// "loop_nonmonotonic_dynamic_start 3 20 2 5". If the fake runtime divides a loop, member 0 gets all
// iterations. The fake runtime's barriers do not wait.
std::vector<std::string> loop_calls();

// Runs `action` in each fork, where libgomp creates the workers. `action` may be null.
void before_workers(std::function<void()> action);

}  // namespace fake
