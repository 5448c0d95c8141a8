// SPDX-License-Identifier: BSD-3-Clause
#include "owner/rank_part.hpp"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "binding/kernel_mask.hpp"
#include "mask/cpu_ranges.hpp"
#include "omp/unseen.hpp"
#include "options/settings.hpp"
#include "options/table.hpp"
#include "places/plans_lock.hpp"
#include "process/message.hpp"
#include "process/original_mask.hpp"
#include "process/rank.hpp"
#include "ranks/launcher.hpp"
#include "ranks/meeting/job_key.hpp"
#include "ranks/meeting/meeting.hpp"
#include "workers/census.hpp"

namespace nestbind::placement {

using mask::CpuMask;
using mask::MaskBuffer;
using options::settings;
using process::say;
using process::Severity;

namespace {

constexpr char kOwnMask[] = "own mask";
constexpr char kAlone[] = "alone";
constexpr char kDivided[] = "divided";

constinit std::atomic<bool> g_is_undecided{false};
constinit ranks::Rank g_rank;
constinit process::Part g_part;
// The mask that ranks have divided. Written before the process's mask changes: other threads must
// not take it for a mask of their own.
constinit std::atomic<const unsigned long*> g_divided{nullptr};
constinit std::atomic<bool> g_crowd_is_told{false};
constinit thread_local bool t_keeps_to_part __attribute__((tls_model("initial-exec"))) = false;
constinit bool g_is_child = false;  // a rank started this process; written before the decision

__attribute__((format(printf, 2, 3))) void note(const char* kind, const char* why, ...) {
  g_part.kind = kind;
  va_list values;
  va_start(values, why);
  vsnprintf(g_part.why, sizeof g_part.why, why, values);
  va_end(values);
}

void note_divided(const ranks::Answer& answer) {
  MaskBuffer members{};
  for (int rank = 0; rank < ranks::kMostRanks; ++rank) {
    if (answer.division.has(rank)) {
      mask::add(members.bits, rank);
    }
  }
  support::TextBuffer same;
  mask::add_ranges(members.view(), same);
  if (answer.fault != nullptr) {
    note(kDivided, "nestbind assumes that all %d ranks have this rank's mask", g_rank.of);
  } else if (answer.is_child) {
    note(kDivided, "rank %d of this node has started this process, and both have the same part",
         g_rank.local);
  } else if (answer.division.missing > 0) {
    note(kDivided, "ranks %s have the same mask; %d of them have not reported it yet", same.text(),
         answer.division.missing);
  } else {
    note(kDivided, "ranks %s have the same mask", same.text());
  }
}

void note_whole(const ranks::Answer& answer) {
  if (answer.is_child && !answer.has_its_mask) {
    note(kOwnMask, "rank %d of this node has started this process, with another mask",
         g_rank.local);
  } else if (answer.division.overlapping >= 0) {
    note(kOwnMask, "it overlaps the mask of rank %d in part", answer.division.overlapping);
  } else {
    note(kOwnMask, "no other rank has a processor of this mask");
  }
}

// Warns once per job if the ranks cannot compare their masks, or if masks overlap in part. unbound:
// the launcher's option that turns binding off, or empty if there is no such option.
void tell_of_meeting(const ranks::Answer& answer, const char* unbound) {
  if (answer.fault != nullptr && g_rank.local == 0) {
    say(Severity::kWarning,
        "the ranks of this node cannot exchange their masks in %s (%s): each rank assumes that all "
        "ranks have the same mask",
        options::settings().publish, answer.fault);
  }
  if (answer.fault == nullptr && answer.division.overlapping >= 0 && !answer.is_child &&
      ranks::is_first_to_tell(g_rank, ranks::Trouble::kOverlap)) {
    say(Severity::kWarning,
        "the masks of ranks %d and %d of this node overlap in part: each keeps its own mask, and "
        "threads of both may run on the same processors%s%s",
        g_rank.local, answer.division.overlapping,
        unbound[0] == '\0' ? "" : "; to divide them: ", unbound);
  }
}

bool is_dry() { return settings().machine != nullptr; }

// This rank reports this mask to the other ranks. The mask is empty in a dry run.
CpuMask told_mask() { return is_dry() ? CpuMask{0, nullptr} : process::original_mask(); }

void settle() {
  process::set_part(g_part);
  g_is_undecided.store(false, std::memory_order_release);
}

void decide(const char* kind, const char* why) {
  note(kind, "%s", why);
  g_part.cpus = told_mask();
  settle();
}

const ranks::Launcher* find_self() {
  const ranks::Told told = ranks::told_in(options::variable);
  const bool is_by_hand = settings().ranks == options::Ranks::kByHand;
  const char* const own = options::kTable[options::kRanks].rule.name;
  g_part.local = is_by_hand ? settings().local_rank : told.local;
  g_part.of = is_by_hand ? settings().local_ranks : told.of;
  const char* const unknown =
      ranks::rank_of_unknown(options::variable) == nullptr ? "" : "an unknown launcher";
  g_part.by = is_by_hand           ? own
              : told.by == nullptr ? unknown
                                   : static_cast<const char*>(told.by->name);
  return told.by;
}

const char* how_unbound() {
  const ranks::Launcher* const by = ranks::launcher_in(options::variable);
  return by == nullptr ? "" : static_cast<const char*>(by->unbound);
}

bool put(const CpuMask& part) {
  if (is_dry()) {
    g_part.cpus = use_in_dry_run(part);
  } else {
    g_divided.store(process::original_mask().bits, std::memory_order_release);
    if (!process::change_original_mask(part)) {
      return false;
    }
    g_part.cpus = process::original_mask();
    workers::set_processors(mask::count(part));
    if (!binding::self_is_bound()) {
      binding::widen_kernel_mask();
    }
  }
  return true;
}

// Finds a rank's part and its share of the CPU quota, once: the part becomes the process's mask.
// Before a fork, missing ranks may delay the decision. Called under the lock of plans.
void find_part(const spec::Spec& spec, ranks::Wait wait) {
  if (!part_is_undecided() || !has_planner()) {
    return;
  }
  const spec::Need need = spec::need_of(spec);
  const ranks::Answer answer =
      ranks::decide(g_rank, told_mask(), {need.threads, need.is_open}, wait);
  if (!answer.is_decided) {
    return;
  }
  const ranks::Division& division = answer.division;
  const int quota = process::quota();
  tell_of_meeting(answer, how_unbound());
  process::divide_quota(answer.with_quota);
  g_part.cpus = told_mask();
  g_is_child = answer.is_child;
  const bool divides = division.of > 1 && (!answer.is_child || answer.has_its_mask);
  if (divides) {
    note_divided(answer);
    g_crowd_is_told.store(division.index > 0, std::memory_order_relaxed);
    MaskBuffer part;
    PlannerMessage message{};
    const bool is_put =
        planner().divide(planner_options(usable()), spec,
                         {division.of, division.index, division.need.slots, division.need.is_open},
                         part, message) == NESTBIND_OK &&
        put(part.view());
    settle();  // a thread that sees the decision also sees the part
    if (is_put && message.text[0] != '\0' && !crowd_is_told()) {
      g_crowd_is_told.store(true, std::memory_order_relaxed);
      if (answer.tells_too_small || ranks::is_first_to_tell(g_rank, ranks::Trouble::kTooSmall)) {
        say(Severity::kWarning, "a rank's part of the processors is too small: %s", message.text);
      }
    }
  } else {
    note_whole(answer);
    settle();
  }
  if (divides || quota != process::quota()) {
    renew_plan_in_force();
  }
}

void decide_part(const PlanInForce& plan, ranks::Wait wait) {
  if (part_is_undecided()) {
    with_planner([&] {
      find_part(plan.spec, wait);
      return int{NESTBIND_OK};
    });
  }
}

}  // namespace

void enter_rank() {
  const ranks::Launcher* const by = find_self();
  if (g_part.by[0] == '\0') {
    return;
  }
  if (g_part.of == 0) {
    const char* const number =
        by == nullptr ? ranks::rank_of_unknown(options::variable) : options::variable(by->local);
    decide("not told", "it does not say how many ranks are on this node");
    if (number != nullptr && strcmp(number, "0") == 0) {
      say(Severity::kWarning,
          "%s does not say how many ranks are on this node, so they do not divide it; set "
          "NESTBIND_RANKS=LOCAL/OF",
          g_part.by);
    }
    return;
  }
  if (settings().ranks == options::Ranks::kShared) {
    decide("shared", "NESTBIND_RANKS=shared");
    return;
  }
  if (g_part.of == 1) {
    decide(kAlone, "it is the only rank of the job on this node");
    return;
  }
  g_rank.local = g_part.local;
  g_rank.of = g_part.of;
  if (g_rank.of <= ranks::kMostRanks) {
    const ranks::Job job = ranks::find_job(by, g_rank.of);
    g_rank.job = job.key;
    g_rank.space = job.space;
    g_rank.quota = process::cpu_quota().folder;
    ranks::enter(g_rank, told_mask(), omp::has_runtime_at_start());  // errors are reported later
  }
  g_is_undecided.store(true, std::memory_order_release);
}

bool part_is_undecided() { return g_is_undecided.load(std::memory_order_acquire); }

int make_plan(PlanInForce* plan) {
  const int status = plan->status.load(std::memory_order_acquire);
  if (status != PlanInForce::kNotMade) {
    return status;
  }
  decide_part(*plan, ranks::Wait::kPatiently);
  return make_for_mask(plan);
}

void settle_ranks() {
  const PlanInForce* const plan = plan_in_force();
  if (part_is_undecided() && plan != nullptr &&
      plan->status.load(std::memory_order_acquire) != PlanInForce::kNotMade) {
    decide_part(*plan, ranks::Wait::kPatiently);
  }
}

PlanInForce* plan_to_count_in(PlanInForce* plan) {
  decide_part(*plan, ranks::Wait::kBriefly);
  if (make_for_mask(plan) != NESTBIND_OK) {
    return nullptr;
  }
  plan = for_present_mask(plan);
  if (!part_is_undecided()) {
    return plan;
  }
  PlanInForce* const part = plan_of_part(plan, usable(), {usable().bits, g_part.local, g_part.of});
  return part != nullptr && make_for_mask(part) == NESTBIND_OK ? part : plan;
}

bool is_divided_mask(const CpuMask& mask) {
  const unsigned long* const divided = g_divided.load(std::memory_order_acquire);
  return divided != nullptr && mask::is_same(mask, {mask::kMaxCpus / 8, divided});
}

void keep_to_part() {
  if (t_keeps_to_part || g_divided.load(std::memory_order_acquire) == nullptr ||
      part_is_undecided()) {
    return;
  }
  t_keeps_to_part = true;
  MaskBuffer now;
  if (!binding::self_is_bound() && binding::read_self(now) && is_divided_mask(now.view())) {
    binding::widen_kernel_mask();
  }
}

void say_crowd(const char* sharing) {
  if (const process::MaskSetter* const setter = process::narrowed_by()) {
    say(Severity::kWarning,
        "%s: %s has narrowed the process's mask; a word in the specification, such as "
        "core,scatter, follows the mask",
        sharing, setter->who);
    return;
  }
  const process::Part* const part = process::part();
  const bool has_own = part != nullptr && part->cpus.bits != nullptr && !g_is_child &&
                       (strcmp(part->kind, kOwnMask) == 0 || strcmp(part->kind, kAlone) == 0);
  if (has_own && part->of > 1 && !ranks::is_first_to_tell(g_rank, ranks::Trouble::kTooSmall)) {
    return;
  }
  const int cpus = has_own ? mask::count(part->cpus) : 0;
  if (cpus == 0 || cpus >= sysconf(_SC_NPROCESSORS_ONLN)) {
    say(Severity::kWarning, "%s", sharing);
    return;
  }
  // By default Slurm gives a task one processor, even if it binds nothing.
  const char* const unbound = how_unbound();
  const char* const more = strncmp(unbound, "srun ", 5) == 0 ? "srun --cpus-per-task" : unbound;
  say(Severity::kWarning, "%s: this rank was started with %d processor%s%s%s", sharing, cpus,
      cpus == 1 ? "" : "s", more[0] == '\0' ? "" : "; for more: ", more);
}

bool crowd_is_told() { return g_crowd_is_told.load(std::memory_order_relaxed); }

}  // namespace nestbind::placement
