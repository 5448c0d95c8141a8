// SPDX-License-Identifier: BSD-3-Clause
// Records which thread is in which team. There is one tree for each root thread, which forks from
// outside of all regions. A member forks teams, and a team has members.
#pragma once

#include <atomic>
#include <cstdint>

#include "omp/calls.hpp"

namespace nestbind::placement {
struct Place;
struct Planned;
}  // namespace nestbind::placement
namespace nestbind::worksharing {
struct Member;
struct Shared;
}  // namespace nestbind::worksharing
namespace nestbind::workers {
struct Pool;
}

namespace nestbind::team {

struct Team;

// Only the member's own thread writes this record after the team was made. Invariants:
//   team == nullptr  <=>  the member is a root, or g_nowhere
//   team != nullptr  =>   this == team->members + number
struct alignas(64) Member {
  Team* team = nullptr;  // its team; written when the team is made
  Team* told = nullptr;  // the team that its source passed to member_begin
  int number = 0;
  Team* teams = nullptr;                       // teams that it forks, the latest first
  Team* forked = nullptr;                      // its latest fork, for team_by_path()
  const placement::Place* place = nullptr;     // its planned place, or null without a plan
  const placement::Place* hands_on = nullptr;  // the place to plan its next team from, or null
  worksharing::Member* loops = nullptr;        // null if its loops are not shared
};

// The rule of the team's present region. The forking thread writes this record before the fork.
struct Ruled {
  const placement::Place* place = nullptr;  // the rule's place, or null without a rule
  unsigned asked = 0;
  // The runtime's earlier settings. If the rule keeps a setting, the value is 0.
  int threads_before = 0;
  int levels_before = 0;
  bool lost_place = false;
};

// The record of a team that one member forks. The member keeps the record for its next fork of the
// same size. The forking thread writes the record before the fork. Invariants:
//   members == nullptr  <=>  size == 0: no member has reported the team's real size yet
//   members != nullptr  =>   `size` members: members[i].team == this, members[i].number == i
struct alignas(64) Team {
  enum class Kind : unsigned char { kTeam, kLeague, kUnseen };

  // The source sets this word. libgomp reads a team's first word if a region has task reductions.
  void* first_word = nullptr;
  void (*function)(void*) = nullptr;
  void* data = nullptr;
  const void* loop = nullptr;  // the loop of a combined parallel loop

  Member* from = nullptr;  // the member that forks it; null for g_nowhere
  const omp::Calls* runtime = nullptr;
  Member* members = nullptr;
  Team* next = nullptr;
  // Another team that has the granted size, or null; see resolve().
  std::atomic<Team*> granted{nullptr};

  // Written by the consumers.
  const placement::Place* parent = nullptr;  // the team is planned from this place (from->hands_on)
  const placement::Planned* planned = nullptr;  // places of its last fork (places/team_places.hpp)
  const placement::Place* again = nullptr;  // its members' places if a fork of the same size from
                                            // the same place may take the short way, or null
  worksharing::Shared* shared = nullptr;
  workers::Pool* pool = nullptr;  // the pool of its workers, or null if the workers are new threads
  int created = 0;

  int size = 0;
  int asked = 0;       // the size that opens this team, or 0
  int ready = 0;       // the present fork's size, or 0 if resolve() must find it
  unsigned sized = 0;  // the size that a region's rule sets, or 0
  Kind kind = Kind::kTeam;
  bool is_forking = false;  // between the fork and the beginning of member 0
  bool is_open = false;     // from the beginning of member 0 to its end
  bool puts_back = false;   // after the region, something in `ruled` must be restored
  int tasks = 0;            // initial tasks of a league that have begun and not ended
  Ruled ruled;
};

struct Here {
  Member* member;          // null if not known
  Member* root;            // root of the thread's tree, or null
  const omp::Calls* told;  // runtime of its latest reported region, or null
  bool is_ending;          // the thread has left its runtime, and is in no region any more
};
extern constinit thread_local Here t_here __attribute__((tls_model("initial-exec")));

// Threads share this member if there is no memory for their own members. The member is never
// written.
extern Member g_nowhere;

// Returns the calling thread's member or, outside of regions, its root.
Member& find_here();
inline Member& here() { return t_here.member != nullptr ? *t_here.member : find_here(); }

inline bool is_inside() { return t_here.member != nullptr && t_here.member->team != nullptr; }

inline bool is_same(const omp::Calls& one, const omp::Calls& other) {
  return one.get_num_threads == other.get_num_threads;
}

// True if nestbind knows that the calling thread is in no region of this runtime. Then do not ask
// the runtime about the team, because libgomp frees the team after a worker's region.
inline bool is_known_outside(const omp::Calls& runtime) {
  return !is_inside() &&
         (t_here.is_ending || (t_here.told != nullptr && is_same(*t_here.told, runtime)));
}

template <typename Value>
void write_if_other(Value& variable, Value value) {
  if (variable != value) {
    variable = value;
  }
}

}  // namespace nestbind::team
