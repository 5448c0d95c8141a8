// SPDX-License-Identifier: BSD-3-Clause
#include "placement/root_parts.hpp"

#include <unistd.h>

#include "omp/runtime_sizes.hpp"
#include "options/settings.hpp"
#include "placement/outside.hpp"
#include "placement/owner_word.hpp"
#include "placement/part.hpp"
#include "placement/plans_lock.hpp"
#include "placement/purpose.hpp"
#include "placement/root_sizes.hpp"
#include "process/message.hpp"
#include "process/undisturbed.hpp"
#include "support/allocate.hpp"
#include "team/consumer.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;
using options::settings;

constinit Roots g_roots;

namespace {

struct Part {
  int number;
  mask::CpuMask machine;
  Share share;
};

mask::CpuMask machine_of(const Root& root) {
  return root.machine.bits == nullptr ? usable() : root.machine;
}

Part part_of(const Root& root) {
  return {root.number, machine_of(root), g_roots.share_of(root, settings().root_parts, usable())};
}

void look_at_roots() {
  if (g_roots.look(support::milliseconds_now())) {
    divide_anew();
  }
}

void warn_of_sharing(const Root& root) {
  static constinit std::atomic<bool> is_said{false};
  const mask::CpuMask machine = machine_of(root);
  const bool is_fixed = settings().root_parts > 0 && root.machine.bits == nullptr;
  const int most = is_fixed                  ? settings().root_parts
                   : machine.bits == nullptr ? root.number + 1
                                             : mask::count(machine);
  if (root.number >= most && !is_said.exchange(true)) {
    process::say(process::Severity::kWarning,
                 "there are more root threads than parts (%d): some share a part of the machine",
                 most);
  }
}

bool forks_several(const omp::Calls& runtime, int asked) {
  return size_before(runtime, asked > 0 ? asked : runtime.get_max_threads()) > 1;
}

// The initial thread's mask is the process's mask. Other threads have their own masks.
void look_at_own_mask() {
  Thread& thread = t_thread;
  if (owner() == 0 && gettid() == getpid()) {
    become_owner();
  }
  if (owner() == as_word(thread)) {
    const uintptr_t why = g_owner.thread.exchange(as_word(thread), std::memory_order_acq_rel);
    thread.unmeant = (why & OwnerWord::kMeant) != 0 ? 0 : thread.unmeant;
    follow_own_mask();
  } else {
    follow_mask_of_root();
  }
}

bool become_root() {
  const PlansLocked locked;
  t_thread.root = locked ? g_roots.take() : nullptr;
  if (t_thread.root == nullptr) {
    return false;
  }
  if (t_thread.root->number == 0) {
    team::g_path_root.store(&team::here(), std::memory_order_release);
  }
  return true;
}

const Place* place_in(PlanInForce* plan, int number, int parts) {
  if (parts == 1) {
    return &plan->root;
  }
  const PlansLocked locked;
  Place* place = locked ? plan->roots : nullptr;
  while (place != nullptr && place->number != number) {
    place = place->next_form;
  }
  if (place == nullptr && locked) {
    place = support::allocate<Place>();
    if (place != nullptr) {
      place->plan = plan;
      place->number = number;
      place->planned = plan->root.planned;
      place->slot_id = new_slot_id();
      place->next_form = plan->roots;
      plan->roots = place;
    }
  }
  return place;
}

// Finds the calling thread's part, or the part of the next root thread.
bool find_part(Part& part, unsigned& division) {
  const PlansLocked locked;
  Thread& thread = t_thread;
  Root* root = thread.root;
  if (locked && root != nullptr) {
    root->outside_since.store(0, std::memory_order_relaxed);
    root->machine = thread.own;
  }
  if (locked) {
    look_at_roots();
    division = g_division.load(std::memory_order_acquire);
    root = root != nullptr ? root : g_roots.take();
  }
  if (!locked || root == nullptr) {
    return false;
  }
  root->machine = thread.own;
  part = part_of(*root);
  if (thread.root == nullptr) {
    g_roots.give_back(*root);
  }
  return true;
}

const Place* take_part(const omp::Calls& runtime, PlanInForce* whole) {
  Thread& thread = t_thread;
  Part part{};
  unsigned division = 0;
  thread.division = 0;
  PlanInForce* const plan =
      find_part(part, division) ? plan_of_part(whole, part.machine, part.share) : nullptr;
  if (plan == nullptr || make_plan(plan) != NESTBIND_OK) {
    return nullptr;
  }
  if (thread.root != nullptr) {
    warn_of_sharing(*thread.root);
  }
  if (!has_sizes(thread, runtime, plan)) {
    bring_sizes(runtime, plan);
  }
  const Place* const place = place_in(plan, part.number, part.share.of);
  thread.division = place == nullptr ? 0 : division;
  return place;
}

// The first fork of a rank decides its part, even if the fork is not planned.
const Place* fork_unplanned(PlanInForce* whole) {
  if (part_is_undecided() && make_plan(whole) == NESTBIND_OK) {
    settle_ranks();
  }
  return &g_unmanaged_root;
}

}  // namespace

