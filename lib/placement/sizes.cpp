// SPDX-License-Identifier: BSD-3-Clause
#include "placement/sizes.hpp"

#include <unistd.h>

#include "binding/kernel_mask.hpp"
#include "interpose/module.hpp"
#include "omp/runtimes.hpp"
#include "placement/owner.hpp"
#include "placement/plans.hpp"
#include "placement/start.hpp"
#include "process/trace.hpp"

namespace nestbind::placement {

void runtime_starts() {
  start();
  binding::unbind_self();
}

void runtime_started(const omp::Calls& runtime) {
  start();
  omp::note_started(runtime);
  if (process::is_traced()) {
    const char* file = interpose::module_name(reinterpret_cast<const void*>(runtime.get_level));
    process::trace(process::Traced::kRuntime, 0, 0, 0, file);
  }
  if (PlanInForce* plan = plan_in_force()) {
    set_root_sizes(runtime, plan);
  }
}

bool sizes_before_fork(const omp::Calls& runtime) {
  start();
  const binding::Thread& thread = binding::t_thread;
  PlanInForce* plan = plan_in_force();
  if (plan == nullptr || thread.place != nullptr || thread.chose_size ||
      has_sizes(thread, runtime, plan) || gettid() != getpid() || runtime.get_level() > 0) {
    return false;
  }
  set_root_sizes(runtime, plan);
  return true;
}

void program_chose_size() { binding::t_thread.chose_size = true; }

}  // namespace nestbind::placement
