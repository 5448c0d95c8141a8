// SPDX-License-Identifier: BSD-3-Clause
// What the fake runtime library (fake_library.cpp) reports about itself.
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

// All calls for loops and barriers since the previous question, of all threads: the entry point,
// without GOMP_, and its numbers. The runtime's own loops are run at once by member 0 alone; its
// barriers do not wait.
std::vector<std::string> loop_calls();

// Runs this in each fork, at the point where libgomp would create the workers; null: nothing.
void before_workers(std::function<void()> action);

}  // namespace fake
