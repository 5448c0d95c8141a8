// SPDX-License-Identifier: BSD-3-Clause
// Computes the costs of the orders that each mapping method finds for 64 threads. The threads of
// each problem are renumbered at random (scrambled) several times.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "machine/hwloc/read_hwloc.hpp"
#include "mapping/find_map.hpp"
#include "mapping/scotch/solve.hpp"
#include "plan/team_plan.hpp"

namespace {

using namespace nestbind;
using namespace nestbind::mapping;

constexpr int kThreads = 64;
constexpr int kSide = 8;
constexpr double kWeight = 10;
constexpr char kMachine[] = "pack:4 l3:4 core:4 pu:1";

Communication hidden_teams() {
  constexpr int kTeam = 4;
  Communication pairs;
  for (int a = 0; a < kThreads; ++a) {
    for (int b = a + 1; b < kThreads && b / kTeam == a / kTeam; ++b) {
      pairs.push_back({a, b, kWeight});
    }
  }
  return pairs;
}

Communication stencil() {
  Communication pairs;
  for (int self = 0; self < kThreads; ++self) {
    if (self % kSide + 1 < kSide) {
      pairs.push_back({self, self + 1, kWeight});
    }
    if (self + kSide < kThreads) {
      pairs.push_back({self, self + kSide, kWeight});
    }
  }
  return pairs;
}

Communication at_random(std::mt19937& dice) {
  Communication pairs;
  for (int a = 0; a < kThreads; ++a) {
    for (int b = a + 1; b < kThreads; ++b) {
      if (dice() % 10 == 0) {
        pairs.push_back({a, b, 1.0 + dice() % 20});
      }
    }
  }
  return pairs;
}

Communication scrambled(const Communication& pairs, std::mt19937& dice) {
  std::vector<int> name(kThreads);
  std::iota(name.begin(), name.end(), 0);
  for (int i = kThreads - 1; i > 0; --i) {
    std::swap(name[i], name[dice() % static_cast<unsigned>(i + 1)]);
  }
  Communication renamed;
  for (const auto& [a, b, weight] : pairs) {
    renamed.push_back({std::min(name[a], name[b]), std::max(name[a], name[b]), weight});
  }
  return renamed;
}

void try_methods(const char* name, unsigned scramble, const Problem& problem) {
  bool has_refused = false;
  const auto put = [&](const char* method, double cost) {
    std::printf("%s,%s,%u,%g\n", name, method, scramble, cost);
  };
  put("by number", Placement(problem).cost());
  Placement exchanged(problem);
  exchange_members(problem, exchanged);
  put("exchanges", exchanged.cost());
  Placement greedy = place_by(problem, Method::kGreedy, nullptr, has_refused);
  put("greedy", greedy.cost());
  exchange_members(problem, greedy);
  put("greedy and exchanges", greedy.cost());
  put("SCOTCH", place_by(problem, Method::kMapper, scotch::solve, has_refused).cost());
  put("nestbind map", map(problem, scotch::solve).cost);
  if (has_refused) {
    std::fprintf(stderr, "SCOTCH has failed\n");
    std::exit(EXIT_FAILURE);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned scrambles = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 20;
  const auto topology =
      machine::Topology::of(machine::hwloc::read_hardware(kMachine), kMachine, std::nullopt);
  spec::Spec spec;
  spec::Fault fault;
  if (!spec::parse("64,compact", spec, fault)) {
    return EXIT_FAILURE;
  }
  plan::Plan plan = plan::make(spec, topology, 0, machine::CoreChoice::kAuto);
  const Threads threads = make_threads(plan);
  const Distances distances(plan.machine());
  std::puts("problem,method,round,cost");
  for (unsigned scramble = 0; scramble < scrambles; ++scramble) {
    std::mt19937 dice(scramble);
    const std::pair<const char*, Communication> problems[] = {
        {"16 hidden teams of four", scrambled(hidden_teams(), dice)},
        {"8x8 grid", scrambled(stencil(), dice)},
        {"random", at_random(dice)}};
    for (const auto& [name, pairs] : problems) {
      try_methods(name, scramble, Problem(threads, pairs, distances));
    }
  }
  return EXIT_SUCCESS;
}
