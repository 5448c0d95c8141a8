// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/module.hpp"

#include <stddef.h>
#include <string.h>

#include "interpose/dynamic.hpp"
#include "interpose/next_function.hpp"
#include "support/glibc.hpp"

namespace nestbind::interpose {

namespace {

struct ModuleSearch {
  uintptr_t inside;
  ModuleRange found;
};

int measure(dl_phdr_info* info, size_t, void* memory) {
  auto* search = static_cast<ModuleSearch*>(memory);
  const ModuleRange range = range_of(*info);
  if (!range.has(search->inside)) {
    return 0;
  }
  search->found = range;
  return 1;
}

}  // namespace

ModuleRange module_range(uintptr_t inside) {
  ModuleSearch search{inside, {}};
  dl_iterate_phdr(measure, &search);
  return search.found;
}

const char* module_name(const void* inside) {
  Dl_info info;
  link_map* map = nullptr;
  return !support::is_glibc() ||
                 dladdr1(inside, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
                 map == nullptr
             ? nullptr
             : map->l_name;
}

const char* module_file(const void* inside) {
  const char* name = module_name(inside);
  const char* slash = name == nullptr ? nullptr : strrchr(name, '/');
  return slash == nullptr ? name : slash + 1;
}

void* open_module(const void* inside, int flags) {
  const char* name = module_name(inside);
  return name == nullptr
             ? nullptr
             : dlopen(name[0] == '\0' ? nullptr : name, RTLD_LAZY | RTLD_NOLOAD | flags);
}

int close_module(void* handle) { return NESTBIND_NEXT(dlclose)(handle); }

}  // namespace nestbind::interpose
