// SPDX-License-Identifier: BSD-3-Clause
// All planned slots of an accepted record are in the record's machine.
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "machine/cache/record.hpp"
#include "machine/hwloc/read_hwloc.hpp"
#include "plan/team_plan.hpp"
#include "planner/masks.hpp"

using namespace nestbind;

namespace {

constexpr const char* kSpecs[] = {
    "4,scatter,3,subcompact",           "2,compact,core,scatter,2,subscatter@l2",
    "numa,scatter,3,compact",           "pu,scatter",
    "3,subscatter,2,compact,2,scatter", "package,scatter,l3,subcompact@numa"};

void check_slot(const machine::Machine& machine, const plan::PlannedSlot& planned) {
  REQUIRE(planned.slot >= 0);
  REQUIRE(planned.slot < static_cast<int>(machine.slots.size()));
  REQUIRE(!machine.slots[planned.slot].cpus.empty());
  REQUIRE(!planned.partition.empty());
}

void check_teams(plan::Plan& plan, planner::Masks& masks, const plan::Path& path) {
  if (path.size() == plan.rules().size()) {
    return;
  }
  const int size = plan.next_size(path);
  const plan::Team team = plan.team(path, size);
  for (int i = 0; i < size; ++i) {
    check_slot(plan.machine(), team[i]);
    REQUIRE(mask::count(masks.of(plan.machine().slots[team[i].slot])) > 0);
  }
  for (const int i : {0, size - 1}) {
    plan::Path member = path;
    member.push_back({i, size});
    check_teams(plan, masks, member);
  }
}

void plan_on(machine::Hardware hardware) {
  const auto topology = machine::Topology::of(std::move(hardware), "damaged", {});
  for (const char* text : kSpecs) {
    spec::Spec spec;
    spec::Fault fault;
    REQUIRE(spec::parse(text, spec, fault));
    plan::Plan plan = plan::make(spec, topology, 0, machine::CoreChoice::kAuto);
    planner::Masks masks(topology.cpu_limit());
    check_teams(plan, masks, {});
  }
}

}  // namespace

TEST_CASE("plans from damaged records stay inside the machine") {
  std::mt19937 random(2);
  int planned = 0;
  for (const char* source :
       {"pack:2 [numa] core:2 pu:2", "group:2 pack:2 [numa] l3:2 l2:1 core:2 pu:1", "pu:5",
        "pack:2 [numa] die:2 [numa] core:3 pu:1"}) {
    const std::string bytes = machine::cache::encode(machine::hwloc::read_hardware(source));
    const std::size_t numbers = bytes.size() / 4;
    for (int round = 0; round < 3000; ++round) {
      std::string damaged = bytes;
      for (unsigned change = 0; change <= random() % 3; ++change) {
        const std::int32_t values[] = {-1, 0, 1, static_cast<std::int32_t>(random() % 20),
                                       static_cast<std::int32_t>(random())};
        std::memcpy(damaged.data() + 4 * (random() % numbers), &values[random() % 5], 4);
      }
      if (auto hardware = machine::cache::decode(damaged)) {
        ++planned;
        plan_on(std::move(*hardware));
      }
    }
  }
  CHECK(planned > 100);
}
