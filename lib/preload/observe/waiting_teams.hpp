// SPDX-License-Identifier: BSD-3-Clause
// Teams that observers have been told of, until they are reported: any thread adds, one takes all.
// And their order: that of a tree, whatever the order in which they forked.
#pragma once

#include <atomic>

#include "observe/observer.hpp"

namespace nestbind::observe {

// A team in a list. What it was copied with lies behind it, in one piece of memory.
struct ToldTeam {
  PlacedTeam team;
  ToldTeam* next = nullptr;
};

// Null without memory. Its masks, plans and specification are not copied: they stay where they are
// until the process ends.
ToldTeam* copy_of(const PlacedTeam& team);

// Gives back what copy_of made.
void free_all(ToldTeam* first);

// Puts a list in order: root threads by their numbers; of one, a team before the inner ones that
// its members fork, these by their primary threads' numbers; of one primary thread the smaller team
// first, with all inside it; of one size that with the lesser specification, then the one that
// stood first. Needs no memory. Returns the new first one.
ToldTeam* in_tree_order(ToldTeam* first);

// Constant-initialised. No call waits for another, so that they may come in signal handlers.
class WaitingTeams {
 public:
  bool has_some() const { return latest_.load(std::memory_order_relaxed) != nullptr; }
  // Of all waiting teams together; may lag behind.
  long members() const { return members_.load(std::memory_order_relaxed); }
  // Whether some wait, and none has come for so many milliseconds. Where none waits, one load.
  bool are_quiet(long milliseconds) const;

  // Takes the team over.
  void add(ToldTeam& team);
  // All of them, the first one first; null: none, or this process borrows another's memory (vfork).
  ToldTeam* take();
  // They are another process's.
  void forget();

 private:
  std::atomic<ToldTeam*> latest_{nullptr};
  std::atomic<long> members_{0};
  std::atomic<long> changed_{0};  // when the latest one came, in milliseconds
  std::atomic<int> process_{0};   // that has added it
};

}  // namespace nestbind::observe
