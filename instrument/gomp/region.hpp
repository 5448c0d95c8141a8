// SPDX-License-Identifier: BSD-3-Clause
// A fork on its way through libgomp: the runtime runs our function, which runs the program's. What
// that needs is kept in the team, so that a fork which repeats the last one writes nothing, and its
// members need not fetch what they read.
#pragma once

#include "instrument/gomp/gomp_display.hpp"
#include "instrument/gomp/gomp_runtime.hpp"
#include "instrument/gomp/here.hpp"
#include "placement/region_rules.hpp"
#include "team/fork.hpp"

namespace nestbind::gomp {

// threads: of the num_threads clause; 0: none. loop: that is one with the fork; null: none. Null
// without memory.
inline team::Team* begin_region(const Runtime& runtime, Outlined function, void* data,
                                unsigned threads, const ForkedLoop* loop) {
  team::Team* const team =
      team::fork_begin(runtime.calls, reinterpret_cast<const void*>(function), threads);
  if (team != nullptr) {
    team::write_if_other(team->function, function);
    team::write_if_other(team->data, data);
    team::write_if_other(team->loop, static_cast<const void*>(loop));
    fork_begins(runtime);
  }
  return team;
}

// How many threads the runtime is asked for; threads: of the clause, which wins over a rule's size.
inline unsigned size_of(const team::Team& team, unsigned threads) {
  return team.sized > 0 ? team.sized : threads;
}

// The tool interface tells of this region, and not which one it is.
inline void note_function(Outlined function) {
  if (placement::has_region_rules()) {
    placement::note_region(reinterpret_cast<const void*>(function));
  }
}

// The members still run explicit tasks in the last barrier: the encountering thread's end is
// reported after it, when the fork returns; a worker does nothing between that barrier and its next
// region but these, or ends.
inline void begin_member(team::Team& team) {
  fork_is_done();
  const omp::Calls& calls = *team.runtime;
  team::member_begin(&team, calls.get_thread_num(), calls.get_num_threads());
  t_loop = {nullptr, static_cast<const ForkedLoop*>(team.loop)};
}

// What each member runs in place of the outlined function, with its team.
inline void run_member(void* data) {
  team::Team& team = *static_cast<team::Team*>(data);
  const Outlined function = team.function;
  void* const own = team.data;
  begin_member(team);
  function(own);
  t_loop.forked = nullptr;
}

// A fork that is one with its loop, where the runtime's tool interface tells of it.
struct LoopFork {
  void* first_word;
  Outlined function;
  void* data;
  ForkedLoop loop;
};

// What each member runs then, with the LoopFork.
inline void run_with_loop(void* data) {
  const LoopFork& fork = *static_cast<LoopFork*>(data);
  t_loop = {nullptr, &fork.loop};
  fork.function(fork.data);
  t_loop.forked = nullptr;
}

}  // namespace nestbind::gomp
