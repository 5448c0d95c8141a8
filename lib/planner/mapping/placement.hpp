// SPDX-License-Identifier: BSD-3-Clause
// Who sits where in some order, and what the communication costs then: weight times distance,
// summed over all pairs (hop-bytes).
#pragma once

#include <vector>

#include "mapping/communication.hpp"
#include "mapping/distance.hpp"
#include "mapping/mapped_threads.hpp"
#include "plan/order.hpp"

namespace nestbind::mapping {

// What stays the same in every order.
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
  // As planned.
  explicit Placement(const Problem& problem);

  // The slot of a thread of the last level.
  int slot(int thread) const { return problem_->threads.slot[position_[thread]]; }

  // The position that a thread's member has, by its number among the members as planned.
  int position_of(int thread, int member) const { return positions_[thread][member]; }

  // The first slot of what is planned for a number among a thread's members, where that thread is.
  int slot_of_position(int thread, int position) const;

  // Two members, neither of them the thread itself, and of one shape, take each other's positions,
  // with all below them. gain: by how much the cost falls then.
  double gain(int thread, int one, int other) const;
  void swap(int thread, int one, int other);

  // All members of a thread take these positions: a permutation that leaves the first where it is
  // and gives members positions of their shape only.
  void set(int thread, const std::vector<int>& positions);

  double cost() const;

  // Without the teams that are as planned.
  plan::Order order() const;

 private:
  int offset(int thread, int position) const;
  void move(int begin, int end, int by);

  const Problem* problem_;
  std::vector<std::vector<int>> positions_;  // by Threads::all, of each member
  std::vector<int> position_;  // of each thread of the last level, whose position it has
};

// One team alone: its members, what goes between them and all below them, and its positions.
struct Team {
  int size = 0;
  std::vector<Pair> pairs;  // between members and all below them, a < b
  std::vector<int> slots;   // of each position, the first
  std::vector<int> shapes;  // of members, and of the positions of their numbers
  std::vector<std::vector<double>>
      pull;  // [member][position]: what goes to threads outside costs there
};

// thread: an index into Threads::all, with members.
Team team_of(const Problem& problem, const Placement& placement, int thread);

}  // namespace nestbind::mapping
