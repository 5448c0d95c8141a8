// SPDX-License-Identifier: BSD-3-Clause
// The rules for single regions (NESTBIND_RULES), and which region has which rule.
#pragma once

#include <atomic>
#include <cstdint>

#include "omp/calls.hpp"
#include "rules/region_rules.hpp"

namespace nestbind::placement {

struct PlanInForce;

struct RegionRule {
  rules::Rule text;
  // A rule of the user may name several places in the code. Then it stands on several lines, one
  // behind the other. This is the first of them, which identifies the rule.
  const RegionRule* first = nullptr;
  // The plan of this rule for outermost teams, in this division (places/plans.hpp), or 0.
  mutable std::atomic<PlanInForce*> plan{nullptr};
  mutable std::atomic<unsigned> division{0};
  bool is_for_every() const { return text.where.kind == rules::Where::Kind::kEvery; }
};

// If the file is faulty, prints a message and returns false.
bool read_region_rules();

extern std::atomic<bool> g_has_region_rules __attribute__((visibility("hidden")));
extern std::atomic<std::uintptr_t> g_modules_closed __attribute__((visibility("hidden")));
// This variable has an assembler name, because code in assembly uses it.
extern constinit thread_local const void* t_noted_region __asm__("nestbind_noted_region")
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
inline bool has_region_rules() { return g_has_region_rules.load(std::memory_order_relaxed); }

// Returns a key of the region. The key depends on closed modules, because a later module may reuse
// the code's address.
inline std::uintptr_t region_of(const omp::Calls& runtime, const void* code) {
  const void* const noted = t_noted_region;
  const std::uintptr_t closed = g_modules_closed.load(std::memory_order_relaxed);
  if (runtime.tells_functions) {
    return reinterpret_cast<std::uintptr_t>(code) + closed;
  }
  t_noted_region = nullptr;
  // `code` is a return address. The instruction there may belong to another function.
  return (noted != nullptr ? reinterpret_cast<std::uintptr_t>(noted)
                           : reinterpret_cast<std::uintptr_t>(code) - 1) +
         closed;
}

const void* code_of(std::uintptr_t region);

const RegionRule* rule_of_region(const omp::Calls& runtime, std::uintptr_t region);

// Called on the forking thread before nestbind searches the rule of a new region. May be null.
extern std::atomic<void (*)(const omp::Calls& runtime, const void* code)> g_when_new_code
    __attribute__((visibility("hidden")));

// Notes the outlined function of the region that the thread is about to fork. The runtime reports
// only the return address of the call. After a tail call this address is in another function.
inline void note_region(const void* function) { t_noted_region = function; }

}  // namespace nestbind::placement
