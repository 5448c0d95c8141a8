// SPDX-License-Identifier: BSD-3-Clause
#include "placement/runtime_names.hpp"

#include <string.h>

#include "interpose/imports.hpp"
#include "interpose/module.hpp"
#include "interpose/redirect.hpp"
#include "process/message.hpp"

namespace nestbind::placement {

namespace {

constexpr char kGccFork[] = "GOMP_parallel";
constexpr char kLlvmFork[] = "__kmpc_fork_call";

bool begins_with(const char* name, const char* prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

// ompt_start_tool is not hidden: LLVM's runtime searches for it once, when it starts.
bool is_of_runtime(const char* name) {
  return begins_with(name, "GOMP_") || begins_with(name, "__kmpc_") ||
         (begins_with(name, "omp_") && strstr(name, "nesting_info") == nullptr);
}

}  // namespace

void hide_runtime_names() {
  const char* self = interpose::module_name(reinterpret_cast<const void*>(&hide_runtime_names));
  const bool is_library = self != nullptr && self[0] != '\0';
  // A program that is linked with nestbind may load libraries first, and set a specification later.
  if (is_library && !interpose::is_defined_elsewhere(kGccFork) &&
      !interpose::is_defined_elsewhere(kLlvmFork) && !interpose::is_needed("libnestbind.so")) {
    interpose::hide_exports(is_of_runtime);
  }
}

void show_runtime_names() {
  if (interpose::show_exports() &&
      interpose::is_imported(
          kGccFork, interpose::module_range(reinterpret_cast<uintptr_t>(&show_runtime_names)))) {
    process::say(
        process::Severity::kWarning,
        "libraries that were loaded with GCC's OpenMP runtime before the first specification are "
        "not bound; set OMP_NESTING_TEAM_SIZE=off before the program starts");
  }
}

}  // namespace nestbind::placement
