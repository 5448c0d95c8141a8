// SPDX-License-Identifier: BSD-3-Clause
#include "placement/part.hpp"

#include <string.h>

#include <atomic>

#include "binding/kernel_mask.hpp"
#include "omp/unseen.hpp"
#include "options/settings.hpp"
#include "options/table.hpp"
#include "placement/part_words.hpp"
#include "process/message.hpp"
#include "process/original_mask.hpp"
#include "process/quota.hpp"
#include "process/rank.hpp"
#include "ranks/launcher.hpp"
#include "ranks/meeting/job_key.hpp"
#include "ranks/meeting/meeting.hpp"
#include "spec/need.hpp"
#include "workers/census.hpp"

namespace nestbind::placement {

using mask::CpuMask;
using mask::MaskBuffer;
using options::settings;
using process::say;
using process::Severity;

namespace {

constinit std::atomic<bool> g_is_undecided{false};
constinit ranks::Rank g_rank;
constinit process::Part g_part;
// Written before g_is_divided.
constinit CpuMask g_divided{0, nullptr};
constinit MaskBuffer g_dry{};
constinit std::atomic<bool> g_is_divided{false};
constinit std::atomic<bool> g_crowd_is_told{false};
constinit thread_local bool t_keeps_to_part __attribute__((tls_model("initial-exec"))) = false;
constinit bool g_tells_too_small = false;
constinit bool g_is_child = false;  // a rank started this process; written before the decision

bool is_dry() { return settings().machine != nullptr; }

// This rank reports this mask to the other ranks. The mask is empty in a dry run.
CpuMask told_mask() { return is_dry() ? CpuMask{0, nullptr} : process::original_mask(); }

void settle() {
  process::set_part(g_part);
  g_is_undecided.store(false, std::memory_order_release);
}

void decide(const char* kind, const char* why) {
  note(g_part, kind, "%s", why);
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

void leave_whole(const char* number) {
  decide("not told", "it does not say how many ranks are on this node");
  if (number != nullptr && strcmp(number, "0") == 0) {
    say(Severity::kWarning,
        "%s does not say how many ranks are on this node, so they do not divide it; set "
        "NESTBIND_RANKS=LOCAL/OF",
        g_part.by);
  }
}

const char* how_unbound() {
  const ranks::Launcher* const by = ranks::launcher_in(options::variable);
  return by == nullptr ? "" : static_cast<const char*>(by->unbound);
}

// More than kMostRanks ranks cannot exchange their masks. They use only their numbers.
ranks::Answer answer_of_many() {
  ranks::Answer answer;
  answer.is_decided = true;
  answer.fault = "there are too many";
  answer.division.index = g_rank.local;
  answer.division.of = g_rank.of;
  answer.with_quota = g_rank.of;
  return answer;
}

bool put(const CpuMask& part) {
  if (part.bits == nullptr) {
    return false;
  }
  if (is_dry()) {
    memcpy(g_dry.bits, part.bits, part.bytes);
    g_part.cpus = g_dry.view();
  } else {
    g_divided = process::original_mask();
    if (!process::change_original_mask(part)) {
      return false;
    }
    g_part.cpus = process::original_mask();
    workers::set_processors(mask::count(part));
    if (!binding::self_is_bound()) {
      binding::widen_kernel_mask();
    }
  }
  g_is_divided.store(true, std::memory_order_release);
  return true;
}

}  // namespace

void enter_rank() {
  const ranks::Launcher* const by = find_self();
  if (g_part.by[0] == '\0') {
    return;
  }
  if (g_part.of == 0) {
    leave_whole(by == nullptr ? ranks::rank_of_unknown(options::variable)
                              : options::variable(by->local));
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

bool meet_ranks(const spec::Spec& spec, bool is_fork, PlannerDivision& division) {
  if (!part_is_undecided()) {
    return false;
  }
  const spec::Need need = spec::need_of(spec);
  const ranks::Answer answer =
      g_rank.of > ranks::kMostRanks
          ? answer_of_many()
          : ranks::decide(g_rank, told_mask(), {need.threads, need.is_open},
                          is_fork ? ranks::Wait::kPatiently : ranks::Wait::kBriefly);
  if (!answer.is_decided) {
    return false;
  }
  tell_of_meeting(answer, g_rank, how_unbound());
  process::divide_quota(answer.with_quota);
  g_part.cpus = told_mask();
  g_is_child = answer.is_child;
  if (answer.division.of == 1 || (answer.is_child && !answer.has_its_mask)) {
    note_whole(answer, g_rank, g_part);
    settle();
    return false;
  }
  note_divided(answer, g_rank, g_part);
  division = {answer.division.of, answer.division.index, answer.division.need.slots,
              answer.division.need.is_open};
  g_crowd_is_told.store(division.index > 0, std::memory_order_relaxed);
  g_tells_too_small = answer.tells_too_small;
  return true;
}

void take_part(const CpuMask& part, const char* too_small) {
  const bool is_put = put(part);
  settle();  // a thread that sees the decision also sees the part
  if (is_put && too_small[0] != '\0' && !crowd_is_told()) {
    g_crowd_is_told.store(true, std::memory_order_relaxed);
    if (g_tells_too_small || ranks::is_first_to_tell(g_rank, ranks::Trouble::kTooSmall)) {
      say(Severity::kWarning, "a rank's part of the processors is too small: %s", too_small);
    }
  }
}

bool is_divided_mask(const CpuMask& mask) {
  return g_is_divided.load(std::memory_order_acquire) && g_divided.bits != nullptr &&
         mask::is_same(mask, g_divided);
}

void keep_to_part() {
  if (!g_is_divided.load(std::memory_order_acquire) || t_keeps_to_part || is_dry()) {
    return;
  }
  t_keeps_to_part = true;
  MaskBuffer now;
  if (!binding::self_is_bound() && binding::read_self(now) && is_divided_mask(now.view())) {
    binding::widen_kernel_mask();
  }
}

CpuMask usable() {
  if (!is_dry()) {
    return process::original_mask();
  }
  return g_is_divided.load(std::memory_order_acquire) ? g_dry.view() : CpuMask{0, nullptr};
}

void say_crowd(const char* sharing) {
  const process::Part* const part = process::part();
  const bool has_own = part != nullptr && part->cpus.bits != nullptr && !g_is_child &&
                       (strcmp(part->kind, kOwnMask) == 0 || strcmp(part->kind, kAlone) == 0);
  if (has_own && part->of > 1 && !ranks::is_first_to_tell(g_rank, ranks::Trouble::kTooSmall)) {
    return;
  }
  tell_crowd(sharing, has_own ? mask::count(part->cpus) : 0, how_unbound());
}

bool crowd_is_told() { return g_crowd_is_told.load(std::memory_order_relaxed); }

}  // namespace nestbind::placement
