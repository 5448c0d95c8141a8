// SPDX-License-Identifier: BSD-3-Clause
// This process's rank, as its launcher reports it (lib/preload/ranks/launcher.hpp).
#pragma once

#include <atomic>

#include "mask/cpu_mask.hpp"

namespace nestbind::process {

// Returns this process's number in its MPI job, from the launcher, or null without a launcher.
const char* told_rank();

struct Part {
  int local = 0;  // the number among the ranks of the node
  int of = 0;     // the number of ranks of the node, or 0 if not known
  const char* by = "";
  const char* kind = "";  // "divided", "own mask", "shared", "alone" or "not told"
  char why[160] = "";
  mask::CpuMask cpus{};  // the machine of this process; no bits if not known
};

inline constinit std::atomic<const Part*> g_part{nullptr};

// Returns the rank's part (lib/preload/owner/rank_part.hpp), or null if none is decided yet.
inline const Part* part() { return g_part.load(std::memory_order_acquire); }

// `part` is not copied, and must stay at its address.
inline void set_part(const Part& part) { g_part.store(&part, std::memory_order_release); }

// This process is number `index` of `of` live processes of its tree, which divide the processors. 0
// processes if they do not divide.
struct TreePart {
  int index = 0;
  int of = 0;
};
inline constinit std::atomic<TreePart> g_tree_part{TreePart{}};
inline TreePart tree_part() { return g_tree_part.load(std::memory_order_relaxed); }
inline void set_tree_part(TreePart part) { g_tree_part.store(part, std::memory_order_relaxed); }

}  // namespace nestbind::process
