// SPDX-License-Identifier: BSD-3-Clause
#include "repartition.hpp"

// scotch.h needs these headers, and does not include them.
#include <cstdint>
#include <cstdio>
// clang-format off
#include <scotch.h>
// clang-format on

#include <algorithm>

bool repartition(const std::vector<double>& load, int ring, int nodes, std::vector<int>& place) {
  const auto count = static_cast<SCOTCH_Num>(load.size());
  const double heaviest = *std::max_element(load.begin(), load.end());
  std::vector<SCOTCH_Num> first;
  std::vector<SCOTCH_Num> other;
  std::vector<SCOTCH_Num> weight;
  for (SCOTCH_Num i = 0; i < count; ++i) {
    first.push_back(static_cast<SCOTCH_Num>(other.size()));
    for (int k = 1; k <= ring; ++k) {
      other.push_back((i + k) % count);
      other.push_back((i + count - k) % count);
    }
    weight.push_back(1 +
                     static_cast<SCOTCH_Num>(1000 * load[static_cast<std::size_t>(i)] / heaviest));
  }
  first.push_back(static_cast<SCOTCH_Num>(other.size()));
  std::vector<SCOTCH_Num> before(place.begin(), place.end());
  std::vector<SCOTCH_Num> after(before.size());
  SCOTCH_Graph graph;
  SCOTCH_Strat strategy;
  SCOTCH_graphInit(&graph);
  SCOTCH_stratInit(&strategy);
  // The balance is within 2 %. Moving an object costs as much as a message that leaves its node.
  const bool is_done =
      SCOTCH_graphBuild(&graph, 0, count, first.data(), first.data() + 1, weight.data(), nullptr,
                        static_cast<SCOTCH_Num>(other.size()), other.data(), nullptr) == 0 &&
      SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATREMAP | SCOTCH_STRATSPEED, nodes, 0.02) ==
          0 &&
      SCOTCH_graphRepart(&graph, nodes, before.data(), 1, nullptr, &strategy, after.data()) == 0;
  std::copy(after.begin(), after.end(), place.begin());
  SCOTCH_stratExit(&strategy);
  SCOTCH_graphExit(&graph);
  return is_done;
}
