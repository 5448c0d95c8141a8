// SPDX-License-Identifier: BSD-3-Clause
// Which thread is in which team: one tree for each root thread, which forks from outside of
// regions. A member forks teams, and a team has members.
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

// A member of a team, or a root. Only the thread that is there reads and writes it, but for what
// says otherwise. Invariants:
//   team == nullptr  <=>  it is a root, or nowhere
//   team != nullptr  =>   this == team->members + number, told != nullptr
struct alignas(64) Member {
  Team* team = nullptr;    // that it is in; written when that is made
  Team* told = nullptr;    // by which the source told of its beginning
  int number = 0;          // in its team; written when that is made
  Team* teams = nullptr;   // forked from here, the latest first
  Team* forked = nullptr;  // the latest fork from here; its members find it by path
  const placement::Place* place = nullptr;  // where it is planned; null: it is not
  const placement::Place* hands_on =
      nullptr;                           // what its next team is planned from; null: it is not
  worksharing::Member* loops = nullptr;  // null: nobody wants to know of its loops
};

// What placement keeps of a fork where there are rules for single regions.
struct Ruled {
  std::uintptr_t region = 0;                // the latest one; 0: look anew
  const placement::Place* at = nullptr;     // where its thread was
  const placement::Place* place = nullptr;  // that the rule has made it hand on; null: no rule has
  unsigned asked = 0;                       // for how many threads
  int threads_before = 0;  // what the rule's size has taken the place of in the runtime; 0: nothing
  int levels_before = 0;   // likewise, of the levels that may be active
  bool lost_place = false;
};

// A team that is forked from one member. It stays for the next fork that asks for as many, until
// memory is short; its memory then becomes another team's, and is never given back. Before the fork
// the forking thread writes it; then its members read it. Invariants:
//   members == nullptr  <=>  size == 0: its real size has never been told
//   members != nullptr  =>   there are `size`, and members[i].team == this, members[i].number == i
struct alignas(64) Team {
  enum class Kind : unsigned char { kTeam, kLeague, kUnseen };  // see fork.hpp

  // What the source keeps of the region. libgomp itself reads the first word of a region's data
  // where task reductions are registered.
  void* first_word = nullptr;
  void (*function)(void*) = nullptr;
  void* data = nullptr;
  const void* loop = nullptr;  // that is one with the region

  Member* from = nullptr;  // who forks it; null for g_nowhere
  const omp::Calls* runtime = nullptr;
  Member* members = nullptr;
  Team* next = nullptr;  // of from->teams
  // The team that was granted in place of this one, for this region; see resolve.
  std::atomic<Team*> granted{nullptr};

  // What the consumers keep.
  const placement::Place* parent = nullptr;  // what it is planned from, as from->hands_on
  placement::Planned* planned = nullptr;
  worksharing::Shared* shared = nullptr;
  workers::Pool* pool = nullptr;  // that its workers come from; null: they are new threads
  int created = 0;                // workers of this fork, so far

  int size = 0;   // that was granted
  int asked = 0;  // for how many it is opened; 0: for none
  int ready = 0;  // of the present fork: its size, if it was opened before; otherwise 0: resolve
  unsigned sized = 0;  // its size, where a region's rule says so; 0: none does
  Kind kind = Kind::kTeam;
  bool is_forking = false;  // between the fork and the beginning of member 0
  bool is_open = false;     // between that and its end
  bool puts_back = false;   // after the region something of `ruled` has to be as before
  int tasks = 0;            // of a league: initial tasks that have begun and not ended
  Ruled ruled;
};

// Where a thread is. The one thread-local variable that says so.
struct Here {
  Member* member;          // null: outside of regions, and nothing was forked since; or not known
  Member* root;            // of its own tree; null: none yet
  const omp::Calls* told;  // the runtime that told of the thread's latest region; null: none has
  bool is_ending;          // the runtime has left it: it is in no region any more
};
extern constinit thread_local Here t_here __attribute__((tls_model("initial-exec")));

// Where there is no memory for a member: shared, and never written.
extern Member g_nowhere;

// The calling thread as the one that forks.
Member& find_here();
inline Member& here() { return t_here.member != nullptr ? *t_here.member : find_here(); }

// Whether the calling thread is in a region that was told.
inline bool is_inside() { return t_here.member != nullptr && t_here.member->team != nullptr; }

// Whether both are functions of one runtime: several sources may know it.
inline bool is_same(const omp::Calls& one, const omp::Calls& other) {
  return one.get_num_threads == other.get_num_threads;
}

// Whether our own record says that the calling thread is in no region of this runtime, which is not
// to be asked for its team then: after the end of a worker's region libgomp has freed that.
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
