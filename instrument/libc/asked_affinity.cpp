// SPDX-License-Identifier: BSD-3-Clause
// What a thread is told that asks the C library for its own mask.
//
// The thread that forks keeps its slot between regions, where many a program counts by its mask how
// many processors there are: it is told the process's then. In a region the kernel's answer is
// right, as it always is about other threads. libgomp counts so everywhere, for omp_get_num_procs()
// and for the sizes of dynamic teams.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "interpose/module.hpp"
#include "interpose/next_function.hpp"
#include "placement/outside.hpp"
#include "process/original_mask.hpp"

using namespace nestbind;

namespace {

// Whether the code at an address is a libgomp's, also of a renamed copy: by its file's name.
bool is_gomp(const void* code) {
  const char* file = interpose::module_file(code);
  return file != nullptr && strncmp(file, "libgomp", 7) == 0;
}

// Behind the kernel's answer, on a thread that has asked for itself. Another mask than ours was set
// by somebody, and is told.
void answer(std::size_t size, cpu_set_t* cpus, const void* caller) {
  const mask::CpuMask told{size, reinterpret_cast<const unsigned long*>(cpus)};
  if (!binding::self_is_bound() || !mask::is_same(told, binding::bound_mask()) ||
      !(placement::is_outside_regions() || is_gomp(caller))) {
    return;
  }
  // For the size of a dynamic team, at every fork: without changing the thread's mask.
  const bool forks = binding::t_thread.expected_parent != nullptr;
  mask::MaskBuffer now;
  if (!forks && binding::read_process_mask(now)) {
    mask::write_as_kernel(now.view(), cpus, size);
  } else {
    process::read_original_mask(cpus, size);
  }
}

bool is_self(pid_t thread) { return thread == 0 || thread == gettid(); }

auto* next_get() { return NESTBIND_NEXT(sched_getaffinity); }

}  // namespace

NESTBIND_INTERPOSE int sched_getaffinity(pid_t thread, size_t size, cpu_set_t* cpus) noexcept {
  const int result = next_get()(thread, size, cpus);
  if (result == 0 && binding::self_is_bound() && is_self(thread)) {
    answer(size, cpus, __builtin_return_address(0));
  }
  return result;
}

// About itself, a thread asks without the number that the C library has for it: in a child of
// clone, or of the kernel's own fork, that is still its parent's, and so would be the mask.
NESTBIND_INTERPOSE int pthread_getaffinity_np(pthread_t thread, size_t size,
                                              cpu_set_t* cpus) noexcept {
  if (pthread_equal(thread, pthread_self()) == 0) {
    return NESTBIND_NEXT(pthread_getaffinity_np)(thread, size, cpus);
  }
  const int before = errno;
  const int error = next_get()(0, size, cpus) == 0 ? 0 : errno;
  errno = before;
  if (error == 0) {
    answer(size, cpus, __builtin_return_address(0));
  }
  return error;
}
