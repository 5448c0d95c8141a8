// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/load_planner.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

namespace nestbind::runtime {

namespace {

// AddressSanitizer ends a program that loads anything with RTLD_DEEPBIND.
bool sanitizer_is_loaded() {
  return dlsym(RTLD_DEFAULT, "__asan_init") != nullptr ||
         dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr ||
         dlsym(RTLD_DEFAULT, "__msan_init") != nullptr;
}

}  // namespace

const PlannerApi* load_planner(PlannerMessage& message) {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&load_planner), &self) == 0 || self.dli_fname == nullptr) {
    snprintf(message.text, sizeof message.text, "the place of libnestbind.so is not known");
    return nullptr;
  }
  const char* slash = strrchr(self.dli_fname, '/');
  const int folder = slash == nullptr ? 0 : static_cast<int>(slash - self.dli_fname) + 1;
  char name[PATH_MAX];
  const int length = snprintf(name, sizeof name, "%.*s%s/%s", folder, self.dli_fname,
                              NESTBIND_PLANNER_SUBDIR, kPlannerFile);
  if (length < 0 || length >= static_cast<int>(sizeof name)) {
    snprintf(message.text, sizeof message.text, "the path of %s is too long", kPlannerFile);
    return nullptr;
  }
  // Its own symbols and its own hwloc first, so that a program's other hwloc stays apart.
  const int apart = sanitizer_is_loaded() ? 0 : RTLD_DEEPBIND;
  void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL | apart);
  void* api = handle == nullptr ? nullptr : dlsym(handle, kPlannerSymbol);
  if (api == nullptr) {
    const char* why = dlerror();
    snprintf(message.text, sizeof message.text, "%.500s", why == nullptr ? name : why);
  }
  return static_cast<const PlannerApi*>(api);
}

}  // namespace nestbind::runtime
