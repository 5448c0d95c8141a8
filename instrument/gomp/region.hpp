// SPDX-License-Identifier: BSD-3-Clause
// At a fork through libgomp the runtime runs our function, which runs the program's function. A
// repeated fork writes nothing, so members find the data in their caches.
#pragma once

#include "instrument/gomp/forked_loop.hpp"
#include "instrument/gomp/gomp_runtime.hpp"
#include "omp/runtime_affinity.hpp"
#include "placement/placed_forks.hpp"
#include "placement/region_rules.hpp"
#include "team/fork.hpp"

namespace nestbind::gomp {

// Drops libgomp's lines of OMP_DISPLAY_AFFINITY, and lets the members print their own lines
// (parallel.cpp). libgomp would print all lines of a team at the fork, before the members are
// bound.
void keep_lines_back(const Runtime& runtime);
void keep_no_more();

inline void fork_begins(const Runtime& runtime) {
  if (runtime.is_gnu && omp::displays_affinity(true)) {
    keep_lines_back(runtime);
  }
}

inline void fork_is_done() {
  if (omp::some_lines_are_taken()) {
    keep_no_more();
  }
}

// Returns null if there is no memory. `threads` is 0 if there is no num_threads clause.
inline team::Team* begin_region(const Runtime& runtime, Outlined function, void* data,
                                unsigned threads, const ForkedLoop* loop) {
  const unsigned asked =
      threads > 0 ? threads : static_cast<unsigned>(runtime.calls.get_max_threads());
  team::Team* team = placement::fork_again(runtime.calls, asked);
  if (team == nullptr) {
    team = team::fork_begin(runtime.calls, reinterpret_cast<const void*>(function), threads);
  } else if (placement::needs_workers(*team)) {
    placement::expect_workers(*team);
  }
  if (team != nullptr) {
    team::write_if_other(team->function, function);
    team::write_if_other(team->data, data);
    team::write_if_other(team->loop, static_cast<const void*>(loop));
    fork_begins(runtime);
  }
  return team;
}

inline unsigned size_of(const team::Team& team, unsigned threads) {
  return team.sized > 0 ? team.sized : threads;
}

// Notes a region's function, because the tool interface reports the region without its function.
inline void note_function(Outlined function) {
  if (placement::has_region_rules()) {
    placement::note_region(reinterpret_cast<const void*>(function));
  }
}

// The forking thread reports its end after the runtime's fork returns, because explicit tasks may
// still run at the region's last barrier. The end of a worker is not reported: it only waits for
// the next region (team/fork.hpp).
inline void begin_member(team::Team& team) {
  fork_is_done();
  const omp::Calls& calls = *team.runtime;
  const int number = calls.get_thread_num();
  const int size = calls.get_num_threads();
  if (!placement::begin_again(team, number, size)) {
    team::member_begin(&team, number, size);
  }
  t_loop = {nullptr, static_cast<const ForkedLoop*>(team.loop)};
}

// Called on the forking thread after the runtime's fork has returned.
inline void end_region(team::Team& team) {
  if (!placement::end_again(team, 0)) {
    team::member_end(&team, 0);
  }
}

inline void run_member(void* data) {
  team::Team& team = *static_cast<team::Team*>(data);
  const Outlined function = team.function;
  void* const own = team.data;
  begin_member(team);
  function(own);
  t_loop.forked = nullptr;
}

// A combined parallel loop whose fork `ompt/` reports.
struct LoopFork {
  void* first_word;
  Outlined function;
  void* data;
  ForkedLoop loop;
};

inline void run_with_loop(void* data) {
  const LoopFork& fork = *static_cast<LoopFork*>(data);
  t_loop = {nullptr, &fork.loop};
  fork.function(fork.data);
  t_loop.forked = nullptr;
}

}  // namespace nestbind::gomp
