// SPDX-License-Identifier: BSD-3-Clause
#include "sharing/schedule.hpp"

#include "options/settings.hpp"
#include "options/table.hpp"
#include "placement/start.hpp"
#include "process/message.hpp"
#include "process/refuse.hpp"
#include "sharing/clock.hpp"
#include "sharing/team.hpp"
#include "support/allocate.hpp"

namespace nestbind::sharing {

using options::settings;

constinit std::atomic<bool> g_wanted{true};
constinit process::Once g_start;

namespace {

constinit std::atomic<const InForce*> g_in_force{nullptr};
constinit std::atomic<Listener*> g_listeners{nullptr};
// What was measured of all loops.
constinit loops::Sites g_sites;

void set_wanted(bool is_wanted) {
  g_wanted.store(is_wanted, std::memory_order_seq_cst);
  for (Listener* listener = g_listeners.load(std::memory_order_acquire); listener != nullptr;
       listener = listener->next) {
    listener->changed(is_wanted);
  }
}

const InForce* in_force_for(const loops::Schedule& schedule) {
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

// Null with a message where the text is no schedule; null for "native", too.
const InForce* environment_schedule(const char* text) {
  loops::Schedule schedule;
  loops::Fault fault;
  if (!loops::parse(text, schedule, fault)) {
    char message[1024];
    loops::describe(text, fault, message, sizeof message);
    process::say(process::Severity::kError, "%s: %s", options::kTable[options::kSchedule].rule.name,
                 message);
    if (settings().strict) {
      process::refuse();
    }
    return nullptr;
  }
  return schedule.kind == loops::Kind::kNative ? nullptr : in_force_for(schedule);
}

}  // namespace

void read_schedule() {
  placement::start();
  const char* text = settings().schedule;
  const InForce* in_force = text == nullptr ? nullptr : environment_schedule(text);
  g_in_force.store(in_force, std::memory_order_release);
  set_wanted(in_force != nullptr);
}

const InForce* schedule_for_fork() {
  const Member* here = t_member;
  return here != nullptr && here->team != nullptr && here->shared != nullptr
             ? here->team->schedule
             : g_in_force.load(std::memory_order_acquire);
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

namespace {

__attribute__((constructor)) void start_with_the_library() { start(); }

}  // namespace

}  // namespace nestbind::sharing
