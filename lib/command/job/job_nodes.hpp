// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a job by node, and their threads by processor.
#pragma once

#include <vector>

#include "job/facts.hpp"

namespace nestbind::job {

struct Cell {
  int rank = 0;
  Path path;
  bool operator==(const Cell&) const = default;
};

struct Processor {
  int cpu = 0;
  int core = -1;
  std::vector<Cell> cells;  // sorted by rank and path
};

// Unknown numbers are -1.
struct Group {
  int package = -1;
  int numa = -1;
  std::vector<Processor> processors;
};

// Threads of a rank that may run on several cores.
struct Wide {
  int rank = 0;  // index in Job::ranks
  Cpus cpus;     // empty if not known
  std::vector<Path> paths;
};

struct Node {
  std::string name;
  std::vector<int> ranks;  // indices in Job::ranks
  std::vector<Group> groups;
  std::vector<Wide> wide;
  bool has_machine = false;  // true if a rank reported the cores
};

// All nodes of a job, sorted by the lowest rank of each node.
std::vector<Node> nodes_of(const Job& job);

}  // namespace nestbind::job
