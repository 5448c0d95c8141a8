// SPDX-License-Identifier: BSD-3-Clause
#include "placement/plans.hpp"

#include "binding/kernel_mask.hpp"
#include "options/settings.hpp"
#include "placement/load_planner.hpp"
#include "placement/part.hpp"
#include "placement/place.hpp"
#include "placement/plans_lock.hpp"
#include "placement/region_rules.hpp"
#include "process/message.hpp"
#include "process/original_mask.hpp"
#include "process/quota.hpp"
#include "process/rank.hpp"
#include "process/undisturbed.hpp"
#include "spec/need.hpp"
#include "spec/spec.hpp"
#include "support/allocate.hpp"

namespace nestbind::placement {

constinit std::atomic<PlanInForce*> g_in_force{nullptr};
constinit std::atomic<unsigned> g_division{1};

namespace {

constinit PlanInForce* g_plans = nullptr;
constinit std::atomic<const PlannerApi*> g_planner{nullptr};
constinit PlannerMessage g_load_message{};
// If a fault interrupts the loading of the planner, the signal handler must not load it again.
constinit thread_local bool t_is_loading __attribute__((tls_model("initial-exec"))) = false;
constinit int g_machine_error = -1;  // result of take_machine(), or -1 before the first call
constinit const unsigned long* g_taken_for = nullptr;
constinit std::atomic<const PlannerGeometry*> g_geometry{nullptr};
constinit int g_parts = 0;

void tell_failure(int error, const PlannerMessage& message) {
  process::say(process::Severity::kError, "%s%s%s; the threads are not bound",
               spec::strerror(error), message.text[0] != '\0' ? ": " : "", message.text);
}

PlannerOptions planner_options(const mask::CpuMask& allowed = usable()) {
  PlannerOptions options{};
  options.allowed = allowed;
  options.source = source();
  options.records = options::settings().records;
  options.smt = options::settings().smt;
  options.cores = options::settings().cores;
  options.cache = options::settings().cache;
  options.probed = options::settings().probed_distances;
  options.order = order();
  return options;
}

// Finds a rank's part and its share of the CPU quota, once.
void find_part(const spec::Spec& spec, Ranks ranks) {
  const PlannerApi* const planner = g_planner.load(std::memory_order_relaxed);
  PlannerDivision division;
  const int quota = process::quota();
  const bool divides = planner != nullptr && meet_ranks(spec, ranks == Ranks::kAtFork, division);
  if (divides) {
    mask::MaskBuffer part;
    PlannerMessage message{};
    const bool is_divided =
        planner->divide(planner_options(), spec, division, part, message) == NESTBIND_OK;
    take_part(is_divided ? part.view() : mask::CpuMask{0, nullptr}, message.text);
  }
  if (divides || quota != process::quota()) {
    renew_plan_in_force();
  }
}

int take_machine(const mask::CpuMask& allowed = usable()) {
  if (g_machine_error >= 0 && g_taken_for == allowed.bits) {
    return g_machine_error;
  }
  g_taken_for = allowed.bits;
  PlannerMessage message{};
  const PlannerApi* const planner = g_planner.load(std::memory_order_relaxed);
  if (planner == nullptr) {
    message = g_load_message;
    g_machine_error = NESTBIND_NO_PLANNER;
  } else {
    const PlannerOptions options = planner_options(allowed);
    g_machine_error = options.source == nullptr && options.allowed.bits == nullptr
                          ? NESTBIND_NO_MACHINE
                          : planner->open(options, message);
  }
  if (g_machine_error != NESTBIND_OK) {
    tell_failure(g_machine_error, message);
  } else if (message.text[0] != '\0') {
    process::say(process::Severity::kWarning, "%s", message.text);
  }
  return g_machine_error;
}

int make_handle(PlanInForce* plan) {
  PlannerMessage message{};
  int error = plan->base == nullptr
                  ? planner().make(plan->spec, plan->quota, &plan->handle, message)
                  : planner().make_from(plan->base->handle, plan->level, plan->spec, &plan->handle,
                                        message);
  const process::Part* const part = process::part();
  const bool is_others = message.is_of_all && part != nullptr && part->local > 0;
  if (error == NESTBIND_OK && message.text[0] != '\0' && !is_others) {
    process::say(message.is_fault ? process::Severity::kError : process::Severity::kWarning, "%s",
                 message.text);
  }
  if (error == NESTBIND_OK) {
    plan->root.plan = plan;
    plan->root.slot_id = new_slot_id();
    if (plan->part.bits == nullptr) {
      binding::note_planned_machine(planner().everything(plan->handle));
    }
    plan->distances = planner().distances(plan->handle);
    error = planner().place(plan->handle, nullptr, 0, &plan->root.planned, message);
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
  const mask::CpuMask allowed = plan->part.bits != nullptr ? plan->part : usable();
  plan->allowed = allowed.bits;
  plan->quota = plan->part.bits != nullptr ? plan->quota : process::quota();
  status = plan->base != nullptr ? make_locked(plan->base) : take_machine(allowed);
  if (status == NESTBIND_OK) {
    status = make_handle(plan);
  }
  plan->status.store(status, std::memory_order_release);
  return status;
}

bool is_for_present_mask(const PlanInForce& plan) {
  return plan.base != nullptr || plan.part.bits != nullptr ||
         plan.status.load(std::memory_order_acquire) == PlanInForce::kNotMade ||
         (plan.allowed == usable().bits && plan.quota == process::quota());
}

PlanInForce* known_plan(const spec::Spec& spec, const PlanInForce* base, int level,
                        const RegionRule* rule, const mask::CpuMask& part, int quota) {
  PlanInForce* plan = g_plans;
  while (plan != nullptr &&
         !(plan->base == base && plan->level == level && plan->rule == rule &&
           plan->part.bits == part.bits && (part.bits == nullptr || plan->quota == quota) &&
           plan->spec == spec && is_for_present_mask(*plan))) {
    plan = plan->next;
  }
  return plan;
}

// Called under the lock.
PlanInForce* find_plan(const spec::Spec& spec, PlanInForce* base, int level, const RegionRule* rule,
                       const mask::CpuMask& part = {}, int quota = 0) {
  if (PlanInForce* known = known_plan(spec, base, level, rule, part, quota)) {
    return known;
  }
  PlanInForce* plan = support::allocate<PlanInForce>();
  if (plan != nullptr) {
    plan->spec = spec;
    plan->base = base;
    plan->level = level;
    plan->part = part;
    plan->quota = quota;
    plan->rule = rule;
    plan->rule_levels = spec.active_levels() > 1 ? spec.active_levels() : 0;
    plan->next = g_plans;
    g_plans = plan;
  }
  return plan;
}

// Returns a root thread's share of the process's CPU quota: at least 1, or 0 if there is no quota.
int quota_of(const Share& share) {
  const int quota = process::quota();
  return quota == 0 || quota >= share.of ? quota / share.of : 1;
}

PlanInForce* known_part(const spec::Spec& spec, const Share& share) {
  PlanInForce* plan = g_plans;
  while (plan != nullptr && (plan->whole == nullptr || !(plan->share == share) ||
                             plan->quota != quota_of(share) || !(plan->spec == spec))) {
    plan = plan->next;
  }
  return plan;
}

// Returns the processors of a share, or a mask without bits if the planner cannot divide the
// machine.
mask::CpuMask cut_part(const spec::Spec& spec, const mask::CpuMask& machine, const Share& share) {
  if (share.of == 1) {
    return machine;
  }
  const spec::Need need = spec::need_of(spec);
  mask::MaskBuffer part;
  PlannerMessage message{};
  const int error =
      planner().divide(planner_options(machine), spec,
                       {share.of, share.index, need.threads, need.is_open}, part, message);
  return error == NESTBIND_OK ? process::kept_mask(part.view()) : mask::CpuMask{0, nullptr};
}

// Called under the lock.
PlanInForce* find_plan_of_part(PlanInForce* whole, const mask::CpuMask& machine,
                               const Share& share) {
  constexpr int kMostParts = 1024;  // a limit, because plans are never freed
  PlanInForce* plan = known_part(whole->spec, share);
  if (plan != nullptr) {
    return plan;
  }
  const mask::CpuMask part = cut_part(whole->spec, machine, share);
  if (share.of == 1 ? part.bits == usable().bits : part.bits == nullptr) {
    return share.of == 1 ? whole : nullptr;
  }
  plan = g_parts == kMostParts ? known_plan(whole->spec, nullptr, 0, nullptr, part, quota_of(share))
                               : find_plan(whole->spec, nullptr, 0, nullptr, part, quota_of(share));
  if (plan != nullptr) {
    g_parts += plan->whole == nullptr ? 1 : 0;
    plan->whole = whole;
    plan->share = share;
  }
  return plan;
}

}  // namespace

PlanInForce* plan_in_force() {
  PlanInForce* plan = g_in_force.load(std::memory_order_acquire);
  return plan == nullptr || plan->spec.is_off() ? nullptr : plan;
}

const spec::Spec* specification_in_force() {
  const PlanInForce* plan = g_in_force.load(std::memory_order_acquire);
  return plan == nullptr ? nullptr : &plan->spec;
}

bool is_divided(const spec::Spec& spec) {
  const options::Roots roots = options::settings().roots;
  if (has_region_rules()) {  // the plans of rules are for the whole machine
    return false;
  }
  return roots == options::Roots::kDivide ||
         (roots == options::Roots::kBySpecification && spec.is_auto);
}

void put_in_force(PlanInForce* plan) {
  g_in_force.store(plan, std::memory_order_release);
  divide_anew();
}

PlanInForce* plan_of(const spec::Spec& spec, PlanInForce* base, int level, const RegionRule* rule) {
  const PlansLocked locked;
  return locked ? find_plan(spec, base, level, rule) : nullptr;
}

PlanInForce* plan_of_part(PlanInForce* whole, const mask::CpuMask& machine, const Share& share) {
  const PlansLocked locked;
  return locked ? find_plan_of_part(whole, machine, share) : nullptr;
}

void renew_plan_in_force() {
  PlanInForce* present = plan_in_force();
  PlanInForce* renewed =
      present == nullptr ? nullptr : find_plan(present->spec, nullptr, 0, nullptr);
  if (renewed != nullptr) {
    put_in_force(renewed);
  }
}

PlanInForce* for_present_mask(PlanInForce* plan) {
  if (is_for_present_mask(*plan)) {
    return plan;
  }
  PlanInForce* renewed = plan_of(plan->spec, nullptr, 0, plan->rule);
  return renewed != nullptr && make_plan(renewed) == NESTBIND_OK ? renewed : plan;
}

namespace {

template <typename Action>
int with_planner(Action action) {
  if (t_is_loading) {
    return NESTBIND_NOT_PLACED;
  }
  const support::ErrnoKept errno_kept;
  const process::Undisturbed undisturbed;
  PlannerMessage message{};
  // The loader is called without our lock, because a thread with the loader's lock may wait for
  // ours. Later plans do not call the loader. A waiting primary thread may hold the loader's lock.
  const PlannerApi* loaded = g_planner.load(std::memory_order_acquire);
  if (loaded == nullptr) {
    t_is_loading = true;
    loaded = load_planner(planner_options(), message);
    t_is_loading = false;
  }
  const PlansHeld locked;
  if (!locked) {
    return NESTBIND_NOT_PLACED;
  }
  if (loaded != nullptr) {  // another thread may have loaded the planner already
    g_planner.store(loaded, std::memory_order_release);
  }
  g_load_message = message;
  return action();
}

// Not inlined, because most forks already have a plan.
[[gnu::noinline]] int load_and_make(PlanInForce* plan, Ranks ranks) {
  return with_planner([&] {
    find_part(plan->spec, ranks);
    return make_locked(plan);
  });
}

int make_geometry(PlanInForce* plan, const PlannerGeometry*& geometry) {
  return with_planner([&] {
    const int error = plan == nullptr ? take_machine() : NESTBIND_OK;
    if (error != NESTBIND_OK) {
      return error;
    }
    PlannerMessage message{};
    geometry = planner().geometry(plan == nullptr ? nullptr : plan->handle, message);
    return int{geometry == nullptr ? NESTBIND_NO_MEMORY : NESTBIND_OK};
  });
}

}  // namespace

int make_plan(PlanInForce* plan, Ranks ranks) {
  const int status = plan->status.load(std::memory_order_acquire);
  return status != PlanInForce::kNotMade ? status : load_and_make(plan, ranks);
}

void settle_ranks() {
  const PlanInForce* const plan = plan_in_force();
  if (part_is_undecided() && plan != nullptr &&
      plan->status.load(std::memory_order_acquire) != PlanInForce::kNotMade) {
    with_planner([&] {
      find_part(plan->spec, Ranks::kAtFork);
      return int{NESTBIND_OK};
    });
  }
}

int find_geometry(PlanInForce* plan, const PlannerGeometry*& geometry) {
  std::atomic<const PlannerGeometry*>& known = plan == nullptr ? g_geometry : plan->geometry;
  geometry = known.load(std::memory_order_acquire);
  if (geometry != nullptr && (plan != nullptr || geometry->allowed == usable().bits)) {
    return NESTBIND_OK;
  }
  const int error = make_geometry(plan, geometry);
  if (error == NESTBIND_OK) {
    known.store(geometry, std::memory_order_release);
  }
  return error;
}

const PlannerApi& planner() { return *g_planner.load(std::memory_order_acquire); }

}  // namespace nestbind::placement
