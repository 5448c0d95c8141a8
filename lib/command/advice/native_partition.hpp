// SPDX-License-Identifier: BSD-3-Clause
// The places that OpenMP runtimes themselves give to threads: OMP_PROC_BIND over a list of places,
// at each level. OpenMP 5.2 (10.1.3) does not define how partitions are rounded, which part a
// remaining thread gets, and where a partition begins; GCC's and LLVM's runtimes differ there.
// Follows libgomp 12 and LLVM's runtime 19; tests compare it with both.
#pragma once

#include <vector>

namespace nestbind::advice {

enum class Runtime { kGnu, kLlvm };

// A word of OMP_PROC_BIND.
enum class Bind { kPrimary, kClose, kSpread };

// A thread's share of the list: its own place, and the places `first` to `last` for its teams. If
// last < first, the share continues at the list's beginning.
struct Held {
  int place = 0;
  int first = 0;
  int last = 0;
  bool operator==(const Held&) const = default;
};

// The shares of a team's members, the forking thread first. places: number of places in the whole
// list. places and threads are at least 1.
std::vector<Held> members(Runtime runtime, int places, const Held& primary, int threads, Bind bind);

// Indices of the places of the deepest teams' members, in path order; at each level all teams have
// one size. binds: for each level, the outermost first; the last word also holds for deeper levels.
// Neither list is empty.
std::vector<int> places_of(Runtime runtime, int places, const std::vector<int>& sizes,
                           const std::vector<Bind>& binds);

}  // namespace nestbind::advice
