// SPDX-License-Identifier: BSD-3-Clause
// Teams that wait to be reported. All threads may add teams. The thread that reports takes all
// teams at once.
#pragma once

#include <atomic>

#include "observe/observer.hpp"

namespace nestbind::observe {

// The copied arrays are in the same allocation, after this object.
struct ToldTeam {
  PlacedTeam team;
  ToldTeam* next = nullptr;
};

// Returns a copy that the caller owns, or null if there is no memory. Masks, plans and the
// specification are not copied, because they are never freed.
ToldTeam* copy_of(const PlacedTeam& team);

void free_all(ToldTeam* first);

// Sorts a list, first by the numbers of the root threads. Below one root, a team comes before the
// inner teams that its members fork. Inner teams are sorted by the numbers of their primary
// threads. If a primary thread has forked several teams, the smallest team is first. Teams of equal
// size are sorted by specification. The order of other teams does not change.
ToldTeam* in_tree_order(ToldTeam* first);

// Takes no lock, so signal handlers may call these functions.
class WaitingTeams {
 public:
  bool has_some() const { return latest_.load(std::memory_order_relaxed) != nullptr; }
  // Other threads may change this number at any time.
  long members() const { return members_.load(std::memory_order_relaxed); }
  bool are_quiet(long milliseconds) const;

  // Adds a team, and owns it from now on.
  void add(ToldTeam& team);
  // Removes and returns all teams in order. Returns null if there are none, or in a vfork child.
  ToldTeam* take();
  void forget();

 private:
  std::atomic<ToldTeam*> latest_{nullptr};
  std::atomic<long> members_{0};
  std::atomic<long> changed_{0};  // when the latest team was added, in milliseconds
  std::atomic<int> process_{0};
};

}  // namespace nestbind::observe
