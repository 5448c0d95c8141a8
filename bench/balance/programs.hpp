// SPDX-License-Identifier: BSD-3-Clause
// The paper's programs and machines, as far as a balancer sees them: loads, messages, slots. Loads
// are what one finds by measuring a step; nothing runs here.
#pragma once

#include <cstdint>
#include <vector>

#include "balance/objects.hpp"

namespace nestbind::simulation {

struct Objects {
  std::vector<double> load;
  std::vector<int> first;
  std::vector<int> other;
  balance::Objects view() const;
  // In equal blocks by number, as such programs begin.
  std::vector<int> begin(int slots) const;
};

// 200 objects of 50 to 200 ms, most of them small ones, in a ring with 1 % of all links besides.
Objects lb_test(std::uint64_t seed);
// 100 objects in a square, each with its neighbours; those in row r of 0 to 9 take 1 + r.
Objects jacobi2d();
// 200 objects of one load, which a measurement finds up to `noise` larger; each sends to the four
// before it and behind it.
Objects k_neighbor(std::uint64_t seed, double noise);

struct Machine {
  std::vector<int> node;
  std::vector<double> factor;
  int nodes = 0;
  balance::Machine view() const;
};

// 8 nodes of 2 cores, factor 1.3 to all others; 4 nodes of 8, factor 2.
Machine numa16();
Machine numa32();
// Any.
Machine machine(int nodes, int slots_each, double factor);

}  // namespace nestbind::simulation
