// SPDX-License-Identifier: BSD-3-Clause
#include "placement/refused_team.hpp"

#include <atomic>

#include "observe/observer.hpp"

namespace nestbind::placement {

namespace {

constinit std::atomic<bool> g_is_told{false};

// The runtime counts only enclosing regions of several threads.
int active_levels(const omp::Calls& runtime) {
  int active = 0;
  for (int level = runtime.get_level(); level > 0; --level) {
    active += runtime.get_team_size(level) > 1 ? 1 : 0;
  }
  return active;
}

}  // namespace

void tell_if_refused(const team::Team& team) {
  // A runtime may have freed the enclosing teams of a thread that ends.
  if (g_is_told.load(std::memory_order_relaxed) || team::t_here.is_ending) {
    return;
  }
  const omp::Calls& runtime = *team.runtime;
  const int allowed = runtime.get_max_active_levels();
  // With fewer active levels, the reason is another one: a thread limit, or dynamic team sizes.
  if (allowed > 0 && active_levels(runtime) >= allowed &&
      !g_is_told.exchange(true, std::memory_order_relaxed)) {
    observe::tell_refused({runtime.get_level(), team.asked, allowed});
  }
}

}  // namespace nestbind::placement
