// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "machine/hwloc/read_hwloc.hpp"
#include "probe/probe_found.hpp"

using namespace nestbind::probe;
using nestbind::machine::Hardware;
using nestbind::machine::hwloc::read_hardware;

namespace {

using Names = std::vector<std::string>;

Names names_of(const Survey& survey) {
  Names names;
  for (const Kind& kind : survey.kinds) {
    names.push_back(kind.name + ": " + std::to_string(kind.pairs.size()) + " of " +
                    std::to_string(kind.all));
  }
  return names;
}

Names names_of(const std::vector<Pattern>& patterns) {
  Names names;
  for (const Pattern& pattern : patterns) {
    names.push_back(pattern.name + ": " + std::to_string(pattern.pairs.size()));
    std::set<int> taken;
    for (const Pair& pair : pattern.pairs) {
      CHECK(taken.insert(pair.first).second);
      CHECK(taken.insert(pair.second).second);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("the survey takes three pairs of each kind, and one processor of a core") {
  const Hardware hardware = read_hardware("pack:2 numa:1 l3:2 core:2 pu:2");
  const Survey survey = plan_survey(hardware, {});
  CHECK(names_of(survey) == Names{"same core: 3 of 8", "same L3: 3 of 4", "same package: 3 of 8",
                                  "nodes 0 and 1: 3 of 16"});
  CHECK(survey.nodes.size() == 2);
  CHECK(survey.nodes[1].processors == std::vector<int>{8, 10, 12, 14});
  CHECK(names_of(survey.patterns) == Names{"near: 4", "random: 4", "1 hop: 4"});
  CHECK(survey.patterns[0].pairs[1] == Pair{4, 6});
  CHECK(survey.patterns[2].pairs[1] == Pair{2, 10});
}

TEST_CASE("each pair of cores has one kind") {
  const Survey survey = plan_survey(read_hardware("pack:2 numa:1 core:2 pu:2"), {});
  CHECK(survey.cores == std::vector<int>{0, 2, 4, 6});
  // the kinds: same core, same package, two nodes
  CHECK(survey.kind_of ==
        std::vector<std::vector<int>>{{-1, 1, 2, 2}, {1, -1, 2, 2}, {2, 2, -1, 1}, {2, 2, 1, -1}});
}

TEST_CASE("the full survey takes all pairs of cores") {
  const Survey survey = plan_survey(read_hardware("pack:2 core:4 pu:1"), {.full = true, .seed = 1});
  CHECK(names_of(survey) == Names{"same package: 12 of 12", "same machine: 16 of 16"});
}

TEST_CASE("another seed gives other pairs") {
  const Hardware hardware = read_hardware("pack:1 core:16 pu:1");
  const auto pairs = [&](std::uint64_t seed) {
    return plan_survey(hardware, {.full = false, .seed = seed}).kinds[0].pairs;
  };
  CHECK(pairs(1) == pairs(1));
  CHECK(pairs(1) != pairs(2));
}

TEST_CASE("processors that are not allowed are left out") {
  Hardware hardware = read_hardware("pack:2 numa:1 core:2 pu:2");
  std::fill(hardware.is_allowed.begin(), hardware.is_allowed.end(), false);
  hardware.is_allowed[1] = true;
  hardware.is_allowed[2] = true;
  const Survey survey = plan_survey(hardware, {});
  REQUIRE(survey.kinds.size() == 1);
  CHECK(survey.kinds[0].pairs == std::vector<Pair>{{1, 2}});
  CHECK(survey.nodes.size() == 1);
  CHECK(survey.patterns.empty());

  hardware.is_allowed[2] = false;
  CHECK(plan_survey(hardware, {}).kinds.empty());
}

TEST_CASE("nodes have the kernel's numbers, and nodes with equal processors are one") {
  Hardware hardware = read_hardware("pack:2 numa:1 core:1 pu:1");
  hardware.numa_numbers = {4, 7};
  const Survey survey = plan_survey(hardware, {});
  REQUIRE(survey.nodes.size() == 2);
  CHECK(survey.nodes[0].number == 4);
  CHECK(survey.nodes[1].number == 7);
  CHECK(names_of(survey) == Names{"nodes 4 and 7: 1 of 1"});

  hardware.numa_processors.push_back(hardware.numa_processors[0]);
  hardware.numa_numbers.push_back(8);
  CHECK(plan_survey(hardware, {}).nodes.size() == 2);
}

TEST_CASE("pairs of nodes at the same distance are one kind if there are many nodes") {
  Hardware hardware = read_hardware("pack:3 numa:3 core:1 pu:1");
  CHECK(names_of(plan_survey(hardware, {})) ==
        Names{"same package, two nodes: 3 of 9", "same machine, two nodes: 3 of 27"});
  hardware.numa_distance.clear();
  for (int i = 0; i < 9; ++i) {
    hardware.numa_distance.emplace_back(9, 30);
    hardware.numa_distance.back()[static_cast<std::size_t>(i)] = 10;
    hardware.numa_distance.back()[static_cast<std::size_t>(8 - i)] = i == 4 ? 10 : 20;
  }
  CHECK(names_of(plan_survey(hardware, {})) ==
        Names{"nodes at distance 20: 3 of 4", "nodes at distance 30: 3 of 32"});
}

TEST_CASE("the Barcelona has nodes that are two hops apart") {
  Hardware hardware = read_hardware("pack:4 numa:1 core:2 pu:1");
  hardware.numa_distance = {{10, 16, 16, 22}, {16, 10, 22, 16}, {16, 22, 10, 16}, {22, 16, 16, 10}};
  const Survey survey = plan_survey(hardware, {});
  CHECK(names_of(survey.patterns) == Names{"near: 4", "random: 4", "1 hop: 4", "2 hops: 4"});
  CHECK(survey.patterns[3].pairs == std::vector<Pair>{{0, 6}, {1, 7}, {2, 4}, {3, 5}});
}

TEST_CASE("partners are on the same board if boards are far apart") {
  Hardware hardware = read_hardware("pack:4 numa:1 core:2 pu:1");
  hardware.numa_distance = {{10, 15, 40, 40}, {15, 10, 40, 40}, {40, 40, 10, 15}, {40, 40, 15, 10}};
  const Survey survey = plan_survey(hardware, {});
  CHECK(names_of(survey.patterns) == Names{"near: 4", "random: 4", "1 hop: 4"});
  CHECK(survey.patterns[2].pairs == std::vector<Pair>{{0, 2}, {1, 3}, {4, 6}, {5, 7}});
}
