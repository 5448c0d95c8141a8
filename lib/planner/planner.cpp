// SPDX-License-Identifier: BSD-3-Clause
// The planner's functions for libnestbind.so: they keep the plans, and return places as C types.
#include "planner/planner.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "mask/cpu_list.hpp"
#include "plan/parts.hpp"
#include "plan/team_plan.hpp"
#include "planner/handles.hpp"
#include "planner/masks.hpp"
#include "planner/planner_devices.hpp"
#include "planner/planner_found.hpp"
#include "planner/planner_geometry.hpp"

namespace nestbind {

namespace {

Taken* g_taken = nullptr;  // a list, the latest first

using planner::guarded;
using planner::tell;

plan::Path path_of(const PlannerStep* path, int depth) {
  plan::Path steps;
  for (int i = 0; i < depth; ++i) {
    steps.push_back({path[i].number, path[i].size});
  }
  return steps;
}

PlannedPlace planned(PlanHandle& handle, const plan::PlannedSlot& planned, const plan::Path& path) {
  const machine::Machine& machine = handle.plan.machine();
  const machine::Slot& slot = machine.slots[planned.slot];
  planner::Masks& masks = handle.taken->masks;
  return {.mask = planned.pinned ? masks.of(slot) : masks.of(machine, planned.partition),
          .slot = planned.slot,
          .next_size = handle.plan.size_to_set(path, planned),
          .pinned = planned.pinned,
          .core = slot.core,
          .l3 = slot.l3,
          .package = slot.package,
          .numa = slot.numa,
          .l2 = slot.l2,
          .numa_row = slot.numa_row,
          .numa_logical = slot.numa_logical};
}

// Moves the machine to the front of the list if open() has prepared it for this mask before.
bool take_again(const PlannerOptions& options) {
  for (Taken** link = &g_taken; *link != nullptr; link = &(*link)->next) {
    if ((*link)->allowed.bits == options.allowed.bits) {
      Taken* const same = *link;
      *link = same->next;
      same->next = g_taken;
      g_taken = same;
      return true;
    }
  }
  return false;
}

// The cpuset may have grown since this machine was read. The process has these processors now.
void allow(machine::Hardware& hardware, const mask::CpuMask& mask) {
  for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
    hardware.is_allowed[p] = hardware.is_allowed[p] || mask::has(mask, hardware.cpus[p]);
  }
}

int open(const PlannerOptions& options, PlannerMessage& message) {
  if (take_again(options)) {
    return NESTBIND_OK;
  }
  int error = NESTBIND_OK;
  planner::Found* const found = planner::found_or_why(error, message);
  if (found == nullptr) {
    return error;
  }
  return guarded(message, [&] {
    if (options.source == nullptr) {
      allow(found->hardware, options.allowed);
    }
    g_taken = new Taken{options.allowed, planner::topology_of(options, found->hardware),
                        options.smt, static_cast<machine::CoreChoice>(options.cores), g_taken};
    std::swap(message, found->message);  // to report the message only once
    return NESTBIND_OK;
  });
}

// Returns a warning if one rank's part of a mask has too few slots for the specification.
std::string lacking(const PlannerOptions& options, const spec::Spec& spec,
                    const machine::Hardware& hardware, const std::vector<int>& cpus) {
  const auto cores = static_cast<machine::CoreChoice>(options.cores);
  const auto part = machine::Topology::of(hardware, planner::source_of(options), cpus);
  const plan::Rules rules = plan::make_rules(spec, part, cores);
  const auto slots =
      static_cast<long>(plan::slots_for(rules, part, options.smt, cores).slots.size());
  return plan::product(rules) > slots ? plan::crowd(plan::product(rules), slots) : "";
}

int divide(const PlannerOptions& options, const spec::Spec& spec, const PlannerDivision& division,
           mask::MaskBuffer& part, PlannerMessage& message) {
  int error = NESTBIND_OK;
  const planner::Found* const there = planner::found_or_why(error, message);
  if (there == nullptr) {
    return error;
  }
  return guarded(message, [&] {
    const auto parts = plan::make_parts(planner::topology_of(options, there->hardware),
                                        division.parts, division.slots, division.needs_all,
                                        static_cast<machine::CoreChoice>(options.cores));
    part = {};
    for (const int cpu : parts[division.index]) {
      if (cpu < mask::kMaxCpus) {
        mask::add(part.bits, cpu);
      }
    }
    if (division.index == 0) {
      const auto& smallest = *std::ranges::min_element(
          parts, {}, [](const std::vector<int>& cpus) { return cpus.size(); });
      const std::string shared = plan::sharing(parts);
      tell(message, shared.empty() ? lacking(options, spec, there->hardware, smallest) : shared);
    }
    return NESTBIND_OK;
  });
}

int make(const spec::Spec& spec, int quota, PlanHandle** handle, PlannerMessage& message) {
  return guarded(message, [&] {
    Taken& taken = *g_taken;
    *handle = new PlanHandle(taken, plan::make(spec, taken.topology, taken.smt, taken.cores,
                                               planner::found()->order, quota));
    planner::tell_of_order((*handle)->plan, message);
    planner::tell_of_quota((*handle)->plan, message);
    return NESTBIND_OK;
  });
}

int make_from(PlanHandle* base, int level, const spec::Spec& spec, PlanHandle** handle,
              PlannerMessage& message) {
  return guarded(message, [&] {
    Taken& taken = *base->taken;
    *handle = new PlanHandle(taken,
                             plan::make_from(base->plan, level, spec, taken.topology, taken.cores));
    return NESTBIND_OK;
  });
}

int place(PlanHandle* handle, const PlannerStep* path, int depth, PlannedPlace* out,
          PlannerMessage& message) {
  return guarded(message, [&] {
    const plan::Path steps = path_of(path, depth);
    *out = planned(*handle, handle->plan.slot_of(steps), steps);
    return NESTBIND_OK;
  });
}

int team(PlanHandle* handle, const PlannerStep* path, int depth, int size, PlannedPlace* places,
         PlannerMessage& message) {
  return guarded(message, [&] {
    plan::Path steps = path_of(path, depth);
    const plan::Team& members = handle->plan.team(steps, size);
    steps.emplace_back();
    for (int i = 0; i < size; ++i) {
      steps.back() = {i, size};
      places[i] = planned(*handle, members[i], steps);
    }
    steps.pop_back();
    tell(message, plan::sharing_of(handle->plan, steps, size));
    return NESTBIND_OK;
  });
}

std::vector<unsigned char> in_bytes(const std::vector<std::vector<unsigned>>& rows) {
  constexpr unsigned kMost = 255;
  unsigned farthest = kMost;
  for (const auto& row : rows) {
    farthest = std::max(farthest, *std::ranges::max_element(row));
  }
  std::vector<unsigned char> bytes;
  for (const auto& row : rows) {
    for (const unsigned distance : row) {
      bytes.push_back(static_cast<unsigned char>(std::uint64_t{distance} * kMost / farthest));
    }
  }
  return bytes;
}

NodeDistances distances(PlanHandle* handle) try {
  const auto& rows = handle->plan.machine().numa_distance;
  if (rows.empty() || rows.size() > NodeDistances::kMostNodes) {
    return {};
  }
  std::vector<unsigned char>& bytes = handle->taken->distances;
  if (bytes.empty()) {
    bytes = in_bytes(rows);
  }
  return {bytes.data(), static_cast<int>(rows.size())};
} catch (const std::bad_alloc&) {
  return {};
}

CpuMask partition(PlanHandle* handle, const PlannerStep* path, int depth) try {
  return handle->taken->masks.of(handle->plan.machine(),
                                 handle->plan.slot_of(path_of(path, depth)).partition);
} catch (const std::exception&) {
  return {0, nullptr};
}

CpuMask everything(PlanHandle* handle) try {
  return handle->taken->masks.of(handle->plan.machine(),
                                 plan::root_slot(handle->plan.machine()).partition);
} catch (const std::bad_alloc&) {
  return {0, nullptr};
}

std::optional<std::vector<int>> allowed_of(const Taken& taken) {
  return taken.allowed.bits != nullptr ? std::optional(mask::cpus_in(taken.allowed)) : std::nullopt;
}

char* draw(const PlanHandle* handle, const PlannerOccupant* occupants, int count,
           const PlannerCanvas& canvas) try {
  return planner::picture(planner::found()->hardware, allowed_of(*handle->taken),
                          {occupants, static_cast<std::size_t>(count)}, canvas);
} catch (const std::exception&) {
  return nullptr;
}

char* node(const PlanHandle* handle) try {
  return planner::node(planner::found()->hardware, allowed_of(*handle->taken));
} catch (const std::exception&) {
  return nullptr;
}

bool is_probed(const PlanHandle* handle) { return handle->taken->topology.numa_nodes().in_ns; }

const PlannerGeometry* geometry(PlanHandle* handle, PlannerMessage& message) {
  Taken& taken = handle == nullptr ? *g_taken : *handle->taken;
  auto& made = handle == nullptr ? taken.geometry : handle->geometry;
  guarded(message, [&] {
    if (made == nullptr) {
      made = std::make_unique<planner::Geometry>(
          handle == nullptr
              ? taken.topology.slots(machine::choice_without_specification(taken.smt, taken.cores))
              : handle->plan.machine(),
          taken.topology.numa_nodes(), taken.allowed.bits);
    }
    return NESTBIND_OK;
  });
  return made == nullptr ? nullptr : &made->border();
}

int slot_of_path(PlanHandle* handle, const int* path, int depth) try {
  return planner::slot_of_path(handle->plan, path, depth);
} catch (const std::exception&) {
  return -1;
}

int at_slot(PlanHandle* handle, const PlannerGeometry* geometry, int slot, PlannedSlot* found) try {
  if (handle != nullptr && handle->occupants == nullptr) {
    handle->occupants = std::make_unique<planner::Occupants>(planner::occupants_of(handle->plan));
  }
  return planner::at_slot(*static_cast<const planner::Geometry*>(geometry->made),
                          handle == nullptr ? nullptr : handle->occupants.get(), slot, found)
             ? NESTBIND_OK
             : NESTBIND_BAD_ARGUMENT;
} catch (const std::exception&) {
  return NESTBIND_NO_MEMORY;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const PlannerApi nestbind_planner_11;
const PlannerApi nestbind_planner_11 = {planner::find_machine,
                                        open,
                                        divide,
                                        make,
                                        make_from,
                                        place,
                                        team,
                                        partition,
                                        everything,
                                        distances,
                                        draw,
                                        node,
                                        is_probed,
                                        geometry,
                                        slot_of_path,
                                        at_slot,
                                        planner::slots,
                                        planner::dims,
                                        planner::coordinates,
                                        planner::slot,
                                        planner::hops,
                                        planner::levels,
                                        planner::distance,
                                        planner::numa_factor,
                                        planner::sort,
                                        planner::closest,
                                        planner::devices};

}  // namespace nestbind
