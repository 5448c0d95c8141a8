// SPDX-License-Identifier: BSD-3-Clause
// Hooks for calls by which a thread reads its own mask. Between regions the forking thread stays
// bound, but many programs count processors by this mask. So we answer with the process's mask.
// Inside a region the kernel answers. But libgomp always gets the process's mask, for example for
// omp_get_num_procs().
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "binding/kernel_mask.hpp"
#include "interpose/module.hpp"
#include "interpose/next_function.hpp"
#include "placement/expected_workers.hpp"
#include "places/place.hpp"
#include "support/errno_kept.hpp"

using namespace nestbind;

namespace {

bool is_gomp(const void* code) {
  const char* file = interpose::module_file(code);
  return file != nullptr && strncmp(file, "libgomp", 7) == 0;
}

auto* next_get() { return NESTBIND_NEXT(sched_getaffinity); }

bool ask_kernel(std::size_t size, mask::MaskBuffer& mask) {
  const support::ErrnoKept errno_kept;
  mask = {};
  return next_get()(0, std::min(size, sizeof mask.bits), reinterpret_cast<cpu_set_t*>(mask.bits)) ==
         0;
}

// True if we answer with the process's mask. `mask` is then this mask.
bool is_told_other(std::size_t size, const void* caller, mask::MaskBuffer& mask) {
  if (!binding::self_is_bound() || !(placement::is_outside_regions() || is_gomp(caller)) ||
      !ask_kernel(size, mask) || !mask::is_same(mask.view(), binding::bound_mask())) {
    return false;
  }
  // libgomp reads the mask at each fork of a dynamic team. At a fork the thread must keep its mask,
  // but read_process_mask() changes the mask for a moment.
  const bool forks = placement::is_forking();
  return (!forks && binding::read_process_mask(mask)) ||
         mask::write_as_kernel(binding::free_mask(), mask.bits, sizeof mask.bits);
}

// Writes into `cpus` only the final answer, because libgomp's threads share one buffer.
bool answer(std::size_t size, cpu_set_t* cpus, const void* caller) {
  mask::MaskBuffer told;
  return cpus != nullptr && is_told_other(size, caller, told) &&
         mask::write_as_kernel(told.view(), cpus, size);
}

bool is_self(pid_t thread) { return thread == 0 || thread == gettid(); }

}  // namespace

NESTBIND_INTERPOSE int sched_getaffinity(pid_t thread, size_t size, cpu_set_t* cpus) noexcept {
  if (binding::self_is_bound() && is_self(thread) &&
      answer(size, cpus, __builtin_return_address(0))) {
    return 0;
  }
  return next_get()(thread, size, cpus);
}

NESTBIND_INTERPOSE int pthread_getaffinity_np(pthread_t thread, size_t size,
                                              cpu_set_t* cpus) noexcept {
  if (pthread_equal(thread, pthread_self()) != 0 &&
      answer(size, cpus, __builtin_return_address(0))) {
    return 0;
  }
  return NESTBIND_NEXT(pthread_getaffinity_np)(thread, size, cpus);
}
