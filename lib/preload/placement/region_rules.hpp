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
inline bool has_region_rules() { return g_has_region_rules.load(std::memory_order_relaxed); }

// The rule of the region that the calling thread forks; null: none has it. code: as
// team::fork_begin is told. The first look for some code asks the loader.
const RegionRule* rule_of_region(const omp::Calls& runtime, const void* code);

// Called once for each code that is looked for, on the thread that forks; null: by nobody.
extern std::atomic<void (*)(const omp::Calls& runtime, const void* code)> g_when_new_code
    __attribute__((visibility("hidden")));

// The calling thread is about to fork the region of this outlined function, by a runtime that will
// tell only what its call returns to: of a tail call that is somebody else's code.
void note_region(const void* function);

}  // namespace nestbind::placement
