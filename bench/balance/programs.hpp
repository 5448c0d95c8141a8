// SPDX-License-Identifier: BSD-3-Clause
// The paper's programs and machines as the input of a balancer (loads, messages and slots).
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
  // Returns the initial slot of each object, in blocks of consecutive objects.
  std::vector<int> begin(int slots) const;
};

// 200 objects of 50 to 200 ms, most of them light. Each has links to its neighbours in a ring, and
// to a random 1 % of all others.
Objects lb_test(std::uint64_t seed);
// 100 objects in a square, each linked with its neighbours. An object in row r (0 to 9) has the
// load 1 + r.
Objects jacobi2d();
// 200 objects with the same load. The measured loads are larger by a random fraction up to `noise`.
// Each object sends to the four objects before it and to the four objects after it.
Objects k_neighbor(std::uint64_t seed, double noise);

struct Machine {
  std::vector<int> node;
  std::vector<double> factor;
  int nodes = 0;
  balance::Machine view() const;
};

Machine numa16();
Machine numa32();
Machine machine(int nodes, int slots_each, double factor);

}  // namespace nestbind::simulation
