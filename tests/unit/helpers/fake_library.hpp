// SPDX-License-Identifier: BSD-3-Clause
// Shows which calls the fake runtime library (fake_library.cpp) has received.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fake {

// The arguments of the runtime's last fork.
struct LastFork {
  std::string entry;
  void (*function)(void*) = nullptr;
  void* data = nullptr;
  unsigned threads = 0;
  unsigned flags = 0;
  std::vector<long> others;
};
const LastFork& last_fork();

// Returns all threads' calls of loops and barriers after the previous call of this function. A text
// has the name of the entry point, without GOMP_, and the numbers in its arguments. If the fake
// runtime divides a loop itself, member 0 gets all iterations in one piece. The fake runtime's
// barriers do not wait.
std::vector<std::string> loop_calls();

// Runs `action` in each fork, at the point where libgomp would create the workers. If `action` is
// null, runs nothing.
void before_workers(std::function<void()> action);

}  // namespace fake
