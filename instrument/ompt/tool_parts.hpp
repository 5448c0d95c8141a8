// SPDX-License-Identifier: BSD-3-Clause
// Declares what start_tool.cpp uses of alone.cpp and second_tool.cpp, and what both of them use.
#pragma once

#include <atomic>

#include "instrument/ompt/ompt_abi.hpp"
#include "team/fork.hpp"

namespace nestbind::ompt {

// Starts the second tool, and registers our callbacks. If the tool declines, registers nothing.
bool start_second(int runtime, int device);

// Registers the callbacks for a runtime whose only tool is ours. Several calls do no harm.
void register_alone(int runtime);

inline constinit std::atomic<bool> g_league_seen{false};

// True if this parallel_begin belongs to a league. In a league LLVM's runtimes (14 and 19; not
// Intel's) report one more region for each team. This region has no return address, and
// omp_get_level does not count this region. Regions of GCC's task reductions have no return
// address, either. So the result is true only after a league was seen.
inline bool is_league(const Frame* frame, int flags, const void* code) {
  if ((flags & kParallelLeague) != 0) {
    g_league_seen.store(true, std::memory_order_relaxed);
    return true;
  }
  return code == nullptr && frame != nullptr && frame->enter_frame.ptr == nullptr &&
         g_league_seen.load(std::memory_order_relaxed);
}

inline void initial_task(const omp::Calls& calls, int endpoint, int number) {
  if (endpoint == kScopeBegin) {
    team::initial_task_begin(calls, number);
  } else {
    team::initial_task_end(calls, number);
  }
}

// `team` is null if the fork was not reported.
inline void begin_member(const omp::Calls& calls, team::Team* team, int number, int size) {
  if (team != nullptr) {
    team::member_begin(team, number, size);
  } else {
    team::member_of_unknown(calls);
  }
}

}  // namespace nestbind::ompt
