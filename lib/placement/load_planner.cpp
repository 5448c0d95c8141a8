// SPDX-License-Identifier: BSD-3-Clause
#include "placement/load_planner.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process/original_files.hpp"

namespace nestbind::placement {

namespace {

constinit char g_planner_path[PATH_MAX] = "";

}  // namespace

void find_planner() {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&find_planner), &self) == 0 || self.dli_fname == nullptr) {
    return;
  }
  // The loader's name is relative where its search path was.
  char as_loaded[PATH_MAX];
  char name[PATH_MAX];
  if (!process::make_absolute(self.dli_fname, as_loaded, sizeof as_loaded) ||
      realpath(as_loaded, name) == nullptr) {
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

const PlannerApi* load_planner(const PlannerOptions& options, PlannerMessage& message) {
  if (g_planner_path[0] == '\0') {
    snprintf(message.text, sizeof message.text, "the place of libnestbind.so is not known");
    return nullptr;
  }
  void* handle = dlopen(g_planner_path, RTLD_NOW | RTLD_LOCAL);
  const auto* api =
      static_cast<const PlannerApi*>(handle == nullptr ? nullptr : dlsym(handle, kPlannerSymbol));
  if (api == nullptr) {
    const char* why = dlerror();
    snprintf(message.text, sizeof message.text, "%.500s", why == nullptr ? g_planner_path : why);
    return nullptr;
  }
  api->find_machine(options);
  return api;
}

}  // namespace nestbind::placement
