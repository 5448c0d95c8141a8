// SPDX-License-Identifier: BSD-3-Clause
// What the fake runtime library (fake_library.cpp) tells of itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fake {

// What the runtime has got with the last fork.
struct LastFork {
  std::string entry;
  void (*function)(void*) = nullptr;
  void* data = nullptr;
  unsigned threads = 0;
  unsigned flags = 0;
  std::vector<long> others;
};
const LastFork& last_fork();

// What the runtime has been told of loops and barriers since this was asked last, by all threads:
// the entry, without GOMP_, and its numbers. Its own loops are run by member 0 alone, at once; its
// barriers do not wait.
std::vector<std::string> loop_calls();

// Runs this in each fork, where libgomp would create the workers; null: nothing.
void before_workers(std::function<void()> action);

}  // namespace fake
