// SPDX-License-Identifier: BSD-3-Clause
// Finds parts of a job that are like the previous part, and so are not drawn.
#pragma once

#include <optional>

#include "job/facts.hpp"
#include "job/job_nodes.hpp"

namespace nestbind::job {

// Which number grows from cell to cell, by how much. 0: the rank; from 1 on: the path's numbers.
struct Step {
  std::size_t position = 0;
  int by = 0;
  bool operator==(const Step&) const = default;
};

// Whether both groups have equal numbers of hardware threads in each processor, and equal cells
// except for one number. If there are no cells, the step is 0.
std::optional<Step> step_between(const Job& job, const Group& one, const Group& next);

// By how much the ranks grow, if the nodes have the same machine, and only the ranks differ.
std::optional<int> step_between(const Job& job, const Node& one, const Node& next);

}  // namespace nestbind::job
