// SPDX-License-Identifier: BSD-3-Clause
// Which thread is in which team.
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

// Only the member's own thread uses this record, unless a field's comment says otherwise. `team` is
// null exactly for roots and for g_nowhere. Otherwise this == team->members + number, and `told` is
// not null.
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

// The record that placement keeps of a fork if there are rules for single regions.
struct Ruled {
  std::uintptr_t region = 0;                // the latest region; 0: the rule must be found again
  const placement::Place* at = nullptr;     // the thread's place at that fork
  const placement::Place* place = nullptr;  // the place for its teams, from a rule, or null
  unsigned asked = 0;
  int threads_before = 0;  // the runtime's setting before the rule's size, or 0 if unchanged
  int levels_before = 0;   // the earlier maximum of active levels, or 0 if unchanged
  bool lost_place = false;
};

// The record of a team that one member forks. The record is kept for the member's next fork that
// asks for the same size. The forking thread writes the record before the fork. Invariants:
//   members == nullptr  <=>  size == 0: the team's real size was never reported
//   members != nullptr  =>   `size` members: members[i].team == this, members[i].number == i
struct alignas(64) Team {
  enum class Kind : unsigned char { kTeam, kLeague, kUnseen };

  // A word for the source. libgomp reads the first word if a region has task reductions.
  void* first_word = nullptr;
  void (*function)(void*) = nullptr;
  void* data = nullptr;
  const void* loop = nullptr;  // the loop of a combined parallel loop

  Member* from = nullptr;  // the member that forks it; null for g_nowhere
  const omp::Calls* runtime = nullptr;
  Member* members = nullptr;
  Team* next = nullptr;
  // The team that has the granted size, if this is another team; see resolve().
  std::atomic<Team*> granted{nullptr};

  // Written by the consumers.
  const placement::Place* parent = nullptr;  // the team is planned from this place (from->hands_on)
  placement::Planned* planned = nullptr;
  worksharing::Shared* shared = nullptr;
  workers::Pool* pool = nullptr;  // the pool of its workers, or null if the workers are new threads
  int created = 0;

  int size = 0;
  int asked = 0;       // a fork that asks for this size opens this team; 0: no size
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
  Member* member;          // null if not known; also null outside of regions until the next fork
  Member* root;            // root of its own tree, or null
  const omp::Calls* told;  // runtime of its latest reported region, or null
  bool is_ending;          // the thread has left its runtime, and is in no region any more
};
extern constinit thread_local Here t_here __attribute__((tls_model("initial-exec")));

// This member is used by all threads for which there is no memory. It is never written.
extern Member g_nowhere;

// Returns the calling thread's member or, outside of regions, its root.
Member& find_here();
inline Member& here() { return t_here.member != nullptr ? *t_here.member : find_here(); }

inline bool is_inside() { return t_here.member != nullptr && t_here.member->team != nullptr; }

// Whether both are calls of the same runtime. Each source may have its own record of a runtime.
inline bool is_same(const omp::Calls& one, const omp::Calls& other) {
  return one.get_num_threads == other.get_num_threads;
}

// Whether our own record says that the calling thread is in no region of this runtime. If so, the
// runtime must not be asked about the team: libgomp frees the team after a worker's region.
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
