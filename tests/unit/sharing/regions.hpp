// SPDX-License-Identifier: BSD-3-Clause
// Regions and loops of a fake runtime, told by the doors of lib/sharing.
#pragma once

#include <barrier>
#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "helpers/fake_omp.hpp"
#include "sharing/fork.hpp"
#include "sharing/loop.hpp"

namespace fake {

// What a member may do in a region.
class Region {
 public:
  explicit Region(int size) : barrier_(size) {}
  void barrier() {
    barrier_.arrive_and_wait();
    nestbind::sharing::pass_barrier(calls(0));
  }
  // Waits as well, and tells nobody of it: for the order of the test.
  void meet() { barrier_.arrive_and_wait(); }

 private:
  std::barrier<> barrier_;
};

inline void region(int size, const std::function<void(int number, Region& region)>& body) {
  namespace sharing = nestbind::sharing;
  self(0).max_active_levels = 3;
  sharing::Team* team = sharing::fork_begin(calls(0), nullptr, size);
  Region shared(size);
  run_team(0, Members::kKept, size, [&](int number, int granted) {
    sharing::member_begin(team, number, granted);
    body(number, shared);
    sharing::member_end(team, number);
  });
}

// Whether a loop of a kind is ours here; it is run, and ended.
inline bool is_shared(nestbind::sharing::LoopKind kind, std::uintptr_t address = 1) {
  namespace sharing = nestbind::sharing;
  const bool is_ours = sharing::begin(
      {.numbers = sharing::half_open(0L, 100L, 1L, true), .kind = kind, .address = address},
      calls(0));
  nestbind::loops::Range range;
  while (is_ours && sharing::next(range) != nullptr) {
  }
  CHECK(sharing::end() == is_ours);
  return is_ours;
}

}  // namespace fake
