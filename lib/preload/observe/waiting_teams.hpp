// SPDX-License-Identifier: BSD-3-Clause
// Teams that wait to be reported: any thread adds teams, and one thread takes all. Their order is
// that of a tree, whatever the order of their forks.
#pragma once

#include <atomic>

#include "observe/observer.hpp"

namespace nestbind::observe {

// A team in a list. Its copied arrays follow it in the same piece of memory.
struct ToldTeam {
  PlacedTeam team;
  ToldTeam* next = nullptr;
};

// Null without memory. Masks, plans and the specification are not copied: they stay for ever.
ToldTeam* copy_of(const PlacedTeam& team);

// Frees what copy_of made.
void free_all(ToldTeam* first);

// Sorts a list: first by the root threads' numbers. Of one root, a team comes before the inner
// teams that its members fork; inner teams are ordered by their primary threads' numbers. Of one
// primary thread, the smaller team comes first, with all teams inside it. Teams of one size are
// ordered by specification, then as before. Needs no memory. Returns the first team.
ToldTeam* in_tree_order(ToldTeam* first);

// Constant-initialised. No call waits for another, so signal handlers may make these calls.
class WaitingTeams {
 public:
  bool has_some() const { return latest_.load(std::memory_order_relaxed) != nullptr; }
  // The number of members of all waiting teams; may be out of date.
  long members() const { return members_.load(std::memory_order_relaxed); }
  // Whether teams wait, and none has come for so many milliseconds. If none waits, costs one load.
  bool are_quiet(long milliseconds) const;

  // Takes the team over.
  void add(ToldTeam& team);
  // All teams, the first one first. Null: none, or this process borrows another's memory (vfork).
  ToldTeam* take();
  // Drops the teams, which are another process's.
  void forget();

 private:
  std::atomic<ToldTeam*> latest_{nullptr};
  std::atomic<long> members_{0};
  std::atomic<long> changed_{0};  // when the latest one came, in milliseconds
  std::atomic<int> process_{0};   // the process that added it
};

}  // namespace nestbind::observe
