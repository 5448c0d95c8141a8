// SPDX-License-Identifier: BSD-3-Clause
// Regions and loops of a fake runtime, for lib/preload/worksharing.
#pragma once

#include <barrier>
#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "helpers/fake_omp.hpp"
#include "team/fork.hpp"
#include "worksharing/loop.hpp"

namespace fake {

class Region {
 public:
  explicit Region(int size) : barrier_(size) {}
  void barrier() {
    barrier_.arrive_and_wait();
    nestbind::worksharing::pass_barrier(calls(0));
  }
  // Waits for all members, and reports no barrier.
  void meet() { barrier_.arrive_and_wait(); }

 private:
  std::barrier<> barrier_;
};

inline void region(int size, const std::function<void(int number, Region& region)>& body) {
  namespace team = nestbind::team;
  self(0).max_active_levels = 3;
  team::Team* const told = team::fork_begin(calls(0), nullptr, static_cast<unsigned>(size));
  Region shared(size);
  run_team(0, Members::kKept, size, [&](int number, int granted) {
    team::member_begin(told, number, granted);
    body(number, shared);
    team::member_end(told, number);
  });
}

// Runs a loop, and returns whether nestbind shared it out.
inline bool is_shared(nestbind::worksharing::LoopKind kind, std::uintptr_t address = 1) {
  namespace worksharing = nestbind::worksharing;
  const bool is_ours = worksharing::begin(
      {.numbers = worksharing::half_open(0L, 100L, 1L, true), .kind = kind, .address = address},
      calls(0));
  nestbind::loops::Range range;
  while (is_ours && worksharing::next(range) != nullptr) {
  }
  CHECK(worksharing::end() == is_ours);
  return is_ours;
}

}  // namespace fake
