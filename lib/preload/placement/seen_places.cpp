// SPDX-License-Identifier: BSD-3-Clause
#include "placement/seen_places.hpp"

#include <stdlib.h>

#include "observe/observer.hpp"
#include "omp/runtime_affinity.hpp"
#include "owner/rank_part.hpp"
#include "places/plans.hpp"
#include "process/message.hpp"
#include "process/traced.hpp"
#include "process/undisturbed.hpp"
#include "support/allocate.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::placement {

namespace {

// A forked child uses the next number.
constinit std::atomic<unsigned> g_seen_process{1};

// What a line of OMP_DISPLAY_AFFINITY says.
struct Line {
  const unsigned long* bound;
  int level;
  int number;
  int size;
  bool operator==(const Line&) const = default;
};
constinit thread_local Line t_last __attribute__((tls_model("initial-exec"))) = {};

observe::Member member_of(const Place& place) {
  return {place.level,     place.number,   place.size,     place.thread_id,
          place.mask_seen, &place.planned, place.was_bound};
}

// Returns the thread numbers of a place's path, outermost first. The team sizes follow.
int* path_of(const Place& place) {
  int* numbers = support::allocate<int>(2 * static_cast<std::size_t>(place.level) + 1);
  for (const Place* at = &place; numbers != nullptr && at->level > 0; at = at->primary) {
    numbers[at->level - 1] = at->number;
    numbers[place.level + at->level - 1] = at->size;
  }
  return numbers;
}

// Returns the number of the root thread at the top of a place's path, or -1 if it is the only root.
int root_of(const Place& place) {
  const Place* top = &place;
  while (top->primary != nullptr) {
    top = top->primary;
  }
  return top == &top->plan->root ? -1 : top->number;
}

void tell_team(const Planned& team) {
  const Place& first = team.members[0];
  // Pictures show the whole machine, not a root thread's part.
  const PlanInForce& plan = first.plan->whole != nullptr ? *first.plan->whole : *first.plan;
  int* path = path_of(*first.primary);
  auto* members = support::allocate<observe::Member>(static_cast<std::size_t>(team.size));
  if (path != nullptr && members != nullptr) {
    for (int i = 0; i < team.size; ++i) {
      members[i] = member_of(team.members[i]);
    }
    observe::tell_team_placed({.spec = &first.plan->spec,
                               .level = first.level,
                               .primary = path,
                               .size = team.size,
                               .members = members,
                               .sizes = path + first.level - 1,
                               .planner = &planner(),
                               .plan = plan.handle,
                               .root = root_of(first)});
  }
  free(path);
  free(members);
}

int count_seen(const Planned& team, unsigned process) {
  constexpr int kBits = 32;
  const std::uint64_t nobody = std::uint64_t{process} << kBits;
  std::uint64_t before = team.seen.load(std::memory_order_relaxed);
  std::uint64_t now = 0;
  do {
    now = (before >> kBits == process ? before : nobody) + 1;
  } while (!team.seen.compare_exchange_weak(before, now, std::memory_order_acq_rel));
  return static_cast<int>(now - nobody);
}

}  // namespace

void note_seen(const Place& place, const Planned& team) {
  const unsigned process = g_seen_process.load(std::memory_order_relaxed);
  if (place.seen_in.load(std::memory_order_relaxed) == process ||
      place.seen_in.exchange(process, std::memory_order_relaxed) == process) {
    return;
  }
  const support::ErrnoKept errno_kept;
  place.thread_id = static_cast<int>(support::system_call(SYS_gettid));
  mask::MaskBuffer* mask =
      place.mask_seen != nullptr ? place.mask_seen : support::allocate<mask::MaskBuffer>();
  if (mask != nullptr && !binding::read_self(*mask)) {
    free(mask);
    mask = nullptr;
  }
  place.mask_seen = mask;
  place.was_bound = binding::bound_mask().bits != nullptr;
  if (count_seen(team, process) == team.size) {
    tell_team(team);
  }
}

