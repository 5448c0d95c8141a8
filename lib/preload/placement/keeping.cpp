// SPDX-License-Identifier: BSD-3-Clause
// Whether workers of inner teams are kept, and how they wait.
#include "placement/keeping.hpp"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <initializer_list>

#include "options/settings.hpp"
#include "process/original_mask.hpp"
#include "workers/census.hpp"
#include "workers/ending.hpp"
#include "workers/pools.hpp"

namespace nestbind::placement {

namespace {

// Sanitizers and valgrind follow each thread from its creation to its end: what one does in its
// second region looks to them like a race with the first.
bool is_followed() {
  for (const char* symbol : {"__asan_init", "__tsan_init", "__msan_init", "__hwasan_init"}) {
    if (dlsym(RTLD_DEFAULT, symbol) != nullptr) {
      return true;
    }
  }
  const char* preloads = getenv("LD_PRELOAD");
  return preloads != nullptr && strstr(preloads, "/vgpreload_") != nullptr;
}

bool policy_is(const char* word) {
  const char* policy = getenv("OMP_WAIT_POLICY");
  return policy != nullptr && strcasecmp(policy, word) == 0;
}

// About a millisecond, as libgomp waits between the regions of the outermost team; or about as long
// as it takes to wake a thread on another processor.
unsigned patience() {
  constexpr unsigned kUsual = 20000;
  constexpr unsigned kPassive = 2500;
  const char* spins = getenv("GOMP_SPINCOUNT");
  if (spins != nullptr && strcmp(spins, "0") == 0) {
    return 0;
  }
  return policy_is("passive") ? kPassive : kUsual;
}

}  // namespace

void decide_on_workers() {
  if (options::settings().keep_workers && !is_followed()) {
    workers::watch_primaries();
    workers::end_all_at_exit();
    workers::keep_workers({.processors = mask::count(process::original_mask()),
                           .patience = patience(),
                           .spins_on = policy_is("active")});
  }
}

void end_idle_workers() { workers::end_idle(); }

}  // namespace nestbind::placement
