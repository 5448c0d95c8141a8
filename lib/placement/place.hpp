// SPDX-License-Identifier: BSD-3-Clause
// The places that threads can have. A place, a team and a plan in force are made once, under the
// lock of plans.hpp, and stay until the process ends; all forks that lead to them share them. What
// may change later is atomic, or says who writes it.
#pragma once

#include <atomic>
#include <cstdint>

#include "planner/planner.hpp"

namespace nestbind::placement {

struct Team;
struct PlanInForce;

// The position of one thread on one path. Invariants:
//   master == nullptr  <=>  level == 0            (the root of a plan)
//   0 <= number < size, level == master->level + 1
//   plan == nullptr    <=>  one of the two apart places, or a form under "off": teams that are
//                          forked there are not planned
//   original == nullptr, or a place with original == nullptr and the same path
struct Place {
  const Place* master = nullptr;  // the place of the thread that forked its team; null: no team
  PlanInForce* plan = nullptr;
  int number = 0;  // in its team
  int size = 1;    // of its team
  int level = 0;   // enclosing regions
  PlannedPlace planned{};
  // Stands for slot and path, as a thread's record remembers them: a thread and what it becomes as
  // the master of its own team have one, no others do.
  const void* seat = nullptr;
  const Place* original = nullptr;  // of a place under another specification, its first form
  mutable std::atomic<Team*> teams{nullptr};  // that a thread here has forked; grows under the lock
  // Its present form, if the specification changed here. Written by the thread that is here.
  mutable std::atomic<Place*> changed{nullptr};
  mutable Place* forms = nullptr;  // all forms that it ever had; read and written under the lock
  Place* next_form = nullptr;
  // Where somebody observes: who was here first (seen.cpp), in the latest process. Written by that
  // thread, which the exchange of seen_in chooses; read by the team's last one, behind the team's
  // count.
  mutable std::atomic<unsigned> seen_in{0};  // 0: nobody was here; otherwise that process
  mutable int thread_id = 0;
  mutable mask::MaskBuffer* mask_seen = nullptr;  // null: it could not be read
  mutable bool was_bound = false;
};

// members[i].number == i, for all i in [0, size).
struct Team {
  Team* next = nullptr;
  int size = 0;
  Place* members = nullptr;
  // What the user is told once such a team has forked; null: nothing (any more).
  mutable std::atomic<char*> warning{nullptr};
  mutable std::atomic<std::uint64_t> seen{0};  // a process, and how many members have it in seen_in
};

// A specification that is or was in force, with its plan, made at the first fork. Invariants:
//   base == nullptr  <=>  it holds from the outermost level on; level == 0 then
//   status != kNotMade  =>  allowed is what was usable when it was made
//   status == NESTBIND_OK  =>  handle, root.plan and root.planned are there, for good
struct PlanInForce {
  static constexpr int kNotMade = -1;
  PlanInForce* next = nullptr;
  spec::Spec spec;
  PlanInForce* base = nullptr;  // for a change inside a region: the plan above `level`
  int level = 0;
  // kNotMade until the planner was asked; then NESTBIND_OK, or why it could not be made.
  std::atomic<int> status{kNotMade};
  const unsigned long* allowed = nullptr;  // of usable(): part.hpp
  std::atomic<bool> is_crowd_told{false};  // that threads share slots; of plans without a base
  PlanHandle* handle = nullptr;
  NodeDistances distances;
  std::atomic<const PlannerGeometry*> geometry{nullptr};  // null: nobody has asked yet
  Place root;
};

// Of teams that are not planned: the place of their members, and what their root thread hands on.
extern const Place g_apart;
extern const Place g_apart_root;

inline bool is_apart(const Place* place) { return place != nullptr && place->plan == nullptr; }
// The first form of a place, which has its plan.
inline const Place* original_of(const Place* place) {
  return place->original != nullptr ? place->original : place;
}
inline bool is_planned(const Place* place) { return place != nullptr && place->plan != nullptr; }

}  // namespace nestbind::placement
