// SPDX-License-Identifier: BSD-3-Clause
// Fake OpenMP runtimes in this process. Their omp_* functions return the calling thread's settings,
// levels, numbers and sizes. A member gets the settings of the thread that forks.
#pragma once

#include <functional>
#include <vector>

#include "omp/calls.hpp"

namespace fake {

inline constexpr int kRuntimes = 3;

// `runtime` is less than kRuntimes.
const nestbind::omp::Calls& calls(int runtime);

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

enum class Members {
  kNew,   // created for the region, as libgomp does in inner teams
  kKept,  // from a pool for all regions, as LLVM's runtime does
};

// If `size` is 0, the settings give the size. The team has one thread if the settings allow no
// further active level.
using Member = std::function<void(int number, int size)>;
void run_team(int runtime, Members members, int size, const Member& member);

void on_new_thread(const std::function<void()>& work);

}  // namespace fake
