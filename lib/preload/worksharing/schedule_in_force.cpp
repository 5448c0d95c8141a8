// SPDX-License-Identifier: BSD-3-Clause
#include "worksharing/schedule_in_force.hpp"

#include <stdlib.h>
#include <unistd.h>

#include "options/settings.hpp"
#include "options/table.hpp"
#include "placement/placement_start.hpp"
#include "process/armed.hpp"
#include "process/message.hpp"
#include "support/allocate.hpp"
#include "team/consumer.hpp"
#include "worksharing/loop_clock.hpp"
#include "worksharing/shared_team.hpp"
#include "worksharing/unseen_loops.hpp"

namespace nestbind::worksharing {

using options::settings;

constinit std::atomic<bool> g_wanted{true};
constinit process::Once g_start;

namespace {

constinit std::atomic<const InForce*> g_in_force{nullptr};
constinit std::atomic<InForce*> g_all{nullptr};  // root of the tree
constinit std::atomic<const InForce*> g_last{nullptr};
constinit std::atomic<int> g_process{0};
constinit std::atomic<Listener*> g_listeners{nullptr};
constinit loops::Sites g_sites;

void set_wanted(bool is_wanted) {
  g_wanted.store(is_wanted, std::memory_order_seq_cst);
  for (Listener* listener = g_listeners.load(std::memory_order_acquire); listener != nullptr;
       listener = listener->next) {
    listener->changed(is_wanted);
  }
}

const InForce* environment_schedule(const char* text) {
  loops::Schedule schedule;
  loops::Fault fault;
  if (!loops::parse(text, schedule, fault)) {
    char message[1024];
    loops::describe(text, fault, message, sizeof message);
    process::say(process::Severity::kError, "%s: %s%s",
                 options::kTable[options::kSchedule].rule.name, message,
                 settings().strict ? "" : "\n  it is ignored: the runtime schedules the loops");
    if (settings().strict) {
      process::refuse();
    }
    return nullptr;
  }
  return schedule.kind == loops::Kind::kNative ? nullptr : entry_of(schedule);
}

// If the chunk changes, all bits of the hash may change.
std::uint64_t hash(const loops::Schedule& schedule) {
  std::uint64_t words = static_cast<std::uint64_t>(schedule.fraction) + 1;
  for (const int word : {static_cast<int>(schedule.kind), static_cast<int>(schedule.taper),
                         static_cast<int>(schedule.sharing), static_cast<int>(schedule.weights),
                         static_cast<int>(schedule.taken)}) {
    words = words << 3 | static_cast<std::uint64_t>(word);
  }
  for (const std::uint64_t number :
       {static_cast<std::uint64_t>(schedule.blocks), schedule.every,
        static_cast<std::uint64_t>(schedule.steal), static_cast<std::uint64_t>(schedule.alpha)}) {
    words = (words ^ number) * 0xd6e8feb86659fd93;
    words ^= words >> 32;
  }
  std::uint64_t bits = schedule.chunk * 0x9e3779b97f4a7c15 ^ words;
  bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93;  // odd, and spreads low bits well
  bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93;
  return bits ^ bits >> 32;
}

InForce* new_entry(const loops::Schedule& schedule) {
  static constinit process::Once once;
  once.run([] { start_clock(); });
  InForce* made = support::allocate<InForce>();
  if (made != nullptr) {
    made->settings = {.schedule = schedule,
                      .sites = &g_sites,
                      .is_reported = settings().report != options::ReportFormat::kNone,
                      .take = ticks_in(kTake)};
  }
  return made;
}

// If two threads make the same entry at once, both get the entry of the first thread.
const InForce* known_or_made(const loops::Schedule& schedule) {
  InForce* made = nullptr;
  std::atomic<InForce*>* branch = &g_all;
  for (std::uint64_t bits = hash(schedule);; bits <<= 2) {
    InForce* there = branch->load(std::memory_order_acquire);
    if (there == nullptr) {
      made = made == nullptr ? new_entry(schedule) : made;
      if (made == nullptr || branch->compare_exchange_strong(there, made, std::memory_order_acq_rel,
                                                             std::memory_order_acquire)) {
        return made;
      }
    }
    if (there->settings.schedule == schedule) {
      free(made);
      return there;
    }
    branch = &there->branches[bits >> 62];
  }
}

__attribute__((constructor)) void start_with_the_library() { start(); }

}  // namespace

void read_schedule() {
  placement::start();
  const char* text = settings().schedule;
  const InForce* in_force = text == nullptr ? nullptr : environment_schedule(text);
  if (in_force == nullptr) {
    set_wanted(false);
  } else {
    look_for_unseen(true);
    warn_of_queues(in_force->settings.schedule);
    put_in_force(in_force);
  }
  team::all_have_looked();
}

const InForce* entry_of(const loops::Schedule& schedule) {
  const InForce* entry = known_or_made(schedule);
  if (entry != nullptr) {
    g_process.store(getpid(), std::memory_order_relaxed);
    g_last.store(entry, std::memory_order_release);
  }
  return entry;
}

void warn_of_queues(const loops::Schedule& schedule) {
  const bool needs_places =
      schedule.sharing != loops::Sharing::kThread && schedule.sharing != loops::Sharing::kAll;
  if (!needs_places || process::armed()) {
    return;
  }
  static constinit process::Once once;
  once.run([&schedule] {
    char text[loops::kMaxText];
    loops::print(schedule, text, sizeof text);
    process::say(
        process::Severity::kWarning,
        "%s: without a specification the near threads are not known, so each thread has its "
        "own queue",
        text);
  });
}

const InForce* last_asked_for() { return g_last.load(std::memory_order_acquire); }

int process_of_schedule() { return g_process.load(std::memory_order_relaxed); }

// g_wanted stays true, because a thread may still be in a loop that we share.
void put_in_force(const InForce* schedule) {
  g_in_force.store(schedule, std::memory_order_release);
  if (schedule != nullptr) {
    set_wanted(true);
  }
}

const InForce* schedule_from(const Member* member) {
  if (member != nullptr && member->forks.has_schedule) {
    return member->forks.schedule;
  }
  return member != nullptr && member->team != nullptr ? member->team->schedule
                                                      : g_in_force.load(std::memory_order_acquire);
}

const InForce* schedule_for_fork() { return schedule_from(own_member()); }

bool fork_takes(LoopKind kind) {
  const Member* here = own_member();
  const bool is_chosen =
      kind == LoopKind::kRuntime && here != nullptr && here->forks.runtime_is_chosen;
  const InForce* schedule = is_chosen ? nullptr : schedule_for_fork();
  return schedule != nullptr && takes(schedule->settings.schedule, kind);
}

const loops::Sites& sites() { return g_sites; }

void forget_sites(std::uint64_t identity) {
  if (settings().report == options::ReportFormat::kNone) {
    g_sites.forget(identity);
  }
}

void add(Listener& listener) {
  listener.next = g_listeners.load(std::memory_order_relaxed);
  while (!g_listeners.compare_exchange_weak(listener.next, &listener, std::memory_order_release,
                                            std::memory_order_relaxed)) {
  }
  if (is_wanted()) {
    listener.changed(true);
  }
}

}  // namespace nestbind::worksharing
