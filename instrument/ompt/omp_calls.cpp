// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/ompt/omp_calls.hpp"

#include <dlfcn.h>
#include <link.h>

namespace nestbind::ompt {

namespace {

template <typename F>
bool find(void* module, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(module, name));
  return function != nullptr;
}

bool find_in_module_of(const void* address, runtime::OmpCalls& omp) {
  Dl_info info;
  link_map* map = nullptr;
  if (address == nullptr ||
      dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) {
    return false;
  }
  // Never closed: the functions have to stay where they are. The program itself has no name.
  void* module = dlopen(map->l_name[0] != '\0' ? map->l_name : nullptr, RTLD_LAZY | RTLD_NOLOAD);
  return module != nullptr && find(module, "omp_get_thread_num", omp.get_thread_num) &&
         find(module, "omp_get_num_threads", omp.get_num_threads) &&
         find(module, "omp_get_max_threads", omp.get_max_threads) &&
         find(module, "omp_get_level", omp.get_level) &&
         find(module, "omp_get_ancestor_thread_num", omp.get_ancestor_thread_num) &&
         find(module, "omp_get_team_size", omp.get_team_size) &&
         find(module, "omp_get_max_active_levels", omp.get_max_active_levels) &&
         find(module, "omp_set_num_threads", omp.set_num_threads) &&
         find(module, "omp_set_max_active_levels", omp.set_max_active_levels);
}

}  // namespace

bool find_omp_calls(Lookup lookup, runtime::OmpCalls& omp) {
  // A tool that was asked before us may have put its own lookup in front of the runtime's. It hands
  // on what has no data word.
  const auto inner = reinterpret_cast<const void*>(lookup("ompt_get_unique_id"));
  return find_in_module_of(inner, omp) ||
         find_in_module_of(reinterpret_cast<const void*>(lookup), omp);
}

}  // namespace nestbind::ompt
