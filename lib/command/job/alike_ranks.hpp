// SPDX-License-Identifier: BSD-3-Clause
// Finds parts of a job that are like the previous part, and so are not drawn.
#pragma once

#include <optional>

#include "job/facts.hpp"
#include "job/job_nodes.hpp"

namespace nestbind::job {

// A number that grows from cell to cell. position: 0 is the rank, 1 and more are in the path.
struct Step {
  std::size_t position = 0;
  int by = 0;
  bool operator==(const Step&) const = default;
};

// The step if both groups have their processors in cores of the same sizes, and the same cells
// except for one number; otherwise none. If there are no cells, the step is 0.
std::optional<Step> step_between(const Job& job, const Group& one, const Group& next);

// By how much the ranks grow, if the nodes have the same machine, and only the ranks differ.
std::optional<int> step_between(const Job& job, const Node& one, const Node& next);

}  // namespace nestbind::job
