// SPDX-License-Identifier: BSD-3-Clause
// The interface of libnestbind-planner.so for the ranks of a job on several nodes. It has only C
// types, and no exception crosses it. Functions may be called at any time, by any thread. A
// function with a message returns a nestbind_error, which the message may explain.
#pragma once

#include "planner/planner.hpp"

namespace nestbind {

// Made by RanksApi::network. Freed by `forget`.
struct PlannerNetwork;

struct PlannerNodes {
  int count;
  // "none"; a form, such as "torus:8x8x8"; "switches", if `paths` are given; otherwise the text of
  // a topology.conf or topology.yaml (nestbind-network(7)).
  const char* network;
  const char* const* names;  // of each node. May be null for "none", and for forms
  // For "switches": the switches above each node, and the node, with points between them, as in
  // SLURM_TOPOLOGY_ADDR ("core.s0.n3").
  const char* const* paths;
  // The text of a file of lines "NODE COORDINATE COORDINATE ...", for forms; null if node i has
  // position i.
  const char* coordinates;
};

// A grid of ranks, numbered along the last dimension. No grid if `dims` is 0.
struct PlannerGrid {
  int dims;
  const int* lengths;
  const int* is_periodic;
  const double* weights;  // null: all 1
  int stencil;            // 0: neighbours in one dimension; 1: in one or two; 2: in any number
};

// Rank r sends bytes[i] to other[i], for each i from begin[r] to begin[r + 1] - 1. Not used if
// `begin` is null.
struct PlannerMessages {
  const long* begin;
  const int* other;
  const double* bytes;  // null: all 1
};

struct PlannerJob {
  const PlannerNetwork* network;  // null: all nodes are equally far
  int ranks;
  const int* node;  // of each process, from 0
  // `levels` numbers for each process: the objects of its node that contain the process, the
  // outermost first (such as package and NUMA node). May be null with 0 levels.
  int levels;
  const int* objects;
  PlannerGrid grid;  // one of these two; the product of the lengths is `ranks`
  PlannerMessages messages;
};

struct PlannerGain {
  double bytes_before, bytes;          // between nodes
  double hop_bytes_before, hop_bytes;  // bytes between nodes times hops
};

struct RanksApi {
  int (*network)(const PlannerNodes& nodes, PlannerNetwork** network, PlannerMessage& message);
  void (*forget)(PlannerNetwork* network);
  // Returns the number of coordinates, and writes at most `capacity` of them. For a tree they are
  // the number of the switch in each level, and of the node in its switch; for a dragonfly the
  // group, the router and the node.
  int (*dims)(const PlannerNetwork* network, int* sizes, int capacity);
  int (*coordinates)(const PlannerNetwork* network, int node, int* coordinates, int capacity);
  // The node with these coordinates, or -1.
  int (*node)(const PlannerNetwork* network, const int* coordinates, int count);
  int (*hops)(const PlannerNetwork* network, int a, int b);
  // Writes the process of each rank, a permutation of 0 to ranks - 1: before, rank i was process i.
  // The bytes between nodes, the hop-bytes and the busiest link's load never rise. Returns the same
  // for the same job in each process. `gain` says what changes; if nothing does, the result is 0,
  // 1, 2, ...
  int (*map_ranks)(const PlannerJob& job, int* process, PlannerGain* gain, PlannerMessage& message);
};

inline constexpr char kRanksSymbol[] = "nestbind_planner_ranks_1";

}  // namespace nestbind
