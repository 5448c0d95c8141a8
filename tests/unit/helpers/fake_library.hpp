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

// Returns the calls of loops and barriers since the last call of this function. A text has the
// entry point's name, without GOMP_, and the numbers in its arguments. Member 0 gets all iterations
// of a loop that the fake runtime divides. The fake runtime's barriers do not wait.
std::vector<std::string> loop_calls();

// Runs `action` in each fork, where libgomp creates the workers. `action` may be null.
void before_workers(std::function<void()> action);

}  // namespace fake
