// SPDX-License-Identifier: BSD-3-Clause
// The threads' slots in some order, and the cost of their communication there: weight times
// distance, summed over all pairs (hop-bytes).
#pragma once

#include <vector>

#include "mapping/communication.hpp"
#include "mapping/distance.hpp"
#include "mapping/mapped_threads.hpp"
#include "plan/order.hpp"

namespace nestbind::mapping {

// The data that all orders share.
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
  // The plain order.
  explicit Placement(const Problem& problem);

  // The slot of a thread of the last level.
  int slot(int thread) const { return problem_->threads.slot[position_[thread]]; }

  // The position of a thread's member. Both are numbers in the team's plain order.
  int position_of(int thread, int member) const { return positions_[thread][member]; }

  // The first slot of a position in the thread's team, at the thread's present place.
  int slot_of_position(int thread, int position) const;

  // Two members of the same shape exchange positions, with all threads below them. Member 0 must
  // not be one of them. gain: the decrease of the cost.
  double gain(int thread, int one, int other) const;
  void swap(int thread, int one, int other);

  // Sets the positions of all members of a thread's team: a permutation that leaves the first
  // member in its place, and gives members only positions of their own shape.
  void set(int thread, const std::vector<int>& positions);

  double cost() const;

  // The order of the placement, without teams that are in their plain order.
  plan::Order order() const;

 private:
  int offset(int thread, int position) const;
  void move(int begin, int end, int by);

  const Problem* problem_;
  std::vector<std::vector<int>> positions_;  // [index in Threads::all][member]
  std::vector<int> position_;  // for each last-level thread: the thread whose planned slot it has
};

// One team: its members, its positions, and the communication between its members.
struct Team {
  int size = 0;
  std::vector<Pair> pairs;  // communication of members with all threads below them, a < b
  std::vector<int> slots;   // the first slot of each position
  std::vector<int> shapes;  // of members; position i has the shape of member i
  std::vector<std::vector<double>>
      pull;  // [member][position]: the cost of communication with threads outside the team
};

// thread: an index into Threads::all; the thread has members.
Team team_of(const Problem& problem, const Placement& placement, int thread);

}  // namespace nestbind::mapping
