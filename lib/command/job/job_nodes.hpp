// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a job by node, and their threads by processor.
#pragma once

#include <optional>
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

// Finds parts of a job that are like the previous part.
// A number that grows from cell to cell. position: 0 for the rank, 1 and more for the path.
struct Step {
  std::size_t position = 0;
  int by = 0;
  bool operator==(const Step&) const = default;
};

// Returns none if the groups' cores have different numbers of processors, or the cells differ in
// more than one number. Without cells the step is 0.
std::optional<Step> step_between(const Job& job, const Group& one, const Group& next);

std::optional<int> step_between(const Job& job, const Node& one, const Node& next);

}  // namespace nestbind::job
