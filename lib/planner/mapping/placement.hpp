// SPDX-License-Identifier: BSD-3-Clause
// The threads' slots in some order, and the cost of their communication on these slots. The cost is
// weight times distance, summed over all pairs of threads (hop-bytes).
#pragma once

#include <vector>

#include "mapping/communication.hpp"
#include "mapping/distance.hpp"
#include "mapping/mapped_threads.hpp"
#include "plan/order.hpp"

namespace nestbind::mapping {

// The data that are the same for all orders.
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
  // Makes the placement in the plain order.
  explicit Placement(const Problem& problem);

  // Returns the slot of a thread of the last level.
  int slot(int thread) const { return problem_->threads.slot[position_[thread]]; }

  // Returns the position of a thread's member. Both are numbers in the team's plain order.
  int position_of(int thread, int member) const { return positions_[thread][member]; }

  // Returns the first slot of a position in the thread's team, where the team is now.
  int slot_of_position(int thread, int position) const;

  // Exchanges the positions of two members of the same shape, with all threads below them. Member 0
  // must not be exchanged. gain() returns by how much the exchange would lower the cost.
  double gain(int thread, int one, int other) const;
  void swap(int thread, int one, int other);

  // Sets the positions of all members of a thread's team. The positions must be a permutation. The
  // first member keeps its position, and each member gets a position of its own shape.
  void set(int thread, const std::vector<int>& positions);

  double cost() const;

  // Returns the order of the placement, without teams that are in their plain order.
  plan::Order order() const;

 private:
  int offset(int thread, int position) const;
  void move(int begin, int end, int by);

  const Problem* problem_;
  std::vector<std::vector<int>> positions_;  // [index in Threads::all][member]
  std::vector<int> position_;  // for each last-level thread, the thread whose planned slot it has
};

// One team: its members, its positions, and the communication between its members.
struct Team {
  int size = 0;
  std::vector<Pair> pairs;  // communication between members (with their inner teams), a < b
  std::vector<int> slots;   // the first slot of each position
  std::vector<int> shapes;  // of the members; position i has the shape of member i
  std::vector<std::vector<double>>
      pull;  // [member][position]: the cost of communication with threads outside the team
};

// thread: an index into Threads::all; must have members.
Team team_of(const Problem& problem, const Placement& placement, int thread);

}  // namespace nestbind::mapping
