// SPDX-License-Identifier: BSD-3-Clause
#include "placement/plans.hpp"

#include "binding/kernel_mask.hpp"
#include "options/settings.hpp"
#include "placement/load_planner.hpp"
#include "placement/plans_lock.hpp"
#include "process/message.hpp"
#include "process/original_mask.hpp"
#include "process/undisturbed.hpp"
#include "spec/errors.hpp"
#include "support/allocate.hpp"

namespace nestbind::placement {

namespace {

constinit std::atomic<PlanInForce*> g_in_force{nullptr};
constinit PlanInForce* g_plans = nullptr;
constinit const PlannerApi* g_planner = nullptr;
constinit PlannerMessage g_load_message{};
// In a handler of a fault, or a child that such a handler has forked, nobody may load once more.
constinit thread_local bool t_is_loading __attribute__((tls_model("initial-exec"))) = false;
constinit int g_machine_error = -1;  // of reading the machine; -1: not yet tried

void tell_failure(int error, const PlannerMessage& message) {
  process::say(process::Severity::kError, "%s%s%s; the threads are not bound",
               spec::strerror(error), message.text[0] != '\0' ? ": " : "", message.text);
}

PlannerOptions planner_options() {
  PlannerOptions options{};
  options.allowed = process::original_mask();
  options.source = source();
  options.smt = options::settings().smt;
  options.cores = options::settings().cores;
  options.cache = options::settings().cache;
  return options;
}

int read_machine() {
  if (g_machine_error >= 0) {
    return g_machine_error;
  }
  PlannerMessage message{};
  if (g_planner == nullptr) {
    message = g_load_message;
    g_machine_error = NESTBIND_NO_PLANNER;
  } else {
    const PlannerOptions options = planner_options();
    g_machine_error = options.source == nullptr && options.allowed.bits == nullptr
                          ? NESTBIND_NO_MACHINE
                          : g_planner->open(options, message);
  }
  if (g_machine_error != NESTBIND_OK) {
    tell_failure(g_machine_error, message);
  }
  return g_machine_error;
}

int make_handle(PlanInForce* plan) {
  PlannerMessage message{};
  int error = plan->base == nullptr ? g_planner->make(plan->spec, &plan->handle, message)
                                    : g_planner->make_from(plan->base->handle, plan->level,
                                                           plan->spec, &plan->handle, message);
  if (error == NESTBIND_OK) {
    if (message.text[0] != '\0') {
      process::say(process::Severity::kWarning, "%s", message.text);
    }
    plan->root.plan = plan;
    binding::note_planned_machine(g_planner->everything(plan->handle));
    error = g_planner->place(plan->handle, nullptr, 0, &plan->root.planned, message);
  }
  if (error != NESTBIND_OK) {
    tell_failure(error, message);
  }
  return error;
}

int make_locked(PlanInForce* plan) {
  int status = plan->status.load(std::memory_order_relaxed);
  if (status != PlanInForce::kNotMade) {
    return status;
  }
  status = plan->base != nullptr ? make_locked(plan->base) : read_machine();
  if (status == NESTBIND_OK) {
    status = make_handle(plan);
  }
  plan->status.store(status, std::memory_order_release);
  return status;
}

}  // namespace

PlanInForce* plan_in_force() { return g_in_force.load(std::memory_order_acquire); }
void put_in_force(PlanInForce* plan) { g_in_force.store(plan, std::memory_order_release); }

PlanInForce* plan_of(const spec::Spec& spec, PlanInForce* base, int level) {
  const PlansLocked locked;
  if (!locked) {
    return nullptr;
  }
  for (PlanInForce* plan = g_plans; plan != nullptr; plan = plan->next) {
    if (plan->base == base && plan->level == level && plan->spec == spec) {
      return plan;
    }
  }
  PlanInForce* plan = support::allocate<PlanInForce>();
  if (plan != nullptr) {
    plan->spec = spec;
    plan->base = base;
    plan->level = level;
    plan->next = g_plans;
    g_plans = plan;
  }
  return plan;
}

namespace {

// Apart, so that a fork whose plan is made does not pay for it.
[[gnu::noinline]] int load_and_make(PlanInForce* plan) {
  if (t_is_loading) {
    return NESTBIND_NOT_PLACED;
  }
  const support::ErrnoKept errno_kept;
  const process::Undisturbed undisturbed;
  PlannerMessage message{};
  // Before the lock is taken: another thread may hold the loader's lock and wait for ours.
  t_is_loading = true;
  const PlannerApi* loaded = load_planner(planner_options(), message);
  t_is_loading = false;
  const PlansLocked locked;
  if (!locked) {
    return NESTBIND_NOT_PLACED;
  }
  g_planner = loaded;
  g_load_message = message;
  return make_locked(plan);
}

}  // namespace

int make_plan(PlanInForce* plan) {
  const int status = plan->status.load(std::memory_order_acquire);
  return status != PlanInForce::kNotMade ? status : load_and_make(plan);
}

const PlannerApi& planner() { return *g_planner; }

}  // namespace nestbind::placement
