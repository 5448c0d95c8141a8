// SPDX-License-Identifier: BSD-3-Clause
// The places that threads can have.
//
// A plan owns its places, and a plan is never freed. The plan's places form a tree. The root is the
// place of the initial thread. Each place has a list of the teams that can fork there, one for each
// size, and each team has its members' places. Such a place never changes, and its memory is never
// used again. If all places together have more than kMostPlaces bytes, a team is planned for one
// fork alone. Only the memory of these places is used again.
#pragma once

#include <atomic>
#include <cstdint>

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "planner/planner.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

struct Planned;
struct PlanInForce;
struct RegionRule;

// 16 MiB are about 60,000 places.
inline constexpr long kMostPlaces = 16L << 20;

using binding::Share;

// The position of one thread in the tree of nested teams. A place of level 0 has no primary. At
// other levels, number is less than size, and level is primary->level + 1. If a place has no plan,
// nestbind does not plan the teams that fork there.
struct Place {
  static constexpr std::uintptr_t kNoSlot = 2;
  // Never used again, also if the memory is. 0 only for the places without a plan below.
  std::uint64_t id = 0;
  const Place* primary = nullptr;  // the place of the thread that forked this team, or null
  PlanInForce* plan = nullptr;
  int number = 0;  // number of the thread or root thread
  int size = 1;
  int level = 0;
  bool is_active = false;  // its team or an enclosing team has several threads
  bool is_kept = true;     // false: planned for one fork alone
  // Its threads are not bound. The place only says where the thread is in the plan, for the sizes
  // of inner teams.
  bool is_loose = false;
  bool is_quick = false;  // it is planned, and teams of any size fit the plan
  PlannedPlace planned{};
  // Identifies the slot and the path in a thread's record. If a primary thread keeps its slot at a
  // fork, its places before and after the fork have the same id.
  std::uintptr_t slot_id = 0;       // never reused; odd, unlike a mask's address; kNoSlot if loose
  const Place* original = nullptr;  // the place before any change, or null if unchanged
  // These lists only grow, so that a fork reads them without a lock.
  mutable std::atomic<Planned*> teams{nullptr};  // the teams that fork here
  mutable std::atomic<Place*> forms{nullptr};    // this place under other plans
  Place* next = nullptr;                         // in a list of forms, or of root threads' places
  // For observers. The thread whose exchange of seen_in succeeds writes these fields. The team's
  // last member reads the fields.
  mutable std::atomic<unsigned> seen_in{0};  // number of the latest process with a thread here
  mutable int thread_id = 0;
  mutable mask::MaskBuffer* mask_seen = nullptr;
  mutable bool was_bound = false;
};

// The places of a team. `members[i]` is the place of thread i.
struct Planned {
  std::uint64_t parent = 0;  // Place::id of the place where the team forks
  Planned* next = nullptr;
  int size = 0;
  Place* members = nullptr;
  // The warning to print after the team has forked.
  mutable std::atomic<char*> warning{nullptr};
  mutable std::atomic<std::uint64_t> seen{0};  // process number << 32 | count of seen members
};

// A present or earlier specification, and its plan. The first fork makes the plan. The status goes
// once from kNotMade to NESTBIND_OK or to an error, under the lock of plans, after all other fields
// of the plan are written. If it is NESTBIND_OK, then handle, root.plan and root.planned stay set.
struct PlanInForce {
  static constexpr int kNotMade = -1;
  static constexpr int kAnySize = __INT_MAX__;
  PlanInForce* next = nullptr;
  spec::Spec spec;
  PlanInForce* base = nullptr;  // the plan above `level`, or null
  int level = 0;
  mask::CpuMask part{};  // empty for all usable processors
  // If the plan is for a part: the plan of the whole machine, the share, and the next part.
  PlanInForce* whole = nullptr;
  Share share{};
  PlanInForce* next_part = nullptr;
  std::atomic<PlanInForce*> parts{nullptr};  // the plans for parts; the list only grows
  std::atomic<Place*> roots{nullptr};        // the root threads' places; the list only grows
  const RegionRule* rule = nullptr;
  int rule_levels = 0;  // 0 or at least 2
  std::atomic<int> status{kNotMade};
  // The hardware threads of the part, if another thread or process has another part. A team with
  // more threads is not bound.
  int fits = kAnySize;
  const unsigned long* allowed = nullptr;
  int quota = 0;  // the CPU quota for this plan
  std::atomic<bool> is_crowd_told{false};
  PlanHandle* handle = nullptr;
  NodeDistances distances;
  std::atomic<const PlannerGeometry*> geometry{nullptr};  // null if never asked for
  Place root;
  Place loose;  // like root, for teams that are not bound: of other roots than the owner, or too
                // large
};

// The place without a plan: teams that fork here, and members of such teams, are not bound.
extern const Place g_unmanaged;

// True if teams that fork at the place are bound.
inline bool is_planned(const Place* place) {
  return place != nullptr && place->plan != nullptr && !place->is_loose;
}
inline bool is_unmanaged(const Place* place) { return place != nullptr && !is_planned(place); }
inline const Place* original_of(const Place* place) {
  return place->original != nullptr ? place->original : place;
}

// Returns the calling thread's place, or null if the thread is outside of regions or not planned.
inline const Place* own_place() {
  const team::Member* member = team::t_here.member;
  return member == nullptr ? nullptr : member->place;
}

inline int level_in(const omp::Calls& runtime) {
  return team::is_known_outside(runtime) ? 0 : runtime.get_level();
}

// Removes a place in an unreported region that has ended. Call this before you read the place.
inline void leave_untracked(binding::Thread& thread) {
  const Place* const place = own_place();
  if (thread.untracked_in != nullptr && place != nullptr &&
      thread.untracked_in->get_level() < place->level) {
    team::t_here.member->place = nullptr;
    if (team::t_here.member->team->kind == team::Team::Kind::kUnseen) {
      team::t_here.member = nullptr;
    }
    thread.untracked_in = nullptr;
  }
}

inline const Place* present_place() {
  leave_untracked(binding::t_thread);
  return own_place();
}

inline bool is_outside_regions() { return present_place() == nullptr; }

}  // namespace nestbind::placement
