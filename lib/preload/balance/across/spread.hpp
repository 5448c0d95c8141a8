// SPDX-License-Identifier: BSD-3-Clause
// Spreads objects over places. Both stages use it: a place is a node of the job, and then a rank or
// slot of a node.
#pragma once

#include "balance/across/arena.hpp"

namespace nestbind::balance::across {

// Ranks send these records to each other: no byte is undefined.
struct Object {
  Id id;
  double load;   // in seconds
  double bytes;  // that a move of the object sends
  int rank;
  int slot;
  int place;
  int first;  // of its edges
  int edges;
  int rest;
};
struct Edge {
  Id other;
  double messages;
  int at;     // the other object in the list; -1: it is not there
  int place;  // of an object that is not in the list; -1: it does not matter
};

struct Places {
  int count = 0;
  const double* capacity = nullptr;  // of each place: its number of threads
  double* load = nullptr;            // of each place, with objects that are not in the list
  const double* hops = nullptr;      // [a * count + b]; null: one hop between all places
};

struct Prices {
  double per_message = 0;  // seconds for each message and hop
  double per_byte = 0;     // seconds of a step for each byte that moves
  double tolerance = 0.02;
};

// Moves objects from the places above a limit to places below it. The limit is the load of a
// thread: (1 + tolerance) * mean, or the least limit above it, in steps of 1 % of the mean, that
// the places can keep. Changes `place` of the objects and `load` of the places.
//
// A place that is too heavy gives away first the objects whose move costs the least for their load:
//
//   cost = per_byte * bytes + per_message * (messages to the own place - messages to the best
//   other)
//
// If one object is enough, the cheapest such object goes. An object goes to the place with the
// least cost of messages. These places are tried: up to 16 places with which the object exchanges
// messages, and of the nearest places with room the one with the least room.
void spread(Arena& arena, const Places& places, const Prices& prices, List<Object>& objects,
            const List<Edge>& edges);

// Sorts the objects of a place (indices of the list) so that the cheapest come first.
void sort_by_cost(const List<Object>& objects, const List<Edge>& edges, const Prices& prices,
                  int* begin, int* end, double* cost);

}  // namespace nestbind::balance::across
