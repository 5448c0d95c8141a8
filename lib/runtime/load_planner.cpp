// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/load_planner.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace nestbind::runtime {

namespace {

constinit char g_planner_path[PATH_MAX] = "";

// AddressSanitizer ends a program that loads anything with RTLD_DEEPBIND.
bool sanitizer_is_loaded() {
  return dlsym(RTLD_DEFAULT, "__asan_init") != nullptr ||
         dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr ||
         dlsym(RTLD_DEFAULT, "__msan_init") != nullptr;
}

}  // namespace

void find_planner() {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&find_planner), &self) == 0 || self.dli_fname == nullptr) {
    return;
  }
  char name[PATH_MAX];
  if (realpath(self.dli_fname, name) == nullptr) {
    return;
  }
  const char* slash = strrchr(name, '/');
  const int folder = slash == nullptr ? 0 : static_cast<int>(slash - name);
  const int length = snprintf(g_planner_path, sizeof g_planner_path, "%.*s/%s/%s", folder, name,
                              NESTBIND_PLANNER_SUBDIR, kPlannerFile);
  if (length < 0 || length >= static_cast<int>(sizeof g_planner_path)) {
    g_planner_path[0] = '\0';
  }
}

const PlannerApi* load_planner(PlannerMessage& message) {
  if (g_planner_path[0] == '\0') {
    snprintf(message.text, sizeof message.text, "the place of libnestbind.so is not known");
    return nullptr;
  }
  // Its own symbols and its own hwloc first, so that a program's other hwloc stays apart.
  const int apart = sanitizer_is_loaded() ? 0 : RTLD_DEEPBIND;
  void* handle = dlopen(g_planner_path, RTLD_NOW | RTLD_LOCAL | apart);
  void* api = handle == nullptr ? nullptr : dlsym(handle, kPlannerSymbol);
  if (api == nullptr) {
    const char* why = dlerror();
    snprintf(message.text, sizeof message.text, "%.500s", why == nullptr ? g_planner_path : why);
  }
  return static_cast<const PlannerApi*>(api);
}

}  // namespace nestbind::runtime
