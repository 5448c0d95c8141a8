// SPDX-License-Identifier: BSD-3-Clause
#include "planner/masks.hpp"

#include <catch2/catch.hpp>

using namespace nestbind;

namespace {

std::vector<int> cpus_in(const CpuMask& mask) {
  std::vector<int> cpus;
  mask::each(mask, [&](int cpu) { cpus.push_back(cpu); });
  return cpus;
}

machine::Slot slot(const std::vector<int>& cpus) {
  machine::Slot made;
  made.cpus = cpus;
  return made;
}

}  // namespace

TEST_CASE("a mask has the processors of its slots") {
  planner::Masks masks(200);
  machine::Machine machine;
  machine.slots = {slot({0}), slot({199, 64}), slot({5, 3})};
  CHECK(masks.of(machine.slots[0]).bytes == 32);
  CHECK(cpus_in(masks.of(machine.slots[1])) == std::vector{64, 199});
  CHECK(cpus_in(masks.of(machine, {0, 1, 2})) == std::vector{0, 3, 5, 64, 199});
}

TEST_CASE("a mask is stored once and stays") {
  constexpr int kCpus = 500;
  planner::Masks masks(kCpus);
  std::vector<CpuMask> one;
  std::vector<CpuMask> two;
  for (int cpu = 0; cpu + 1 < kCpus; ++cpu) {
    one.push_back(masks.of(slot({cpu})));
    two.push_back(masks.of(slot({cpu, cpu + 1})));
  }
  for (int cpu = 0; cpu + 1 < kCpus; ++cpu) {
    CHECK(masks.of(slot({cpu})).bits == one[cpu].bits);
    CHECK(masks.of(slot({cpu, cpu + 1})).bits == two[cpu].bits);
    CHECK(cpus_in(one[cpu]) == std::vector{cpu});
    CHECK(cpus_in(two[cpu]) == std::vector{cpu, cpu + 1});
  }
  machine::Machine machine;
  machine.slots = {slot({0}), slot({1})};
  const CpuMask area = masks.of(machine, {0, 1});
  CHECK(masks.of(machine, {1, 0}).bits == area.bits);
}
