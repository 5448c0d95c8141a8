// SPDX-License-Identifier: BSD-3-Clause
#include "owner/root_parts.hpp"

#include <unistd.h>

#include "options/settings.hpp"
#include "owner/rank_part.hpp"
#include "places/plans_lock.hpp"
#include "places/team_places.hpp"
#include "process/message.hpp"
#include "process/rank.hpp"
#include "process/undisturbed.hpp"
#include "team/consumer.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;
using options::settings;

bool root_threads_divide() {
  const options::Roots roots = settings().roots;
  const PlanInForce* const plan = g_in_force.load(std::memory_order_acquire);
  return roots == options::Roots::kDivide ||
         (roots == options::Roots::kBySpecification && plan != nullptr && plan->spec.is_auto);
}

namespace {

void look_at_roots() {
  if (g_roots.look(support::milliseconds_now())) {
    divide_anew();
  }
}

void tell_unmanaged() {
  static constinit std::atomic<bool> g_told{false};
  if (!g_told.exchange(true)) {
    process::say(process::Severity::kWarning,
                 "a second thread outside of OpenMP's teams opens parallel regions; its teams are "
                 "not bound (NESTBIND_ROOTS=divide)");
  }
}

void warn_of_sharing(const Root& root, const mask::CpuMask& machine) {
  static constinit std::atomic<bool> is_said{false};
  const bool is_fixed = settings().root_parts > 0 && root.own.bits == nullptr;
  const int most = is_fixed                  ? settings().root_parts
                   : machine.bits == nullptr ? root.number + 1
                                             : mask::count(machine);
  if (root.number >= most && !is_said.exchange(true)) {
    process::say(process::Severity::kWarning,
                 "there are more root threads than parts (%d): some share a part of the machine",
                 most);
  }
}

// Only processes of a pool are told, not the program that has started it.
void warn_of_tree(const ranks::TreeShare& share) {
  static constinit std::atomic<bool> is_said{false};
  const process::Part* const rank = process::part();
  const bool is_others = rank != nullptr && rank->local > 0;
  if ((share.fault != nullptr || share.is_crowded) && !is_others && !is_said.exchange(true)) {
    process::say(process::Severity::kWarning,
                 "processes of this program cannot divide the processors (%s): some may use the "
                 "same processors",
                 share.fault != nullptr ? share.fault : "there are too many");
  }
}

// Returns the processors of this process's part of the machine.
mask::CpuMask machine_of_process() {
  const mask::CpuMask whole = usable();
  if (settings().ranks == options::Ranks::kShared) {
    return whole;
  }
  const ranks::TreeShare share = ranks::share_in_tree(whole);
  warn_of_tree(share);
  process::set_tree_part({share.index, share.of});
  const PlanInForce* const plan = plan_in_force();
  const mask::CpuMask part =
      share.of == 1 || plan == nullptr || !has_planner()
          ? whole
          : cut_part(plan->spec, whole, {whole.bits, share.index, share.of, false});
  return part.bits == nullptr ? whole : part;
}

bool become_root() {
  Thread& thread = t_thread;
  const PlansLocked locked;
  thread.root = locked ? g_roots.take() : nullptr;
  if (thread.root != nullptr && thread.root->number == 0) {
    team::g_path_root.store(&team::here(), std::memory_order_release);
  }
  return thread.root != nullptr;
}

// Called under the lock of plans.
void write_part(const Root& root) {
  Thread& thread = t_thread;
  const bool is_own = root.own.bits != nullptr;
  const mask::CpuMask machine =
      is_own ? root.own : g_roots.left_of(thread.root == nullptr ? usable() : machine_of_process());
  const Share share = g_roots.share_of(root, settings().root_parts, machine);
  thread.part_machine = share.machine;
  thread.part_index = share.index;
  thread.part_of = share.of;
  thread.part_is_own = is_own;
  thread.part_number = root.number;
  if (thread.root != nullptr) {
    warn_of_sharing(root, machine);
  }
}

bool divide(bool is_several) {
  Thread& thread = t_thread;
  if (is_several && thread.root == nullptr && !become_root()) {
    return false;
  }
  const PlansLocked locked;
  Root* const root = !locked ? nullptr : thread.root != nullptr ? thread.root : g_roots.take();
  if (root == nullptr) {
    return false;
  }
  root->own = thread.own;
  if (root->outside_since.load(std::memory_order_relaxed) != 0) {
    root->outside_since.store(support::milliseconds_now(), std::memory_order_relaxed);
  }
  look_at_roots();
  thread.division = g_division.load(std::memory_order_acquire);
  write_part(*root);
  if (thread.root == nullptr) {
    g_roots.give_back(*root);
  }
  return true;
}

// Returns false if another thread owns the plan.
bool own() {
  Thread& thread = t_thread;
  if (!is_owner()) {
    if (!become_owner()) {
      tell_unmanaged();
      return false;
    }
    team::g_path_root.store(&team::here(), std::memory_order_release);
  }
  if ((take_owners_flags() & OwnerWord::kMeant) != 0) {
    thread.unmeant = 0;
  }
  return true;
}

void write_whole() {
  Thread& thread = t_thread;
  thread.division = g_division.load(std::memory_order_acquire);
  thread.part_machine = usable().bits;
  thread.part_index = 0;
  thread.part_of = 1;
  thread.part_is_own = false;
  thread.part_number = 0;
}

// The initial thread's mask is the process's mask if it is the first root thread.
void own_as_initial_thread() {
  if (owner() == 0 && gettid() == getpid() && g_roots.is_first(t_thread.root)) {
    become_owner();
  }
  if (is_owner() && (take_owners_flags() & OwnerWord::kMeant) != 0) {
    t_thread.unmeant = 0;
  }
}

}  // namespace

