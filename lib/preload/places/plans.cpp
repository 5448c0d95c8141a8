// SPDX-License-Identifier: BSD-3-Clause
#include "places/plans.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <iterator>

#include "binding/kernel_mask.hpp"
#include "options/settings.hpp"
#include "places/plans_lock.hpp"
#include "process/message.hpp"
#include "process/original_files.hpp"
#include "process/original_mask.hpp"
#include "process/rank.hpp"
#include "support/allocate.hpp"

namespace nestbind::placement {

using options::settings;

constinit std::atomic<PlanInForce*> g_in_force{nullptr};
constinit std::atomic<unsigned> g_division{1};
constinit std::atomic<long> g_bytes_of_places{0};

namespace {

struct SlotId {
  std::uintptr_t parent;
  const unsigned long* mask;
  int number;
  std::uintptr_t id;
  SlotId* next;
};
constinit SlotId* g_slot_ids[1024] = {};  // used under the lock of plans

// Numbers that are never used again.
std::uint64_t new_id() {
  static constinit std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

constinit PlanInForce* g_plans = nullptr;
constinit std::atomic<const PlannerApi*> g_planner{nullptr};
constinit PlannerMessage g_load_message{};
// If a fault interrupts the loading of the planner, the signal handler must not load it again.
constinit thread_local bool t_is_loading __attribute__((tls_model("initial-exec"))) = false;
constinit int g_machine_error = -1;  // result of take_machine(), or -1 before the first call
constinit const unsigned long* g_taken_for = nullptr;
constinit std::atomic<const PlannerGeometry*> g_geometry{nullptr};
constinit int g_parts = 0;
constinit mask::MaskBuffer g_dry{};
constinit std::atomic<bool> g_has_dry_part{false};

constinit char g_planner_path[PATH_MAX] = "";
constinit char g_source_path[PATH_MAX] = "";  // empty if the variable names no file
constinit char g_order_path[PATH_MAX] = "";   // empty if not set, or too long for a path

void keep_path(const char* name, char (&path)[PATH_MAX]) {
  if (name == nullptr || !process::make_absolute(name, path, sizeof path)) {
    path[0] = '\0';
  }
}

// The loader is called without our lock, because a thread with the loader's lock may wait for ours.
// Later plans do not call the loader.
const PlannerApi* load_planner(PlannerMessage& message) {
  if (g_planner_path[0] == '\0') {
    snprintf(message.text, sizeof message.text, "the folder of libnestbind.so is not known");
    return nullptr;
  }
  void* handle = dlopen(g_planner_path, RTLD_NOW | RTLD_LOCAL);
  const auto* api =
      static_cast<const PlannerApi*>(handle == nullptr ? nullptr : dlsym(handle, kPlannerSymbol));
  if (api == nullptr) {
    const char* why = dlerror();
    snprintf(message.text, sizeof message.text, "%.500s", why == nullptr ? g_planner_path : why);
    return nullptr;
  }
  api->find_machine(planner_options(usable()));
  return api;
}

void tell_failure(int error, const PlannerMessage& message) {
  process::say(process::Severity::kError, "%s%s%s; the threads are not bound",
               spec::strerror(error), message.text[0] != '\0' ? ": " : "", message.text);
}

int take_machine(const mask::CpuMask& allowed) {
  if (g_machine_error >= 0 && g_taken_for == allowed.bits) {
    return g_machine_error;
  }
  g_taken_for = allowed.bits;
  PlannerMessage message{};
  if (!has_planner()) {
    message = g_load_message;
    g_machine_error = NESTBIND_NO_PLANNER;
  } else {
    const PlannerOptions options = planner_options(allowed);
    g_machine_error = options.source == nullptr && options.allowed.bits == nullptr
                          ? NESTBIND_NO_MACHINE
                          : planner().open(options, message);
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
    if (plan->part.bits == nullptr && plan->base == nullptr) {
      binding::note_planned_machine(planner().everything(plan->handle));
    }
    plan->distances = planner().distances(plan->handle);
    PlannedPlace planned{};
    error = planner().place(plan->handle, nullptr, 0, &planned, message);
    write_plan(plan->root, plan, false, planned);
    plan->root.slot_id = slot_id_of(0, 0, plan->root.planned.mask);
    write_plan(plan->loose, plan, true, planned);
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

PlanInForce* new_plan(const spec::Spec& spec, PlanInForce* base, int level,
                      const RegionRule* rule) {
  auto* const plan = support::allocate<PlanInForce>();
  if (plan != nullptr) {
    plan->spec = spec;
    plan->base = base;
    plan->level = level;
    plan->rule = rule;
    plan->fits = base == nullptr ? PlanInForce::kAnySize : base->fits;
    plan->rule_levels = spec.active_levels() > 1 ? spec.active_levels() : 0;
    plan->next = g_plans;
    g_plans = plan;
  }
  return plan;
}

// Called under the lock.
PlanInForce* find_plan(const spec::Spec& spec, PlanInForce* base, int level,
                       const RegionRule* rule) {
  PlanInForce* plan = g_plans;
  while (plan != nullptr &&
         !(plan->base == base && plan->level == level && plan->rule == rule &&
           plan->part.bits == nullptr && plan->spec == spec && is_for_present_mask(*plan))) {
    plan = plan->next;
  }
  return plan != nullptr ? plan : new_plan(spec, base, level, rule);
}

// Called under the lock.
PlanInForce* new_part(PlanInForce* whole, const mask::CpuMask& machine, const Share& share) {
  constexpr int kMostParts = 16384;  // a limit, because plans are never freed
  const mask::CpuMask part = cut_part(whole->spec, machine, share);
  PlanInForce* const plan = part.bits == nullptr || g_parts == kMostParts
                                ? nullptr
                                : new_plan(whole->spec, nullptr, 0, whole->rule);
  if (plan != nullptr) {
    ++g_parts;
    plan->part = part;
    plan->quota = whole->quota;
    plan->whole = whole;
    plan->share = share;
    plan->fits = share.is_own && share.of == 1 ? PlanInForce::kAnySize : mask::count(part);
  }
  return plan;
}

}  // namespace

std::uintptr_t slot_id_of(std::uintptr_t parent, int number, const mask::CpuMask& mask) {
  const std::uintptr_t key = (parent * 31 + static_cast<std::uintptr_t>(number)) * 31 +
                             (reinterpret_cast<std::uintptr_t>(mask.bits) >> 4);
  SlotId** const list = &g_slot_ids[(key ^ (key >> 10)) % std::size(g_slot_ids)];
  for (const SlotId* one = *list; one != nullptr; one = one->next) {
    if (one->parent == parent && one->number == number && one->mask == mask.bits) {
      return one->id;
    }
  }
  const std::uintptr_t id = 2 * static_cast<std::uintptr_t>(new_id()) + 1;
  if (auto* const made = support::allocate<SlotId>()) {
    *made = {parent, mask.bits, number, id, *list};
    *list = made;
    g_bytes_of_places.fetch_add(sizeof *made, std::memory_order_relaxed);
  }
  return id;
}

void write_plan(Place& place, PlanInForce* plan, bool is_loose, const PlannedPlace& planned) {
  place.id = new_id();
  place.plan = plan;
  place.is_loose = is_loose;
  place.is_quick = plan != nullptr && !is_loose && plan->fits == PlanInForce::kAnySize;
  place.planned = planned;
  if (const mask::CpuMask kept = process::kept_mask(planned.mask); kept.bits != nullptr) {
    place.planned.mask = kept;
  }
  place.slot_id = Place::kNoSlot;
}

void find_planner() {
  if (!process::find_own_file(kPlannerFile, g_planner_path, sizeof g_planner_path)) {
    g_planner_path[0] = '\0';
  }
  keep_path(settings().order, g_order_path);
  keep_path(settings().machine, g_source_path);
  if (access(g_source_path, F_OK) != 0) {
    g_source_path[0] = '\0';
  }
}

mask::CpuMask usable() {
  if (settings().machine == nullptr) {
    return process::original_mask();
  }
  return g_has_dry_part.load(std::memory_order_acquire) ? g_dry.view() : mask::CpuMask{0, nullptr};
}

mask::CpuMask use_in_dry_run(const mask::CpuMask& part) {
  memcpy(g_dry.bits, part.bits, part.bytes);
  g_has_dry_part.store(true, std::memory_order_release);
  return g_dry.view();
}

PlannerOptions planner_options(const mask::CpuMask& allowed) {
  PlannerOptions options{};
  options.allowed = allowed;
  options.source = g_source_path[0] != '\0' ? g_source_path : settings().machine;
  options.records = settings().records;
  options.smt = settings().smt;
  options.cores = settings().cores;
  options.cache = settings().cache;
  options.probed = settings().probed_distances;
  options.order = g_order_path[0] != '\0' ? g_order_path : settings().order;
  return options;
}

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

PlanInForce* plan_in_force() {
  PlanInForce* plan = g_in_force.load(std::memory_order_acquire);
  return plan == nullptr || plan->spec.is_off() ? nullptr : plan;
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
  if (share.of == 1 && share.machine == usable().bits) {
    return whole;
  }
  return find_or_make<&PlanInForce::next_part>(
      whole->parts, [&](const PlanInForce& part) { return part.share == share; },
      [&] { return new_part(whole, machine, share); });
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
  return renewed != nullptr && make_for_mask(renewed) == NESTBIND_OK ? renewed : plan;
}

// Not inlined, because most forks already have a plan.
[[gnu::noinline]] int with_planner(int (*action)(void* data), void* data) {
  if (t_is_loading) {
    return NESTBIND_NOT_PLACED;
  }
  const support::ErrnoKept errno_kept;
  const process::Undisturbed undisturbed;
  PlannerMessage message{};
  const PlannerApi* loaded = g_planner.load(std::memory_order_acquire);
  if (loaded == nullptr) {
    t_is_loading = true;
    loaded = load_planner(message);
    t_is_loading = false;
  }
  const PlansLocked locked;
  if (!locked) {
    return NESTBIND_NOT_PLACED;
  }
  if (loaded != nullptr) {  // another thread may have loaded the planner already
    g_planner.store(loaded, std::memory_order_release);
  }
  g_load_message = message;
  return action(data);
}

int make_for_mask(PlanInForce* plan) {
  const int status = plan->status.load(std::memory_order_acquire);
  return status != PlanInForce::kNotMade ? status : with_planner([&] { return make_locked(plan); });
}

int find_geometry(PlanInForce* plan, const PlannerGeometry*& geometry) {
  std::atomic<const PlannerGeometry*>& known = plan == nullptr ? g_geometry : plan->geometry;
  geometry = known.load(std::memory_order_acquire);
  if (geometry != nullptr && (plan != nullptr || geometry->allowed == usable().bits)) {
    return NESTBIND_OK;
  }
  const int error = with_planner([&] {
    const int taken = plan == nullptr ? take_machine(usable()) : NESTBIND_OK;
    if (taken != NESTBIND_OK) {
      return taken;
    }
    PlannerMessage message{};
    geometry = planner().geometry(plan == nullptr ? nullptr : plan->handle, message);
    return int{geometry == nullptr ? NESTBIND_NO_MEMORY : NESTBIND_OK};
  });
  if (error == NESTBIND_OK) {
    known.store(geometry, std::memory_order_release);
  }
  return error;
}

bool has_planner() { return g_planner.load(std::memory_order_relaxed) != nullptr; }
const PlannerApi& planner() { return *g_planner.load(std::memory_order_acquire); }

}  // namespace nestbind::placement
