// SPDX-License-Identifier: BSD-3-Clause
// The specifications of this process, and their plans. Plans are never freed.
#pragma once

#include "places/place.hpp"

namespace nestbind::placement {

// The specification in force outside of regions, with its plan.
extern std::atomic<PlanInForce*> g_in_force;

// This number increases when another place may be right for the next fork of a root thread: after a
// change of the plan in force, of a mask, or of the threads and processes that divide the machine.
// It is never 0.
extern std::atomic<unsigned> g_division;
inline void divide_anew() { g_division.fetch_add(1, std::memory_order_acq_rel); }

// Finds the planner's file, and remembers the absolute names of the files in NESTBIND_MACHINE and
// NESTBIND_ORDER.
void find_planner();

// The processors that the process may use. In a dry run, a mask without bits means all processors.
mask::CpuMask usable();
// In a dry run, the process may use only these processors from now on. The bits are copied.
mask::CpuMask use_in_dry_run(const mask::CpuMask& part);

// Returns the plan in force outside of regions, or null if there is none or it is "off".
PlanInForce* plan_in_force();
void put_in_force(PlanInForce* plan);

// Returns the plan of a specification for the process's present mask. Does not make the plan.
// `base` is the plan around the region at `level`. Outside of regions, `base` is null. Returns null
// if there is no memory, or if the lock cannot be taken.
PlanInForce* plan_of(const spec::Spec& spec, PlanInForce* base, int level,
                     const RegionRule* rule = nullptr);

// Like plan_of(), but for one part of `machine`. The new plan has the specification of `whole`,
// which must be made. Returns `whole` if the share is the whole machine. A part that is known needs
// no lock.
PlanInForce* plan_of_part(PlanInForce* whole, const mask::CpuMask& machine, const Share& share);

// Returns the processors of a share, or a mask without bits if the planner cannot divide the
// machine. `threads` and `is_open` are from spec::need_of(). The bits stay. Called under the lock.
mask::CpuMask cut_part(const spec::Spec& spec, const mask::CpuMask& machine, const Share& share);

// Replaces the plan in force by the plan for the process's new mask. Called under the lock.
void renew_plan_in_force();

// If `plan` was made for another mask, makes and returns the plan for the present mask. Otherwise,
// or if this fails, returns `plan`.
PlanInForce* for_present_mask(PlanInForce* plan);

// Reads the machine and makes the plan, once. Reports and returns the error. If a signal handler
// interrupts a thread that makes a plan, the handler gets NESTBIND_NOT_PLACED. (owner/rank_part.hpp
// has the function for a process that may be a rank.)
int make_for_mask(PlanInForce* plan);

// Loads the planner, and calls the action under the lock of plans. Returns the action's result, or
// NESTBIND_NOT_PLACED.
int with_planner(int (*action)(void* data), void* data);
template <typename Action>
int with_planner(Action action) {
  return with_planner([](void* data) -> int { return (*static_cast<Action*>(data))(); }, &action);
}

// If `plan` is null, uses all slots in the process's mask. Otherwise `plan` must already be made.
int find_geometry(PlanInForce* plan, const PlannerGeometry*& geometry);

bool has_planner();
// The planner must be loaded. Call its functions under the lock.
const PlannerApi& planner();
PlannerOptions planner_options(const mask::CpuMask& allowed);

// Of all places that are kept, with their slots' ids.
extern std::atomic<long> g_bytes_of_places;

// Identifies where a thread is: the slot of its parent place (0 for root threads), its number
// there, and its mask. The same thread of a team under another plan has the same id if it has the
// same mask. So nothing happens at a fork that only changes the plan. Called under the lock.
std::uintptr_t slot_id_of(std::uintptr_t parent, int number, const mask::CpuMask& mask);

// Writes what `plan` says about a place. Equal masks of different plans have the same copy. Called
// under the lock.
void write_plan(Place& place, PlanInForce* plan, bool is_loose, const PlannedPlace& planned);

}  // namespace nestbind::placement
