// SPDX-License-Identifier: BSD-3-Clause
// The places that threads can have. A plan in force is made once, under the lock of plans.hpp, and
// stays until the process ends. The places of a team are kept with the team (lib/preload/team). The
// memory of these places is reused for other places. Members that may change later are atomic, or a
// comment says who writes the member.
#pragma once

#include <atomic>
#include <cstdint>

#include "planner/planner.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

struct Planned;
struct PlanInForce;
struct RegionRule;

// Part number `index` of the `of` parts of a machine.
struct Share {
  const unsigned long* machine = nullptr;  // a mask that stays valid
  int index = 0;
  int of = 1;
  bool operator==(const Share&) const = default;
};

// The position of one thread in the tree of nested teams. Invariants:
//   primary == nullptr  <=>  level == 0            (the root of a plan)
//   level > 0  =>  0 <= number < size, level == primary->level + 1
//   plan == nullptr    <=>  the teams that are forked here are not planned: the place is one of
//                           the g_* places below, or a form (see `forms`) for "off"
//   original == nullptr, or original->original == nullptr and both places have the same path
struct Place {
  const Place* primary = nullptr;  // the place of the thread that forked this team, or null
  PlanInForce* plan = nullptr;
  int number = 0;          // thread number; in PlanInForce::roots: the root's number
  int size = 1;            // of its team
  int level = 0;           // number of enclosing regions
  bool is_active = false;  // its team or an enclosing team has several threads
  PlannedPlace planned{};
  // Identifies the slot and the path in a thread's record. If a primary thread keeps its slot at a
  // fork, its places before and after the fork have the same id. All other ids differ.
  std::uintptr_t slot_id = 0;       // never reused, and odd
  const Place* original = nullptr;  // the place before any change, or null if unchanged
  mutable Place* forms = nullptr;   // one for each change of the specification; used under the lock
  // Teams that were forked at this place and that no source has reported. Used under the lock.
  mutable Planned* unseen = nullptr;
  Place* next_form = nullptr;
  // For observers (seen_places.cpp): data of the first thread that was at this place. The thread
  // whose exchange of seen_in succeeds writes the data. The team's last member reads it.
  mutable std::atomic<unsigned> seen_in{0};  // number of the latest process with a thread here
  mutable int thread_id = 0;
  mutable mask::MaskBuffer* mask_seen = nullptr;  // null if the mask could not be read
  mutable bool was_bound = false;
};

// The places of a team (team::Team::planned). members[i].number == i, for all i in [0, size).
struct Planned {
  const Place* parent = nullptr;  // the place that the team is planned from, or null
  Planned* next = nullptr;        // the same team, planned from another place
  int size = 0;
  Place* members = nullptr;
  // The warning to print after the team has forked. Null if there is none, or if it is printed.
  mutable std::atomic<char*> warning{nullptr};
  mutable std::atomic<std::uint64_t> seen{0};  // process number << 32 | number of its seen members
};

// A specification that is or was in force, and its plan, made at the first fork. Invariants:
//   base == nullptr  <=>  the specification is for all levels, and level == 0
//   status != kNotMade  =>  allowed and quota are the process's values when the plan was made
//   status == NESTBIND_OK  =>  handle, root.plan and root.planned are set, and stay set
struct PlanInForce {
  static constexpr int kNotMade = -1;
  PlanInForce* next = nullptr;
  spec::Spec spec;
  PlanInForce* base = nullptr;  // for a change inside a region: the plan above `level`
  int level = 0;
  mask::CpuMask part{};          // the plan's processors; no bits mean all usable processors
  PlanInForce* whole = nullptr;  // for a plan of a part: the plan of the whole machine
  Share share{};                 // the latest share that gave this part
  Place* roots = nullptr;  // places of the root threads that have this part; used under the lock
  const RegionRule* rule = nullptr;  // the rule that this plan is for, or null
  int rule_levels = 0;               // active levels that the rule needs, or 0 if it needs one
  // kNotMade until the planner is asked. Then NESTBIND_OK or the error.
  std::atomic<int> status{kNotMade};
  const unsigned long* allowed = nullptr;  // the mask that the plan was made for
  int quota = 0;                           // the CPU quota at that time, or a part's share of it
  std::atomic<bool> is_crowd_told{false};  // whether a warning of shared slots was printed
  PlanHandle* handle = nullptr;
  NodeDistances distances;
  std::atomic<const PlannerGeometry*> geometry{nullptr};  // null if never asked for
  Place root;
};

std::uintptr_t new_slot_id();

// For teams that are not planned: the place of members, and the place that a root forks from.
extern const Place g_unmanaged;
extern const Place g_unmanaged_root;
extern const Place g_ruled_off;  // the place to fork from if a region's rule is "off"

inline bool is_unmanaged(const Place* place) { return place != nullptr && place->plan == nullptr; }
// Returns the place before any change of the specification. Each change makes a copy (a form).
inline const Place* original_of(const Place* place) {
  return place->original != nullptr ? place->original : place;
}

// Returns the calling thread's place, or null if the thread is outside of regions or not planned.
inline const Place* own_place() {
  const team::Member* member = team::t_here.member;
  return member == nullptr ? nullptr : member->place;
}
inline bool is_planned(const Place* place) { return place != nullptr && place->plan != nullptr; }

}  // namespace nestbind::placement
