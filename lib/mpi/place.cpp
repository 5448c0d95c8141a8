// SPDX-License-Identifier: BSD-3-Clause
// The only C++ here, because the planner's interface is C++. It needs no C++ library.
#include "mpi/place.h"

#include <dlfcn.h>
#include <limits.h>
#include <nestbind/nestbind.h>
#include <string.h>

#include "planner/planner_ranks.hpp"

extern "C" void nestbind_tell(const char* format, ...);

namespace {

using nestbind::RanksApi;

// The planner is beside this library.
const RanksApi* find_planner() {
  Dl_info own{};
  char name[PATH_MAX] = "";
  if (dladdr(reinterpret_cast<void*>(&nestbind_place), &own) != 0 &&
      strlen(own.dli_fname) + sizeof nestbind::kPlannerFile < sizeof name) {
    memcpy(name, own.dli_fname, strlen(own.dli_fname) + 1);
    char* const slash = strrchr(name, '/');
    memcpy(slash == nullptr ? name : slash + 1, nestbind::kPlannerFile,
           sizeof nestbind::kPlannerFile);
  }
  void* const planner = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const void* const api = planner == nullptr ? nullptr : dlsym(planner, nestbind::kRanksSymbol);
  if (api == nullptr) {
    const char* const why = dlerror();
    nestbind_tell("warning: %s cannot be loaded, so no ranks are reordered: %.500s",
                  nestbind::kPlannerFile, why == nullptr ? name : why);
  }
  return static_cast<const RanksApi*>(api);
}

// Calls are collective, or of one thread at a time, but Cart_map may be called by several threads.
const RanksApi* planner() {
  static const RanksApi* const* found = nullptr;
  static const RanksApi* api = nullptr;
  if (__atomic_load_n(&found, __ATOMIC_ACQUIRE) == nullptr) {
    const RanksApi* const one = find_planner();
    __atomic_store_n(&api, one, __ATOMIC_RELAXED);
    __atomic_store_n(&found, &api, __ATOMIC_RELEASE);
  }
  return __atomic_load_n(&api, __ATOMIC_RELAXED);
}

int highest(const int* node, int ranks) {
  int most = 0;
  for (int i = 0; i < ranks; ++i) {
    most = node[i] > most ? node[i] : most;
  }
  return most;
}

}  // namespace

int nestbind_place(const Pattern* pattern, const int* node, char* const* path, int* process,
                   Gain* gain) {
  const int nodes = highest(node, pattern->ranks) + 1;
  const RanksApi* const api = nodes < 2 ? nullptr : planner();
  if (api == nullptr) {
    return 0;
  }
  nestbind::PlannerMessage message{};
  nestbind::PlannerGain gained{};
  const int error =
      api->map_ranks({pattern->ranks, nodes, node, path, pattern->dims, pattern->lengths,
                      pattern->is_periodic, pattern->begin, pattern->other, pattern->bytes},
                     process, gained, message);
  if (error != NESTBIND_OK) {
    nestbind_tell("warning: no ranks are reordered: %.1000s", message.text);
  }
  *gain = {gained.bytes_before, gained.bytes, nodes};
  return error == NESTBIND_OK &&
         (gained.bytes < gained.bytes_before || gained.hop_bytes < gained.hop_bytes_before);
}
