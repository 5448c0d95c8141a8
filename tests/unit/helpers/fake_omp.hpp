// SPDX-License-Identifier: BSD-3-Clause
// OpenMP runtimes of this process. Each has its own omp_* functions. They answer for the calling
// thread: the numbers and sizes on its path, and its settings. A member gets the settings of the
// thread that forks; the end of the region restores them.
#pragma once

#include <functional>
#include <vector>

#include "omp/calls.hpp"

namespace fake {

inline constexpr int kRuntimes = 3;

// The functions of the runtime with this number, below kRuntimes.
const nestbind::omp::Calls& calls(int runtime);

// The calling thread's state in a runtime.
struct Step {
  int number;
  int size;
};
struct Thread {
  std::vector<Step> path;  // outermost first
  int next_size = 7;       // a setting; OMP_NUM_THREADS of fresh processes
  int max_active_levels = 1;
};
Thread& self(int runtime);

// Where the members' threads come from.
enum class Members {
  kNew,   // created for the region, as libgomp does in inner teams
  kKept,  // from a pool for all regions, as LLVM's runtime does
};

// A fork of the runtime. size 0: by the settings; one thread if no further level may be active.
// Each thread runs `member` with its own number. Returns after all have ended.
using Member = std::function<void(int number, int size)>;
void run_team(int runtime, Members members, int size, const Member& member);

// Runs this on a thread of the program's own, and waits for it.
void on_new_thread(const std::function<void()>& work);

}  // namespace fake
