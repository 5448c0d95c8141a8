// SPDX-License-Identifier: BSD-3-Clause
// The rules for single regions (NESTBIND_RULES), and which one a region has.
#pragma once

#include <atomic>
#include <cstdint>

#include "omp/calls.hpp"
#include "rules/region_rules.hpp"

namespace nestbind::placement {

struct RegionRule {
  rules::Rule text;
  const RegionRule* alike = nullptr;  // the first with this specification: their plans are the same
  bool is_for_every() const { return text.where.kind == rules::Where::Kind::kEvery; }
};

// Reads the file, once. Returns false, and has said why, where it is no file of rules: there are
// none then.
bool read_region_rules();

// Whether there are some. True only after they have been read.
extern std::atomic<bool> g_has_region_rules __attribute__((visibility("hidden")));
extern std::atomic<std::uintptr_t> g_modules_closed __attribute__((visibility("hidden")));
// Has a name for code in assembly.
extern constinit thread_local const void* t_noted_region __asm__("nestbind_noted_region")
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
inline bool has_region_rules() { return g_has_region_rules.load(std::memory_order_relaxed); }

// The region that the calling thread forks: an address in its code, and how often modules have been
// closed, for others may come to their addresses; 0: not known. code: as team::fork_begin is told.
inline std::uintptr_t region_of(const omp::Calls& runtime, const void* code) {
  const void* const noted = t_noted_region;
  const std::uintptr_t closed = g_modules_closed.load(std::memory_order_relaxed);
  if (runtime.tells_functions) {
    return reinterpret_cast<std::uintptr_t>(code) + closed;
  }
  t_noted_region = nullptr;
  // What is after the call may be another's.
  return (noted != nullptr ? reinterpret_cast<std::uintptr_t>(noted)
                           : reinterpret_cast<std::uintptr_t>(code) - 1) +
         closed;
}

// The code of a region.
const void* code_of(std::uintptr_t region);

// The rule of a region; null: none has it. The first look for one asks the loader.
const RegionRule* rule_of_region(const omp::Calls& runtime, std::uintptr_t region);

// Called once for each region that is looked for, on the thread that forks; null: by nobody.
extern std::atomic<void (*)(const omp::Calls& runtime, const void* code)> g_when_new_code
    __attribute__((visibility("hidden")));

// Called on a thread that forks, whenever a rule has changed settings of a runtime that are to be
// put back after the region (team_sizes.hpp); null: by nobody.
extern std::atomic<void (*)(const omp::Calls& runtime)> g_when_size_is_set
    __attribute__((visibility("hidden")));

// The calling thread is about to fork the region of this outlined function, by a runtime that will
// tell only what its call returns to: of a tail call that is somebody else's code.
inline void note_region(const void* function) { t_noted_region = function; }

}  // namespace nestbind::placement
