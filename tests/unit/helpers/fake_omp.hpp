// SPDX-License-Identifier: BSD-3-Clause
// OpenMP runtimes of this process. Each has its own omp_* functions, whose answers are the calling
// thread's: the numbers and sizes on its path, and its settings, which a member has from the thread
// that forks, and a region's end takes back.
#pragma once

#include <functional>
#include <vector>

#include "omp/calls.hpp"

namespace fake {

inline constexpr int kRuntimes = 3;

// The functions of the runtime with this number, below kRuntimes.
const nestbind::omp::Calls& calls(int runtime);

// What the calling thread is in a runtime.
struct Step {
  int number;
  int size;
};
struct Thread {
  std::vector<Step> path;  // outermost first
  int next_size = 7;  // settings: nobody's specification, but OMP_NUM_THREADS of fresh processes
  int max_active_levels = 1;
};
Thread& self(int runtime);

// Whose threads the members are.
enum class Members {
  kNew,   // created for the region, as libgomp's in inner teams
  kKept,  // of a pool that all regions share, as LLVM's
};

// A fork as the runtime makes it. size 0: as the settings say; one thread where no more levels may
// be active. `member` runs on each, with its own number. Returns when all have ended.
using Member = std::function<void(int number, int size)>;
void run_team(int runtime, Members members, int size, const Member& member);

// Runs this on a thread of the program's own, and waits.
void on_new_thread(const std::function<void()>& work);

}  // namespace fake
