// SPDX-License-Identifier: BSD-3-Clause
// Masks that others than we set; and libgomp and the mask of the initial thread. Its constructor
// narrows it, before ours runs, where OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY is set; and it
// counts the processors of omp_get_num_procs() and of dynamic teams by the calling thread's mask,
// which we narrow.
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "binding/kernel_mask.hpp"
#include "instrument/libc/changes.hpp"
#include "interpose/module.hpp"
#include "interpose/next_function.hpp"
#include "process/original_mask.hpp"

namespace {

// Whether the code at an address is a libgomp's, also of a renamed copy: by its file's name.
bool is_gomp(const void* code) {
  const char* name = nestbind::interpose::module_name(code);
  const char* slash = name == nullptr ? nullptr : strrchr(name, '/');
  return name != nullptr && strncmp(slash == nullptr ? name : slash + 1, "libgomp", 7) == 0;
}

}  // namespace

NESTBIND_INTERPOSE int pthread_setaffinity_np(pthread_t thread, size_t size,
                                              const cpu_set_t* cpus) noexcept {
  nestbind::process::learn_original_mask();
  const bool by_runtime = nestbind::placement::runtime_sets_mask(__builtin_return_address(0));
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

NESTBIND_INTERPOSE int pthread_getaffinity_np(pthread_t thread, size_t size,
                                              cpu_set_t* cpus) noexcept {
  if (pthread_equal(thread, pthread_self()) != 0 && nestbind::binding::self_is_bound() &&
      is_gomp(__builtin_return_address(0)) && nestbind::process::read_original_mask(cpus, size)) {
    return 0;
  }
  return NESTBIND_NEXT(pthread_getaffinity_np)(thread, size, cpus);
}
