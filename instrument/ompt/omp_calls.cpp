// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/ompt/omp_calls.hpp"

#include <dlfcn.h>
#include <link.h>

namespace nestbind::ompt {

namespace {

bool find_in_module_of(const void* address, runtime::OmpCalls& omp) {
  Dl_info info;
  link_map* map = nullptr;
  if (address == nullptr ||
      dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) {
    return false;
  }
  // Never closed: the functions have to stay where they are. The program itself has no name.
  void* module = dlopen(map->l_name[0] != '\0' ? map->l_name : nullptr, RTLD_LAZY | RTLD_NOLOAD);
  return module != nullptr &&
         runtime::find_omp_calls(omp, [&](const char* name) { return dlsym(module, name); });
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
