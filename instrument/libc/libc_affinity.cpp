// SPDX-License-Identifier: BSD-3-Clause
// Hooks for masks that a program or runtime sets. If OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY
// is set, libgomp's constructor narrows the mask of the thread that loads it. At the start of a
// process this constructor runs before ours, and the library undoes it. A library that is loaded
// later does not narrow its thread while nestbind places the program's threads.
#include <pthread.h>
#include <sched.h>

#include "instrument/libc/followed_changes.hpp"
#include "interpose/next_function.hpp"
#include "process/original_mask.hpp"

NESTBIND_INTERPOSE int pthread_setaffinity_np(pthread_t thread, size_t size,
                                              const cpu_set_t* cpus) noexcept {
  nestbind::process::learn_original_mask();
  const bool by_runtime = nestbind::placement::runtime_sets_mask(__builtin_return_address(0));
  if (by_runtime && nestbind::placement::places_instead_of_runtime()) {
    return 0;
  }
  const int error = NESTBIND_NEXT(pthread_setaffinity_np)(thread, size, cpus);
  if (error == 0) {
    nestbind::placement::note_mask_set_of(thread, by_runtime);
  }
  return nestbind::libc::changed_handle(error, thread);
}

NESTBIND_INTERPOSE int sched_setaffinity(pid_t thread, size_t size,
                                         const cpu_set_t* cpus) noexcept {
  return nestbind::libc::change_mask(
      [&] { return NESTBIND_NEXT(sched_setaffinity)(thread, size, cpus); }, thread,
      __builtin_return_address(0));
}