bool take_part(bool is_several) {
  const process::Uncancelled uncancelled;
  Thread& thread = t_thread;
  const bool divides = root_threads_divide();
  thread.division = 0;
  thread.has_part = false;
  thread.has_whole = false;
  thread.is_root = false;
  thread.root_place = nullptr;
  thread.quick_place = nullptr;
  if (divides) {
    own_as_initial_thread();
  } else if (!own()) {
    if (PlanInForce* const plan = plan_in_force(); plan != nullptr && part_is_undecided()) {
      make_plan(plan);  // teams of a rank without places must stay in its part
      settle_ranks();
    }
    return false;
  }
  look_again();
  settle_ranks();
  if (divides) {
    PlanInForce* const plan = plan_in_force();
    if (plan != nullptr) {
      make_plan(plan);  // loads the planner, which cuts the parts
    }
    thread.has_part = divide(is_several);
    thread.is_root = thread.root != nullptr;
  } else {
    write_whole();
    thread.has_part = true;
    thread.is_root = true;
  }
  thread.has_whole = thread.has_part && thread.part_of == 1 &&
                     thread.part_machine == usable().bits && !thread.part_is_own;
  return thread.has_part;
}

const Place* place_in_part(PlanInForce* whole) {
  const Thread& thread = t_thread;
  const Share share{thread.part_machine, thread.part_index, thread.part_of, thread.part_is_own};
  const mask::CpuMask machine{share.machine == nullptr ? 0U : mask::kMaxCpus / 8U, share.machine};
  // A rank may have got its part, and so another mask, after take_part().
  PlanInForce* const plan = root_threads_divide() ? plan_of_part(whole, machine, share) : whole;
  if (plan == nullptr || make_plan(plan) != NESTBIND_OK) {
    return nullptr;
  }
  return share.of == 1 ? &plan->root : place_of_root(plan, thread.part_number);
}

void become_root_inside() {
  if (become_root()) {
    part_is_used(t_thread);
    divide_anew();
  }
}

void leave_roots() {
  Thread& thread = t_thread;
  leave_owner();
  thread.division = 0;
  thread.has_part = false;
  thread.is_root = false;
  if (thread.root == nullptr) {
    return;
  }
  const PlansLocked locked;
  if (locked) {
    g_roots.give_back(*thread.root);
    divide_anew();
  }
  thread.root = nullptr;
}

void keep_root_in_child() {
  g_roots.give_others_back(t_thread.root);
  ranks::leave_tree_in_child();
  divide_anew();
}

}  // namespace nestbind::placement