void tell_new_slot(const Place& place, bool is_bound) {
  observe::SlotTaken slot_taken{.spec = &place.plan->spec,
                                .planned = &place.planned,
                                .level = place.level,
                                .path = {},
                                .is_bound = is_bound,
                                .root = root_of(place)};
  for (const Place* at = &place; at->level > 0; at = at->primary) {
    if (at->level <= observe::SlotTaken::kMostPath) {
      slot_taken.path[at->level - 1] = at->number;
    }
  }
  observe::tell_slot_taken(slot_taken);
}

void tell_left(const Place* place) {
  if (is_planned(place)) {
    observe::tell_member_left(member_of(*place));
  }
}

void forget_seen_in_child() {
  g_seen_process.fetch_add(1, std::memory_order_relaxed);
  observe::tell_in_child();
}

void display_self(const omp::Calls& runtime) {
  const Line line{binding::t_thread.bound.bits, runtime.get_level(), runtime.get_thread_num(),
                  runtime.get_num_threads()};
  if (line == t_last || !omp::lines_are_taken(runtime)) {
    return;
  }
  t_last = line;
  const support::ErrnoKept errno_kept;
  const process::Uncancelled uncancelled;
  support::TextBuffer format;
  if (auto* display = omp::affinity_calls(runtime).display) {
    display(affinity_format(runtime, nullptr, format) ? format.text() : nullptr);
  }
}

void bind_to(const Place& place) {
  const bool is_bound = binding::bind_self(place.planned.mask, place.slot_id);
  tell_slot(place, is_bound);
  if (is_bound) {
    return;
  }
  process::trace(process::Traced::kRefused, place.level, place.number);
  static constinit std::atomic<bool> told{false};
  process::warn_once(told, "the kernel refuses to bind a thread; it runs unbound");
}

void tell_crowd(const Planned& team) {
  char* const warning = team.warning.exchange(nullptr, std::memory_order_relaxed);
  PlanInForce* plan = team.members[0].plan;
  while (plan->base != nullptr) {
    plan = plan->base;
  }
  plan = plan->whole != nullptr ? plan->whole : plan;
  if (warning != nullptr && !crowd_is_told() && !plan->is_crowd_told.exchange(true)) {
    say_crowd(warning);
  }
  free(warning);
}

void stand_up() {
  binding::unbind_self();
  observe::tell_slot_taken({});
}

void runtime_starts() {
  if (binding::bound_mask().bits != nullptr) {
    stand_up();
  }
}

bool affinity_format(const omp::Calls& runtime, const char* format, support::TextBuffer& text) {
  mask::MaskBuffer cpus;
  return binding::read_self(cpus) && omp::add_format(runtime, format, cpus.view(), text);
}

int affinity_place(const omp::Calls& runtime) {
  mask::MaskBuffer cpus;
  const mask::CpuMask bound = binding::bound_mask();
  return bound.bits != nullptr      ? omp::place_of(runtime, bound)
         : binding::read_self(cpus) ? omp::place_of(runtime, cpus.view())
                                    : -1;
}

bool is_bound_member() { return binding::bound_mask().bits != nullptr && !is_outside_regions(); }

int active_levels(const omp::Calls& runtime) {
  int active = 0;
  for (int level = runtime.get_level(); level > 0; --level) {
    active += runtime.get_team_size(level) > 1 ? 1 : 0;
  }
  return active;
}

void tell_if_refused(const team::Team& team) {
  static constinit std::atomic<bool> is_told{false};
  // A runtime may have freed the enclosing teams of a thread that ends.
  if (is_told.load(std::memory_order_relaxed) || team::t_here.is_ending) {
    return;
  }
  const omp::Calls& runtime = *team.runtime;
  const int allowed = runtime.get_max_active_levels();
  // With fewer active levels, the reason is another one: a thread limit, or dynamic team sizes.
  if (allowed > 0 && active_levels(runtime) >= allowed &&
      !is_told.exchange(true, std::memory_order_relaxed)) {
    observe::tell_refused({runtime.get_level(), team.asked, allowed});
  }
}

}  // namespace nestbind::placement
