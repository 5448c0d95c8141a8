// SPDX-License-Identifier: BSD-3-Clause
// Finds the part of the calling root thread (roots.hpp).
#include <unistd.h>

#include "options/settings.hpp"
#include "owner/rank_part.hpp"
#include "owner/roots.hpp"
#include "places/plans_lock.hpp"
#include "places/team_places.hpp"
#include "process/message.hpp"
#include "process/rank.hpp"
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

void warn_of_sharing(const Root& root, const mask::CpuMask& machine) {
  static constinit std::atomic<bool> told{false};
  const bool is_fixed = settings().root_parts > 0 && root.own.bits == nullptr;
  const int most = is_fixed                  ? settings().root_parts
                   : machine.bits == nullptr ? root.number + 1
                                             : mask::count(machine);
  if (root.number >= most) {
    process::warn_once(
        told, "there are more root threads than parts (%d): some share a part of the machine",
        most);
  }
}

// Returns the processors of this process's part of the machine.
mask::CpuMask machine_of_process() {
  const mask::CpuMask whole = usable();
  if (settings().ranks == options::Ranks::kShared) {
    return whole;
  }
  const ranks::TreeShare share = ranks::share_in_tree(whole);
  // Only processes of a pool are told, not the program that has started it.
  static constinit std::atomic<bool> told{false};
  const process::Part* const rank = process::part();
  const bool is_others = rank != nullptr && rank->local > 0;
  if ((share.fault != nullptr || share.is_crowded) && !is_others) {
    process::warn_once(told,
                       "processes of this program cannot divide the processors (%s): some may use "
                       "the same processors",
                       share.fault != nullptr ? share.fault : "there are too many");
  }
  process::set_tree_part({share.index, share.of});
  const PlanInForce* const plan = plan_in_force();
  const mask::CpuMask part =
      share.of == 1 || plan == nullptr || !has_planner()
          ? whole
          : cut_part(plan->spec, whole, {whole.bits, share.index, share.of, false});
  return part.bits == nullptr ? whole : part;
}

// Called under the lock of plans.
void become_root(Root& root) {
  t_thread.root = &root;
  if (root.number == 0) {
    team::g_path_root.store(&team::here(), std::memory_order_release);
  }
}

void divide(bool is_several) {
  Thread& thread = t_thread;
  const PlansLocked locked;
  Root* const root = !locked ? nullptr : thread.root != nullptr ? thread.root : g_roots.take();
  if (root == nullptr) {
    return;
  }
  if (is_several) {
    become_root(*root);
  }
  root->own = thread.own;
  if (root->outside_since.load(std::memory_order_relaxed) != 0) {
    root->outside_since.store(support::milliseconds_now(), std::memory_order_relaxed);
  }
  if (g_roots.look(support::milliseconds_now())) {
    divide_anew();
  }
  thread.division = g_division.load(std::memory_order_acquire);
  thread.part_number = root->number;
  if (thread.root != nullptr) {
    const mask::CpuMask machine =
        root->own.bits != nullptr ? root->own : g_roots.left_of(machine_of_process());
    thread.share = g_roots.share_of(*root, settings().root_parts, machine);
    warn_of_sharing(*root, machine);
  } else {
    thread.share = g_roots.share_of(*root, settings().root_parts, g_roots.left_of(usable()));
    g_roots.give_back(*root);
  }
}

}  // namespace

bool take_part(bool is_several) {
  const process::Uncancelled uncancelled;
  Thread& thread = t_thread;
  const bool divides = root_threads_divide();
  thread.division = 0;
  thread.share = {};
  thread.part_number = 0;
  thread.has_whole = false;
  thread.is_root = false;
  thread.root_place = nullptr;
  thread.quick_place = nullptr;
  // The initial thread's mask is the process's mask if it is the first root thread.
  const bool may_own = !divides || (gettid() == getpid() && g_roots.is_first(thread.root));
  const bool owns = is_owner() || (may_own && become_owner());
  if (owns && g_owner.is_meant.exchange(false, std::memory_order_acq_rel)) {
    thread.unmeant = 0;
  }
  if (!divides && !owns) {
    static constinit std::atomic<bool> told{false};
    process::warn_once(told,
                       "a second thread outside of OpenMP's teams opens parallel regions; its "
                       "teams are not bound (NESTBIND_ROOTS=divide)");
    if (PlanInForce* const plan = plan_in_force(); plan != nullptr && part_is_undecided()) {
      make_plan(plan);  // teams of a rank without places must stay in its part
      settle_ranks();
    }
    return false;
  }
  look_again();
  settle_ranks();
  if (divides) {
    if (PlanInForce* const plan = plan_in_force()) {
      make_plan(plan);  // loads the planner, which cuts the parts
    }
    divide(is_several);
  } else {
    thread.division = g_division.load(std::memory_order_acquire);
    thread.share = {usable().bits, 0, 1, false};
  }
  thread.is_root = !divides || thread.root != nullptr;
  thread.has_whole = thread.share == Share{usable().bits, 0, 1, false};
  return thread.share.of > 0;
}

const Place* place_in_part(PlanInForce* whole) {
  const Share& share = t_thread.share;
  const mask::CpuMask machine{share.machine == nullptr ? 0U : mask::kMaxCpus / 8U, share.machine};
  // A rank may have got its part, and so another mask, after take_part().
  PlanInForce* const plan = root_threads_divide() ? plan_of_part(whole, machine, share) : whole;
  if (plan == nullptr || make_plan(plan) != NESTBIND_OK) {
    return nullptr;
  }
  return share.of == 1 ? &plan->root : place_of_root(plan, t_thread.part_number);
}

void become_root_inside() {
  const PlansLocked locked;
  if (Root* const root = locked ? g_roots.take() : nullptr) {
    become_root(*root);
    part_is_used(t_thread);
    divide_anew();
  }
}

void leave_roots() {
  Thread& thread = t_thread;
  leave_owner();
  thread.division = 0;
  thread.share = {};
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
  if (is_owner()) {
    g_owner.id.store(gettid(), std::memory_order_relaxed);
  } else {
    g_owner.thread.store(nullptr, std::memory_order_release);
  }
  g_roots.give_others_back(t_thread.root);
  ranks::leave_tree_in_child();
  divide_anew();
}

}  // namespace nestbind::placement
