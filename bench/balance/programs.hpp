// SPDX-License-Identifier: BSD-3-Clause
// The paper's programs and machines in the form for a balancer: loads, messages, slots. The loads
// are measured times of a step; nothing runs here.
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
  // In equal blocks by number: the initial placement of such programs.
  std::vector<int> begin(int slots) const;
};

// 200 objects of 50 to 200 ms, most of them light, in a ring and with 1 % of all other links.
Objects lb_test(std::uint64_t seed);
// 100 objects in a square, each linked with its neighbours; objects in row r of 0 to 9 take 1 + r.
Objects jacobi2d();
// 200 objects with the same load, which a measurement finds up to `noise` larger. Each sends to the
// four objects before it and the four after it.
Objects k_neighbor(std::uint64_t seed, double noise);

struct Machine {
  std::vector<int> node;
  std::vector<double> factor;
  int nodes = 0;
  balance::Machine view() const;
};

// numa16: 8 nodes of 2 cores, factor 1.3 to all others. numa32: 4 nodes of 8, factor 2.
Machine numa16();
Machine numa32();
// Any other machine.
Machine machine(int nodes, int slots_each, double factor);

}  // namespace nestbind::simulation