const Place* fork_of_part(const omp::Calls& runtime, PlanInForce* whole) {
  const process::Uncancelled uncancelled;
  Thread& thread = t_thread;
  const bool becomes_root = thread.root == nullptr && forks_several(runtime, thread.forks);
  if (level_in(runtime) > 0 || (becomes_root && !become_root())) {
    return fork_unplanned(whole);
  }
  if (thread.division != g_division.load(std::memory_order_acquire)) {
    look_at_own_mask();
  }
  settle_ranks();
  whole = plan_in_force();  // the process may have got another mask
  const int error = whole == nullptr ? NESTBIND_OK : make_plan(whole);
  if (whole == nullptr) {
    return nullptr;
  }
  const Place* const place = error == NESTBIND_OK ? take_part(runtime, whole) : nullptr;
  if (place == nullptr && error != NESTBIND_OK && error != NESTBIND_NOT_PLACED) {
    omp::give_levels_back(runtime, whole->spec.active_levels());
  }
  return place == nullptr ? &g_unmanaged_root : place;
}

void become_root_inside(const omp::Calls& runtime, unsigned asked) {
  const Place* const place = own_place();
  if (is_planned(place) && !place->is_active && is_divided(place->plan->spec) &&
      forks_several(runtime, static_cast<int>(asked)) && become_root()) {
    divide_anew();
  }
}

PlanInForce* plan_at_next_fork(PlanInForce* whole) {
  if (!is_divided(whole->spec) || make_plan(whole) != NESTBIND_OK) {
    return whole;
  }
  follow_mask_of_root();
  Part part{};
  unsigned division = 0;
  return find_part(part, division) ? plan_of_part(whole, part.machine, part.share) : nullptr;
}

int size_if_forked(const omp::Calls& runtime, int told) {
  Thread& thread = t_thread;
  PlanInForce* const whole = plan_in_force();
  if (whole == nullptr || !is_divided(whole->spec) || !is_outside_regions() ||
      level_in(runtime) > 0) {
    return told;
  }
  if (thread.answer.told == told && is_same_division(thread.answer.division)) {
    return thread.answer.size;
  }
  const unsigned division = g_division.load(std::memory_order_acquire);
  PlanInForce* const plan = plan_at_next_fork(whole);
  const int size =
      plan == nullptr || make_plan(plan) != NESTBIND_OK ? told : default_size(runtime, plan, told);
  thread.most = thread.most == 0 || size < thread.most ? size : thread.most;
  thread.answer = {division, told, size};
  return size;
}

void leave_roots() {
  Thread& thread = t_thread;
  if (owner() == as_word(thread)) {
    g_owner.thread.store(0, std::memory_order_release);
  }
  if (thread.root == nullptr) {
    return;
  }
  const PlansLocked locked;
  if (locked) {
    g_roots.give_back(*thread.root);
    divide_anew();
  }
  thread.root = nullptr;
  thread.division = 0;
}

void keep_root_in_child() {
  g_roots.give_others_back(t_thread.root);
  divide_anew();
}

}  // namespace nestbind::placement
