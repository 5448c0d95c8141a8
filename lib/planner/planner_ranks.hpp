// SPDX-License-Identifier: BSD-3-Clause
// The interface of libnestbind-planner.so for the ranks of a job on several nodes. It has only C
// types, and no exception crosses it. The function may be called at any time, by any thread.
#pragma once

#include "planner/planner.hpp"

namespace nestbind {

struct PlannerJob {
  int ranks;
  int nodes;
  const int* node;  // of each process, from 0
  // The switches above each node, and the node, with points between them, as in SLURM_TOPOLOGY_ADDR
  // ("core.s0.n3"). Null: all nodes are equally far.
  const char* const* paths;
  // A grid of all ranks, numbered along the last dimension; no grid if `dims` is 0. Then rank r
  // sends bytes[i] to other[i], for each i from begin[r] to begin[r + 1] - 1.
  int dims;
  const int* lengths;
  const int* is_periodic;
  const long* begin;
  const int* other;
  const double* bytes;  // null: all 1
};

struct PlannerGain {
  double bytes_before, bytes;          // between nodes
  double hop_bytes_before, hop_bytes;  // bytes between nodes times hops
};

struct RanksApi {
  // Writes the process of each rank, a permutation of 0 to ranks - 1: before, rank i was process i.
  // The bytes between nodes, the hop-bytes and the busiest link's load never rise. Writes the same
  // for the same job in each process. `gain` says what changes; if nothing does, the result is 0,
  // 1, 2, ... Returns a nestbind_error, which the message may explain.
  int (*map_ranks)(const PlannerJob& job, int* process, PlannerGain& gain, PlannerMessage& message);
};

inline constexpr char kRanksSymbol[] = "nestbind_planner_ranks_1";

}  // namespace nestbind
