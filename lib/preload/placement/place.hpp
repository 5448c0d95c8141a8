// SPDX-License-Identifier: BSD-3-Clause
// The places that threads can have. A plan in force is made once, under the lock of plans.hpp, and
// stays until the process ends; the places of a team are kept with it (lib/preload/team), and their
// memory becomes other places'. What may change later is atomic, or says who writes it.
#pragma once

#include <atomic>
#include <cstdint>

#include "planner/planner.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

struct Planned;
struct PlanInForce;
struct RegionRule;

// One of so many parts of a machine.
struct Share {
  const unsigned long* machine = nullptr;  // a mask where it stays
  int index = 0;
  int of = 1;
  bool operator==(const Share&) const = default;
};

// The position of one thread on one path. Invariants:
//   primary == nullptr  <=>  level == 0            (the root of a plan)
//   level > 0  =>  0 <= number < size, level == primary->level + 1
//   plan == nullptr    <=>  one of the two unmanaged places, or a form under "off": teams that are
//                          forked there are not planned
//   original == nullptr, or a place with original == nullptr and the same path
struct Place {
  const Place* primary = nullptr;  // the place of the thread that forked its team; null: no team
  PlanInForce* plan = nullptr;
  int number = 0;          // in its team; of PlanInForce::roots: which root thread it is
  int size = 1;            // of its team
  int level = 0;           // enclosing regions
  bool is_active = false;  // a team on the way here has several threads
  PlannedPlace planned{};
  // Stands for slot and path, as a thread's record remembers them: a thread and what it becomes as
  // the primary thread of its own team have one, no others do.
  std::uintptr_t slot_id = 0;       // never another's, and odd
  const Place* original = nullptr;  // of a place under another specification, its first form
  mutable Place* forms = nullptr;   // all forms that it ever had; read and written under the lock
  // Places of teams which threads are in that nobody has told of (places.hpp); under the lock.
  mutable Planned* unseen = nullptr;
  Place* next_form = nullptr;
  // Where somebody observes: who was here first (seen.cpp), in the latest process. Written by that
  // thread, which the exchange of seen_in chooses; read by the team's last one, behind the team's
  // count.
  mutable std::atomic<unsigned> seen_in{0};  // 0: nobody was here; otherwise that process
  mutable int thread_id = 0;
  mutable mask::MaskBuffer* mask_seen = nullptr;  // null: it could not be read
  mutable bool was_bound = false;
};

// The places of a team (team::Team::planned). members[i].number == i, for all i in [0, size).
struct Planned {
  const Place* parent = nullptr;  // what it is planned from; null: nothing
  Planned* next = nullptr;        // from other places, of the same team
  int size = 0;
  Place* members = nullptr;
  // What the user is told once such a team has forked; null: nothing (any more).
  mutable std::atomic<char*> warning{nullptr};
  mutable std::atomic<std::uint64_t> seen{0};  // a process, and how many members have it in seen_in
};

// A specification that is or was in force, with its plan, made at the first fork. Invariants:
//   base == nullptr  <=>  it holds from the outermost level on; level == 0 then
//   status != kNotMade  =>  allowed and quota are what the process had when it was made
//   status == NESTBIND_OK  =>  handle, root.plan and root.planned are there, for good
struct PlanInForce {
  static constexpr int kNotMade = -1;
  PlanInForce* next = nullptr;
  spec::Spec spec;
  PlanInForce* base = nullptr;  // for a change inside a region: the plan above `level`
  int level = 0;
  mask::CpuMask part{};  // of some root threads: what it is for; no bits: all that is usable
  PlanInForce* whole = nullptr;  // of such a part: the plan without parts
  Share share{};                 // the latest that was found to be this part
  Place* roots = nullptr;        // of threads that have such parts; read and written under the lock
  const RegionRule* rule = nullptr;  // whose plan it is; null: none's
  int rule_levels = 0;               // that have to be active for that rule; 0: one is enough
  // kNotMade until the planner was asked; then NESTBIND_OK, or why it could not be made.
  std::atomic<int> status{kNotMade};
  const unsigned long* allowed = nullptr;  // of usable(): part.hpp
  int quota = 0;                           // as process::quota() was then; of a part, its share
  std::atomic<bool> is_crowd_told{false};  // that threads share slots; of plans without a base
  PlanHandle* handle = nullptr;
  NodeDistances distances;
  std::atomic<const PlannerGeometry*> geometry{nullptr};  // null: nobody has asked yet
  Place root;
};

std::uintptr_t new_slot_id();

// Of teams that are not planned: the place of their members, and what their root thread hands on.
extern const Place g_unmanaged;
extern const Place g_unmanaged_root;
extern const Place g_ruled_off;  // what is handed on where a region's rule is "off"

inline bool is_unmanaged(const Place* place) { return place != nullptr && place->plan == nullptr; }
// The first form of a place, which has its plan.
inline const Place* original_of(const Place* place) {
  return place->original != nullptr ? place->original : place;
}

// Where the calling thread is; null: outside of regions, or not planned.
inline const Place* own_place() {
  const team::Member* member = team::t_here.member;
  return member == nullptr ? nullptr : member->place;
}
inline bool is_planned(const Place* place) { return place != nullptr && place->plan != nullptr; }

}  // namespace nestbind::placement
