// SPDX-License-Identifier: BSD-3-Clause
// Hides OMP_DISPLAY_AFFINITY while the runtime reads its variables, before it calls initialize.
// Otherwise the runtime would print the lines at a fork, before it calls a tool. A tool cannot stop
// these lines.
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

#include "instrument/ompt/tool_parts.hpp"
#include "interpose/module.hpp"
#include "omp/runtime_affinity.hpp"

namespace nestbind::ompt {

namespace {

constexpr char kName[] = "OMP_DISPLAY_AFFINITY=";
constinit char g_hidden[] = "OMP_DISPLAY_AFFINITY=FALSE";
constinit std::atomic<char*> g_shown{nullptr};

// Returns the entry for which `is_it` is true, or null. Other threads see the old or the new entry.
template <typename IsIt>
char** entry(IsIt is_it) {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (is_it(*variable)) {
      return variable;
    }
  }
  return nullptr;
}

// Whether we can find the runtime's functions. In most static runtimes we cannot find them.
bool is_reachable(const void* code) {
  void* module = interpose::open_module(code);
  if (module == nullptr) {
    return false;
  }
  const bool is_so = dlsym(module, "omp_get_level") != nullptr;
  interpose::close_module(module);
  return is_so;
}

}  // namespace

void hide_display(const void* caller) {
  if (!omp::displays_affinity(false) || !is_reachable(caller)) {
    return;
  }
  char** const variable =
      entry([](const char* text) { return strncmp(text, kName, sizeof kName - 1) == 0; });
  char* shown = nullptr;
  if (variable != nullptr && g_shown.compare_exchange_strong(shown, *variable)) {
    __atomic_store_n(variable, &g_hidden[0], __ATOMIC_RELEASE);
  }
}

bool show_display_again() {
  char* const shown = g_shown.exchange(nullptr);
  if (shown == nullptr) {
    return false;
  }
  char** const variable = entry([](const char* text) { return text == g_hidden; });
  if (variable != nullptr) {
    __atomic_store_n(variable, shown, __ATOMIC_RELEASE);
  }
  return true;
}

}  // namespace nestbind::ompt
