// SPDX-License-Identifier: BSD-3-Clause
// Threads of a specification, and artificial communication between them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "mapping/communication.hpp"
#include "mapping/mapped_threads.hpp"
#include "mapping/placement.hpp"
#include "planned.hpp"

namespace mapped {

using namespace nestbind;
using namespace nestbind::mapping;

struct Setup {
  Setup(const std::string& machine, const std::string& spec)
      : plan(planned::plan({machine, "", 0}, spec)),
        threads(make_threads(plan)),
        distances(plan.machine()) {}
  plan::Plan plan;
  Threads threads;
  Distances distances;
};

// The tree of 64 slots has three levels of four children each.
inline Setup tree_of_64() { return {"pack:4 l3:4 core:4 pu:1", "64,compact"}; }

inline int levels_of_64(int a, int b) {
  return a == b ? 0 : a / 4 == b / 4 ? 1 : a / 16 == b / 16 ? 2 : 3;
}

// A seed gives the same order on every machine.
inline std::vector<int> shuffled(int count, unsigned seed) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::mt19937 dice(seed);
  for (int i = count - 1; i > 0; --i) {
    std::swap(numbers[i], numbers[dice() % static_cast<unsigned>(i + 1)]);
  }
  return numbers;
}

inline Communication renamed(const Communication& pairs, const std::vector<int>& name) {
  Communication scrambled;
  for (const auto& [a, b, weight] : pairs) {
    scrambled.push_back({std::min(name[a], name[b]), std::max(name[a], name[b]), weight});
  }
  return scrambled;
}

inline Communication hidden_teams(int count) {
  Communication pairs;
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count && b / 4 == a / 4; ++b) {
      pairs.push_back({a, b, 10});
    }
  }
  return pairs;
}

// Neighbours in a grid of side x side threads communicate with weight 10.
inline Communication stencil(int side) {
  Communication pairs;
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const int self = row * side + column;
      if (column + 1 < side) {
        pairs.push_back({self, self + 1, 10});
      }
      if (row + 1 < side) {
        pairs.push_back({self, self + side, 10});
      }
    }
  }
  return pairs;
}

}  // namespace mapped
