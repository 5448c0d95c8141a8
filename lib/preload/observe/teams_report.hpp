// SPDX-License-Identifier: BSD-3-Clause
// Reports waiting teams as a picture, a table or JSON (NESTBIND_REPORT). own_observers.cpp decides
// when. All threads may add teams. The thread that reports takes all teams at once.
#pragma once

#include <atomic>

#include "observe/observer.hpp"
#include "process/output_file.hpp"
#include "support/text_writer.hpp"

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

void report_at_once(const PlacedTeam& team);

// If too many teams wait, reports all of them. Returns false if there is no memory.
bool report_later(const PlacedTeam& team);

// Comes after the next teams that are reported.
void report_refused(const Refused& refused);

bool some_teams_wait();

// Makes no system call.
bool waiting_teams_are_quiet(long milliseconds);

// Keeps errno.
void report_waiting_teams();

// Writes one line if tell_not_squeezed() was called.
void report_not_squeezed();

// Called in a forked child, because these teams are its parent's.
void forget_waiting_teams();

// Writes a team of the report as text, as JSON or in a picture. Only the text is allocated.

void add_team_text(const PlacedTeam& team, support::TextBuffer& text);

// `more` has further members of the object, each after a comma, or is empty.
void add_team_json(const PlacedTeam& team, const char* more, support::TextBuffer& text);

bool is_probed(const PlacedTeam& team);

// Adds a line about the teams, and the planner's picture of the machine with the teams' members. If
// there is no planner or no memory, returns false and adds nothing.
bool add_picture(const ToldTeam* first, const process::Terminal& terminal,
                 support::TextBuffer& text);

}  // namespace nestbind::observe
