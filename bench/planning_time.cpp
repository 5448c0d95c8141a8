// SPDX-License-Identifier: BSD-3-Clause
// Measures the time of planning for machines of different sizes.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "machine/hwloc/read_hwloc.hpp"
#include "machine/machine_topology.hpp"
#include "plan/team_plan.hpp"
#include "spec/spec.hpp"

namespace {

using namespace nestbind;

struct Case {
  const char* machine;
  const char* text;
};

constexpr Case kCases[] = {
    {"pack:2 core:8 pu:1", "16,scatter"},
    {"pack:2 core:8 pu:1", "4,scatter,4,subcompact"},
    {"pack:4 numa:2 l3:4 core:8 pu:1", "256,scatter"},
    {"pack:4 numa:2 l3:4 core:8 pu:1", "16,scatter,16,subcompact"},
    {"pack:8 numa:4 l3:4 core:8 pu:1", "1024,scatter"},
    {"pack:8 numa:4 l3:4 core:8 pu:1", "1024,compact"},
    {"pack:8 numa:4 l3:4 core:8 pu:1", "32,scatter,32,subcompact"},
    {"pack:8 numa:4 l3:4 core:8 pu:1", "32,scatter,32,scatter"},
    {"pack:8 numa:4 l3:4 core:8 pu:1", "32,scatter,32,compact"},
    {"pack:16 numa:4 l3:8 core:8 pu:1", "4096,scatter"},
    {"pack:16 numa:4 l3:8 core:8 pu:1", "64,scatter,64,subcompact"},
    {"pack:16 numa:4 l3:8 core:8 pu:1", "64,scatter,64,subscatter"},
    {"pack:16 numa:4 l3:8 core:8 pu:1", "64,scatter,64,scatter"},
    {"pack:16 numa:4 l3:8 core:8 pu:1", "64,scatter,64,compact"},
};

using Clock = std::chrono::steady_clock;

double microseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

long ask_for_all(plan::Plan& plan, plan::Path& path) {
  const int size = plan.next_size(path);
  if (size == 0) {
    return 0;
  }
  long places = static_cast<long>(plan.team(path, size).size());
  if (path.size() + 1 == plan.rules().size()) {
    return places;
  }
  path.emplace_back();
  for (int number = 0; number < size; ++number) {
    path.back() = {number, size};
    places += ask_for_all(plan, path);
  }
  path.pop_back();
  return places;
}

void run(const Case& what, const machine::Topology& topology, const spec::Spec& spec,
         int repetition) {
  const auto begun = Clock::now();
  plan::Rules rules = plan::make_rules(spec, topology, machine::CoreChoice::kAuto);
  const auto ruled = Clock::now();
  machine::Machine machine = plan::slots_for(rules, topology, 0, machine::CoreChoice::kAuto);
  const std::size_t slots = machine.slots.size();
  const auto cut = Clock::now();
  plan::Plan plan(std::move(machine), std::move(rules));
  const auto made = Clock::now();
  plan::Path path;
  const long places = ask_for_all(plan, path);
  const auto planned = Clock::now();
  std::printf("\"%s\",%zu,\"%s\",%ld,%d,%.1f,%.1f,%.1f\n", what.machine, slots, what.text, places,
              repetition, microseconds(ruled, cut),
              microseconds(begun, ruled) + microseconds(cut, made), microseconds(made, planned));
}

}  // namespace

// planning_time [REPETITIONS]
int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 7;
  if (repetitions < 1) {
    std::fprintf(stderr, "usage: planning_time [REPETITIONS]\n");
    return 2;
  }
  std::puts("machine,slots,specification,places,repetition,slots_us,plan_us,teams_us");
  std::vector<machine::Topology> topologies;
  for (const Case& what : kCases) {
    topologies.push_back(
        machine::Topology::of(machine::hwloc::read_hardware(what.machine), what.machine, {}));
  }
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t i = 0; i < std::size(kCases); ++i) {
      spec::Spec spec;
      spec::Fault fault;
      if (!spec::parse(kCases[i].text, spec, fault)) {
        std::fprintf(stderr, "'%s': expected %s\n", kCases[i].text, fault.expected);
        return 1;
      }
      run(kCases[i], topologies[i], spec, repetition);
    }
  }
  return 0;
}
