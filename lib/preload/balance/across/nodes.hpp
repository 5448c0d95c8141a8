// SPDX-License-Identifier: BSD-3-Clause
// The first of two stages: which object goes to which node of a cluster.
#pragma once

namespace nestbind::balance::across {

// The nodes, and the objects that could move. The caller owns the arrays.
struct Crowd {
  int nodes = 0;
  const double* capacity = nullptr;  // of each node: its number of threads
  const double* load = nullptr;      // of each node, with the objects that are not listed below
  const double* hops = nullptr;      // [a * nodes + b]; null: one hop between all nodes

  int count = 0;
  const double* weight = nullptr;  // the load of each object, in seconds
  const double* bytes = nullptr;   // that a move of the object sends
  const int* first = nullptr;      // as in Objects (balance/objects.hpp)
  const int* other = nullptr;      // an object of this list; or, if negative, on node -1 - other
  const double* messages = nullptr;
};

struct Prices {
  double per_message = 0;  // seconds for each message and hop
  double per_byte = 0;     // seconds of a step for each byte that moves
  double tolerance = 0.02;
};

// Moves objects from the nodes above a limit to nodes below it. The limit is the load of a thread:
// (1 + tolerance) * mean, or the least limit above it, in steps of 1 % of the mean, that the nodes
// can keep. `node` has the node of each object. Returns the number of objects that move, or -1 if
// there is no memory.
//
// A node that is too heavy gives away first the objects whose move costs the least for their load:
//
//   cost = per_byte * bytes + per_message * (messages to the own node - messages to the best other)
//
// If one object is enough, the cheapest such object goes. An object goes to the node with the least
// cost of messages. These nodes are tried: up to 16 nodes with which the object exchanges
// messages, and of the nearest nodes with room the one with the least room.
int assign_to_nodes(const Crowd& crowd, const Prices& prices, int* node);

// Sorts the objects of `node` (all objects in the list `object` are there) so that the cheapest
// come first.
void sort_by_cost(const Crowd& crowd, const Prices& prices, const int* node, int* object, int count,
                  double* cost);

}  // namespace nestbind::balance::across
