// SPDX-License-Identifier: BSD-3-Clause
// The two stages, as the leaders of nodes and the root make them: what they do with what they have
// received, and what they send.
#pragma once

#include <nestbind/across.h>

#include "balance/across/arena.hpp"
#include "balance/across/mail.hpp"
#include "balance/across/spread.hpp"

namespace nestbind::balance::across {

// What each rank sends to its leader: one RankRecord, the NUMA nodes of its slots, its objects, and
// their edges in the same order.
struct RankRecord {
  int threads;
  int slots;  // 0: all threads compute an object together
  int numa;
  int objects;
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

// What is the same in all calls.
struct Job {
  explicit Job(Arena& kept) : node(kept), leaders(kept), local(kept), hops(kept) {}
  List<int> node;     // of each rank
  List<int> leaders;  // the lowest rank of each node
  List<int> local;    // the ranks of the own node
  int own_node = 0;
  List<double> hops;  // between nodes, in the root; empty: one hop between all nodes
  double (*factor)(int from, int to) = nullptr;  // between NUMA nodes; null: 1
};

// Of one call.
class Stages {
 public:
  Stages(Arena& arena, const Job& job)
      : arena_(arena),
        job_(job),
        objects_(arena),
        edges_(arena),
        ranks_(arena),
        numa_(arena),
        capacity_(arena) {}

  // In this order. A leader: the load of its node, and the objects that could move.
  void offer(const Aim& aim, Mail& mail);
  // The root: the new nodes of the objects that were offered.
  void assign(const Aim& aim, Mail& mail);
  // A leader: the objects that leave and arrive, then the ranks of all objects of the node, and to
  // each rank its moves. Adds what this comes to, to the numbers of worth.hpp.
  void take_orders(const Aim& aim, Mail& mail, double* numbers);

 private:
  void choose(const Aim& aim, double excess, double most, List<int>& chosen);
  int first_place_of(int rank) const;

  Arena& arena_;
  const Job& job_;
  List<Object> objects_;  // of the node, later with those that arrive
  List<Edge> edges_;
  // The places of the second stage: slots, or ranks without slots.
  List<int> ranks_;  // of each place
  List<int> numa_;
  List<double> capacity_;
};

}  // namespace nestbind::balance::across
