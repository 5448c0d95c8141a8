// SPDX-License-Identifier: BSD-3-Clause
// The two stages, as the leaders of nodes and the root make them: what they send, and what they do
// with what they have received.
#pragma once

#include "balance/across/grow.hpp"
#include "balance/across/mail.hpp"
#include "balance/across/nodes.hpp"

namespace nestbind::balance::across {

// What each rank sends to its leader: one RankRecord, the NUMA nodes of its slots, its objects, and
// the messages of its objects in the same order.
struct RankRecord {
  int threads;
  int slots;
  int numa;
  int objects;
};
struct ObjectRecord {
  Id id;
  double load;
  double bytes;
  int rank;
  int slot;
  int edges;
  int to;  // the node that gets it
};
struct EdgeRecord {
  Id other;
  double messages;
  int node;  // of `other`
  int rest;  // 0: no byte of a record is undefined
};
// What each rank gets: its moves.
struct MoveRecord {
  nestbind_balance_move move;
  double load;
};

// Of all ranks.
struct Aim {
  Prices prices;
  double mean;    // the load for each thread
  bool is_whole;  // the root gets all objects
};

// What a leader's part of the second stage comes to.
struct Outcome {
  double time = 0;  // of the slowest rank
  double moves = 0;
  double bytes = 0;
  double busiest = 0;  // bytes that a rank sends and receives
};

class Stages {
 public:
  Grow<int> local;  // the ranks of the own node; the first one is the leader
  int own_node = 0;
  int nodes = 1;
  const double* hops = nullptr;
  double (*factor)(int from, int to) = nullptr;

  // The exchanges in their order. A leader: the load of its node, and the objects that could move.
  void offer(const Aim& aim, Mail& mail);
  // The root: the nodes of the objects that were offered. Returns false if there is no memory.
  bool assign(const Aim& aim, Mail& mail);
  // A leader: the objects that leave and arrive, and then the ranks of all objects of the node.
  // The time is negative if there is no memory.
  Outcome take_orders(const Aim& aim, const Mail& mail);
  // A leader: to each rank its moves.
  void tell_ranks(Mail& mail);
  void forget_moves() { moves_.clear(); }

 private:
  struct NodeRecord {
    double load;
    double capacity;
    int objects;
    int rest;
  };
  void choose(const Aim& aim, double excess, double most, const Grow<int>& first,
              Grow<int>& chosen) const;
  int local_index(int rank) const;

  Grow<int> threads_, slots_, first_numa_, numa_;  // of the ranks
  Grow<ObjectRecord> objects_;                     // of the node, later with those that arrive
  Grow<EdgeRecord> edges_;
  Grow<MoveRecord> moves_;
};

}  // namespace nestbind::balance::across
