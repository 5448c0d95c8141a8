// SPDX-License-Identifier: BSD-3-Clause
#include "placement/load_planner.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "options/settings.hpp"
#include "process/original_files.hpp"

namespace nestbind::placement {

namespace {

constinit char g_planner_path[PATH_MAX] = "";
constinit char g_source_path[PATH_MAX] = "";  // empty if the variable names no file
constinit char g_order_path[PATH_MAX] = "";   // empty if not set, or too long for a path

}  // namespace

void find_planner() {
  if (!process::find_own_file(kPlannerFile, g_planner_path, sizeof g_planner_path)) {
    g_planner_path[0] = '\0';
  }
}

void find_source() {
  const char* given = options::settings().machine;
  if (given == nullptr || !process::make_absolute(given, g_source_path, sizeof g_source_path) ||
      access(g_source_path, F_OK) != 0) {
    g_source_path[0] = '\0';
  }
}

void find_order() {
  const char* given = options::settings().order;
  if (given == nullptr || !process::make_absolute(given, g_order_path, sizeof g_order_path)) {
    g_order_path[0] = '\0';
  }
}

const char* order() { return g_order_path[0] != '\0' ? g_order_path : options::settings().order; }

const char* source() {
  return g_source_path[0] != '\0' ? g_source_path : options::settings().machine;
}

const PlannerApi* load_planner(const PlannerOptions& options, PlannerMessage& message) {
  if (g_planner_path[0] == '\0') {
    snprintf(message.text, sizeof message.text, "the folder of libnestbind.so is not known");
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
