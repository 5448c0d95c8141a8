// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <string>

#include "machine/hwloc/read_hwloc.hpp"
#include "plan/team_plan.hpp"
#include "planner/planner_geometry.hpp"

using namespace nestbind;

namespace {

using Ints = std::vector<int>;

machine::Topology topology_of(const char* source) {
  return machine::Topology::of(machine::hwloc::read_hardware(source), source, {});
}

plan::Plan plan_of(const char* text, const machine::Topology& topology) {
  spec::Spec spec;
  spec::Fault fault;
  REQUIRE(spec::parse(text, spec, fault));
  return plan::make(spec, topology, 0, machine::CoreChoice::kAuto);
}

int slot_of(plan::Plan& plan, const Ints& path) {
  return planner::slot_of_path(plan, path.data(), static_cast<int>(path.size()));
}

}  // namespace

TEST_CASE("a path has the slot of the plan, in teams of the specified sizes") {
  const auto topology = topology_of("pack:4 core:4 pu:1");
  plan::Plan plan = plan_of("4,scatter,2,subcompact", topology);
  CHECK(slot_of(plan, {}) == 0);
  CHECK(slot_of(plan, {2}) == 8);
  CHECK(slot_of(plan, {2, 0}) == 8);
  CHECK(slot_of(plan, {3, 1}) == 13);
  for (const Ints& none : {Ints{4}, Ints{-1}, Ints{0, 2}, Ints{0, -1}, Ints{0, 0, 0}, Ints{4, 0}}) {
    CHECK(slot_of(plan, none) == -1);
  }
  plan::Plan uneven = plan_of("3,scatter,core,subcompact", topology);
  CHECK(slot_of(uneven, {0, 7}) == 7);
  CHECK(slot_of(uneven, {1, 3}) == 11);
  CHECK(slot_of(uneven, {1, 4}) == -1);  // only the first team has more than four members
}

TEST_CASE("a slot shows the first thread of the deepest teams on it") {
  const auto topology = topology_of("pack:2 core:2 pu:1");
  plan::Plan plan = plan_of("2,scatter,2,compact,1,scatter", topology);
  const planner::Occupants occupants = planner::occupants_of(plan);
  CHECK(occupants == planner::Occupants{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}});
  plan::Plan some = plan_of("2,scatter", topology);
  CHECK(planner::occupants_of(some) == planner::Occupants{{0}, {}, {1}, {}});
  // Six threads on four slots: thread i is on slot floor(i 4 / 6).
  plan::Plan crowded = plan_of("6,compact", topology);
  CHECK(planner::occupants_of(crowded) == planner::Occupants{{0}, {2}, {3}, {5}});
}

TEST_CASE("each slot of a plan belongs to its occupant's path") {
  for (const char* text :
       {"4,scatter,4,subscatter", "3,scatter,core,subcompact", "2,compact,3,scatter", "7,scatter",
        "numa,scatter,2,compact,2,subcompact"}) {
    INFO(text);
    const auto topology = topology_of("pack:4 [numa] core:4 pu:2");
    plan::Plan plan = plan_of(text, topology);
    const planner::Occupants occupants = planner::occupants_of(plan);
    REQUIRE(occupants.size() == plan.machine().slots.size());
    for (std::size_t slot = 0; slot < occupants.size(); ++slot) {
      if (!occupants[slot].empty()) {
        CHECK(slot_of(plan, occupants[slot]) == static_cast<int>(slot));
      }
    }
  }
}

TEST_CASE("requests for slots that do not exist are refused") {
  const auto topology = topology_of("pack:2 [numa] core:2 pu:1");
  const planner::Geometry made(topology.slots({}), topology.numa_nodes(), nullptr);
  const PlannerGeometry* const geometry = &made.border();
  CHECK(planner::slots(geometry) == 4);
  int numbers[3] = {7, 7, 7};
  CHECK(planner::dims(geometry, numbers, 1) == 2);
  CHECK(Ints(numbers, numbers + 2) == Ints{2, 7});  // only as many as fit
  CHECK(planner::coordinates(geometry, 3, numbers, 2) == 2);
  CHECK(Ints(numbers, numbers + 3) == Ints{1, 1, 7});
  CHECK(planner::coordinates(geometry, 4, numbers, 2) == -1);
  CHECK(planner::slot(geometry, numbers, 2) == 3);
  CHECK(planner::hops(geometry, 0, 2) == 1);
  CHECK(planner::hops(geometry, 0, 4) == -1);
  CHECK(planner::levels(geometry, -1, 0) == -1);
  CHECK(planner::distance(geometry, 0, 4) == -1);
  CHECK(planner::numa_factor(geometry, 1, 1) == 1);
  const int asked[] = {3, 1, 0};
  CHECK(planner::sort(geometry, 0, asked, 3, numbers) == NESTBIND_OK);
  CHECK(Ints(numbers, numbers + 3) == Ints{2, 1, 0});
  CHECK(planner::closest(geometry, 2, asked, 3) == 0);
  const int foreign[] = {3, 4};
  CHECK(planner::sort(geometry, 0, foreign, 2, numbers) == NESTBIND_BAD_ARGUMENT);
  CHECK(planner::sort(geometry, 4, asked, 1, numbers) == NESTBIND_BAD_ARGUMENT);
  CHECK(planner::closest(geometry, 0, foreign, 2) == -1);

  PlannedSlot found{};
  const planner::Occupants occupants{{0}, {}, {1}, {}};
  REQUIRE(planner::at_slot(made, &occupants, 2, &found));
  CHECK((found.has_thread && found.depth == 1 && found.path[0] == 1));
  CHECK((found.core == 2 && found.package == 1 && found.numa == 1 && found.numa_logical == 1));
  REQUIRE(planner::at_slot(made, &occupants, 3, &found));
  CHECK((!found.has_thread && found.depth == 0 && found.core == 3));
  REQUIRE(planner::at_slot(made, nullptr, 0, &found));
  CHECK_FALSE(found.has_thread);
  CHECK_FALSE(planner::at_slot(made, nullptr, 4, &found));
}
