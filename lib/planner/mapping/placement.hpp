// SPDX-License-Identifier: BSD-3-Clause
// The threads' slots in some order, and the cost of their communication on these slots. The cost is
// weight times distance, summed over all pairs of threads (hop-bytes).
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "mapping/communication.hpp"
#include "mapping/mapped_threads.hpp"
#include "plan/teams.hpp"
#include "topology/geometry.hpp"

namespace nestbind::mapping {

// The distances between slots.
// For each slot, a path of indices into Machine::nodes. The path begins at the machine, and leaves
// out objects with one child.
using Branches = std::vector<std::vector<int>>;
Branches branches_of(const machine::Machine& machine);

class Distances {
 public:
  explicit Distances(const machine::Machine& machine);

  // Returns the levels up to the smallest object that contains both slots (topology/geometry.hpp).
  // If the distance of their NUMA nodes is known, multiplies the levels by a factor. The factor is
  // the nodes' distance (mean of both directions), divided by the least distance of any two nodes.
  double operator()(int a, int b) const {
    return table_.empty() ? compute(a, b)
                          : table_[(static_cast<std::size_t>(a) * branches_.size()) + b];
  }

  const Branches& branches() const { return branches_; }

 private:
  double compute(int a, int b) const;

  Branches branches_;
  topology::Levels levels_;
  std::vector<double> table_;  // distances between all slots; empty if there are too many slots
  std::vector<int> row_;       // for each slot, the row of its node in remote_, or -1
  std::vector<std::vector<double>> remote_;  // factors between nodes; empty if they are not known
};

struct Problem {
  Problem(const Threads& all_threads, const Communication& pairs, const Distances& distance_of);

  const Threads& threads;
  const Communication& communication;
  const Distances& distances;

  struct Partner {
    int thread;
    double weight;
  };
  std::vector<std::vector<Partner>> partners;  // of each thread of the last level
};

class Placement {
 public:
  explicit Placement(const Problem& problem);

  int slot(int thread) const { return problem_->threads.slot[position_[thread]]; }

  // Returns the position of a thread's member. Both are numbers in the team's plain order.
  int position_of(int thread, int member) const { return positions_[thread][member]; }

  // `thread` has forked a team. Returns the first slot of a position in this team.
  int slot_of_position(int thread, int position) const;

  // swap() exchanges two members of the same shape, but not member 0. gain() returns the reduction
  // of the cost.
  double gain(int thread, int one, int other) const;
  void swap(int thread, int one, int other);

  // positions: a permutation. Member 0 keeps position 0. If member i gets position k, members i and
  // k must have the same shape.
  void set(int thread, const std::vector<int>& positions);

  double cost() const;

  // Leaves out teams that are in their plain order.
  plan::Order order() const;

 private:
  int offset(int thread, int position) const;
  void move(int begin, int end, int by);

  const Problem* problem_;
  std::vector<std::vector<int>> positions_;  // [index in Threads::all][member]
  std::vector<int> position_;                // thread i has the planned slot of thread position_[i]
};

struct Team {
  int size = 0;
  std::vector<Pair> pairs;  // communication between members (with their inner teams), a < b
  std::vector<int> slots;   // the first slot of each position
  std::vector<int> shapes;
  std::vector<std::vector<double>>
      pull;  // [member][position]: the cost of communication with threads outside the team
};

// thread: an index into Threads::all; must have members.
Team team_of(const Problem& problem, const Placement& placement, int thread);

}  // namespace nestbind::mapping
