// SPDX-License-Identifier: BSD-3-Clause
// Fake OpenMP runtimes in this process. Each runtime has its own omp_* functions, which return the
// calling thread's settings, its level, and the thread numbers and team sizes on its path. A member
// gets the settings of the thread that forks. At the end of the region a thread gets its old
// settings back.
#pragma once

#include <functional>
#include <vector>

#include "omp/calls.hpp"

namespace fake {

inline constexpr int kRuntimes = 3;

// Returns the functions of the runtime with this number, which is less than kRuntimes.
const nestbind::omp::Calls& calls(int runtime);

// The calling thread's state in a runtime.
struct Step {
  int number;
  int size;
};
struct Thread {
  std::vector<Step> path;  // outermost first
  int next_size = 7;       // a setting; the value of OMP_NUM_THREADS in fresh processes
  int max_active_levels = 1;
};
Thread& self(int runtime);

// Where the members' threads come from.
enum class Members {
  kNew,   // created for the region, as libgomp does in inner teams
  kKept,  // from a pool for all regions, as LLVM's runtime does
};

// Forks a team of the runtime. If `size` is 0, the settings give the size. The team has one thread
// if the settings allow no further active level. Each thread runs `member` with its number. Returns
// after all threads have ended.
using Member = std::function<void(int number, int size)>;
void run_team(int runtime, Members members, int size, const Member& member);

// Runs `work` on a new thread of the program, and waits for its end.
void on_new_thread(const std::function<void()>& work);

}  // namespace fake
