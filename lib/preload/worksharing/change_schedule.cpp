// SPDX-License-Identifier: BSD-3-Clause

#include <nestbind/nestbind.h>
#include <stdlib.h>

#include <new>

#include "options/settings.hpp"
#include "placement/placement_start.hpp"
#include "process/message.hpp"
#include "support/errno_kept.hpp"
#include "worksharing/schedule_in_force.hpp"
#include "worksharing/shared_team.hpp"
#include "worksharing/unseen_loops.hpp"

namespace nestbind::worksharing {

namespace {

constinit std::atomic<bool> g_runtime_was_chosen{false};

int number_of(loops::Error error) {
  switch (error) {
    case loops::Error::kNone:
      return NESTBIND_OK;
    case loops::Error::kEmpty:
    case loops::Error::kBadKind:
      return NESTBIND_BAD_SCHEDULE;
    case loops::Error::kBadOption:
    case loops::Error::kTwice:
      return NESTBIND_BAD_OPTION;
    case loops::Error::kBadFraction:
    case loops::Error::kBadChunk:
    case loops::Error::kBadCount:
    case loops::Error::kBadWord:
      return NESTBIND_BAD_VALUE;
    case loops::Error::kBadSeparator:
      return NESTBIND_BAD_SEPARATOR;
  }
  return NESTBIND_BAD_SCHEDULE;
}

// On an error prints what is wrong and returns the error's number.
int read(std::string_view text, loops::Schedule& schedule) {
  loops::Fault fault;
  if (loops::parse(text, schedule, fault)) {
    return NESTBIND_OK;
  }
  char message[1024];
  loops::describe(text, fault, message, sizeof message);
  process::say(process::Severity::kError, "nestbind_set_schedule: %s", message);
  return number_of(fault.error);
}

// Keeps the lower number, because the earliest call of omp_set_schedule decides.
void choose_from(std::atomic<std::uint64_t>& from, std::uint64_t barrier) {
  std::uint64_t present = from.load(std::memory_order_relaxed);
  while (barrier < present &&
         !from.compare_exchange_weak(present, barrier, std::memory_order_relaxed)) {
  }
}

// If a root thread has no member yet, makes the member.
Member* own_or_new_member() {
  team::Member& here = team::here();
  if (here.loops == nullptr && here.team == nullptr && &here != &team::g_nowhere) {
    const support::ErrnoKept errno_kept;
    void* const memory = aligned_alloc(alignof(Member), sizeof(Member));
    here.loops = memory == nullptr ? nullptr : new (memory) Member;
  }
  return here.loops;
}

}  // namespace

int set_schedule(const char* text, std::size_t length) {
  start();
  if (text == nullptr) {
    return NESTBIND_BAD_ARGUMENT;
  }
  loops::Schedule schedule;
  if (const int error = read({text, length}, schedule); error != NESTBIND_OK) {
    return error;
  }
  Member* const here = own_member();
  if (here == &g_nowhere) {
    return NESTBIND_NOT_PLACED;
  }
  placement::prepare_for_loops();  // the new entry needs settings().report
  const bool is_native = schedule.kind == loops::Kind::kNative;
  if (!is_native && options::is_off(options::kSchedulesOff)) {
    return NESTBIND_TURNED_OFF;
  }
  const InForce* wanted = is_native ? nullptr : entry_of(schedule);
  if (wanted == nullptr && !is_native) {
    return NESTBIND_NO_MEMORY;
  }
  if (!is_native) {
    look_for_unseen(false);
    warn_of_queues(schedule);
  }
  const bool is_in_region = here != nullptr && here->team != nullptr;
  if (here != nullptr) {
    here->forks = {.schedule = is_in_region ? wanted : nullptr, .has_schedule = is_in_region};
  }
  if (!is_in_region) {
    put_in_force(wanted);
  }
  return NESTBIND_OK;
}

std::size_t get_schedule(char* buffer, std::size_t size) {
  start();
  const InForce* present = own_member() == &g_nowhere ? nullptr : schedule_for_fork();
  const bool are_seen = why_unseen() == nullptr || has_forked();
  const bool takes_some = present != nullptr && are_seen &&
                          (fork_takes(LoopKind::kRuntime) || fork_takes(LoopKind::kDynamic));
  return loops::print(takes_some ? present->settings.schedule : loops::Schedule{}, buffer, size);
}

void runtime_is_chosen() {
  if (!is_wanted()) {
    return;
  }
  start();
  Member* const here = own_or_new_member();
  if (here == nullptr || here == &g_nowhere || !is_wanted()) {
    return;
  }
  here->forks.runtime_is_chosen = true;
  if (here->team != nullptr) {
    choose_from(here->team->chosen_from, here->barriers + 1);
  }
  g_runtime_was_chosen.store(true, std::memory_order_relaxed);
}

bool was_runtime_chosen() { return g_runtime_was_chosen.load(std::memory_order_relaxed); }

}  // namespace nestbind::worksharing
