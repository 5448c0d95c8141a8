// SPDX-License-Identifier: BSD-3-Clause
// Computes which places OpenMP runtimes give to threads. OpenMP 5.2 (10.1.3) does not define how
// partitions are rounded, which part a remaining thread gets, and where a partition begins. GCC's
// and LLVM's runtimes differ in these points. The model follows libgomp 12 and LLVM's runtime 19,
// as tests check.
#pragma once

#include <vector>

namespace nestbind::advice {

enum class Runtime { kGnu, kLlvm };

enum class Bind { kPrimary, kClose, kSpread };

// A thread's place in the list of places, and its place partition: the places `first` to `last`. If
// last < first, the partition continues at the list's beginning.
struct Held {
  int place = 0;
  int first = 0;
  int last = 0;
  bool operator==(const Held&) const = default;
};

// Returns the places and partitions of a team's members, the primary thread first. places: number
// of places in the whole list. places and threads are at least 1.
std::vector<Held> members(Runtime runtime, int places, const Held& primary, int threads, Bind bind);

// All teams of a level have the same size. binds: a word for each level, the outermost first.
// Deeper levels use the last word. `sizes` and `binds` are not empty.
std::vector<int> places_of(Runtime runtime, int places, const std::vector<int>& sizes,
                           const std::vector<Bind>& binds);

}  // namespace nestbind::advice
