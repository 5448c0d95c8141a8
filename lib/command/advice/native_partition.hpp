// SPDX-License-Identifier: BSD-3-Clause
// Where the OpenMP runtimes put threads by themselves: OMP_PROC_BIND over a list of places, at
// every level. OpenMP 5.2 (10.1.3) leaves open how a partition is rounded, which part a thread that
// is left over gets, and where a partition begins; GCC's and LLVM's runtimes differ there. Written
// after the behaviour of libgomp 12 and of LLVM's runtime 19, and compared with them by tests.
#pragma once

#include <vector>

namespace nestbind::advice {

enum class Runtime { kGnu, kLlvm };

// A word of OMP_PROC_BIND.
enum class Bind { kPrimary, kClose, kSpread };

// What a thread has of the list: its own place, and the places from `first` to `last` that its
// teams are put on; where last < first it goes on at the list's beginning.
struct Held {
  int place = 0;
  int first = 0;
  int last = 0;
  bool operator==(const Held&) const = default;
};

// What the members of a team have that a thread forks, the thread itself first. places: in the
// whole list, at least 1. threads: at least 1.
std::vector<Held> members(Runtime runtime, int places, const Held& primary, int threads, Bind bind);

// The indices of the places of the deepest teams' members, in path order, for teams of the same
// size at each level. binds: of the levels, the outermost first; the last word is that of deeper
// levels too. Neither list is empty.
std::vector<int> places_of(Runtime runtime, int places, const std::vector<int>& sizes,
                           const std::vector<Bind>& binds);

}  // namespace nestbind::advice
