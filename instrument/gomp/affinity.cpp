// SPDX-License-Identifier: BSD-3-Clause
// libgomp and the mask of the initial thread. Its constructor narrows it, before ours runs, where
// OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY is set; and it counts the processors of
// omp_get_num_procs() and of dynamic teams by the calling thread's mask, which we narrow.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

#include "interpose/next_function.hpp"
#include "runtime/fork.hpp"

namespace {

constinit nestbind::NextFunction<int(pthread_t, size_t, const cpu_set_t*)> g_set{
    "pthread_setaffinity_np"};
constinit nestbind::NextFunction<int(pthread_t, size_t, cpu_set_t*)> g_get{
    "pthread_getaffinity_np"};

__attribute__((constructor)) void begin() { nestbind::find_early(g_set, g_get); }

// Whether the code at an address is a libgomp's, also of a renamed copy: it has the symbol of a
// fork.
bool is_gomp(const void* code) {
  Dl_info info;
  link_map* map = nullptr;
  if (dladdr1(code, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
      map == nullptr) {
    return false;
  }
  const char* slash = strrchr(map->l_name, '/');
  return strncmp(slash == nullptr ? map->l_name : slash + 1, "libgomp", 7) == 0;
}

}  // namespace

NESTBIND_INTERPOSE int pthread_setaffinity_np(pthread_t thread, size_t size,
                                              const cpu_set_t* cpus) noexcept {
  nestbind::runtime::learn_process_mask();
  nestbind::runtime::thread_changed();
  return g_set.get()(thread, size, cpus);
}

NESTBIND_INTERPOSE int pthread_getaffinity_np(pthread_t thread, size_t size,
                                              cpu_set_t* cpus) noexcept {
  if (pthread_equal(thread, pthread_self()) != 0 && nestbind::runtime::self_is_bound() &&
      is_gomp(__builtin_return_address(0)) && nestbind::runtime::read_process_mask(cpus, size)) {
    return 0;
  }
  return g_get.get()(thread, size, cpus);
}
