// SPDX-License-Identifier: BSD-3-Clause
// What instruments tell and ask of team sizes before there is a fork.
#include <unistd.h>

#include "runtime/roots.hpp"
#include "runtime/runtimes.hpp"
#include "runtime/start.hpp"

namespace nestbind::runtime {

void runtime_started(const OmpCalls& omp) {
  start();
  note_started(omp);
  if (Plan* plan = plan_in_force()) {
    set_root_sizes(omp, plan);
  }
}

bool sizes_before_fork(const OmpCalls& omp) {
  start();
  Thread& thread = t_thread;
  Plan* plan = plan_in_force();
  if (plan == nullptr || thread.place != nullptr || thread.chose_size ||
      has_sizes(thread, omp, plan) || gettid() != getpid() || omp.get_level() > 0) {
    return false;
  }
  set_root_sizes(omp, plan);
  return true;
}

void program_chose_size() { t_thread.chose_size = true; }

}  // namespace nestbind::runtime
