// SPDX-License-Identifier: BSD-3-Clause
// Finds parts of a job that are like the previous part.
#pragma once

#include <optional>

#include "job/facts.hpp"
#include "job/job_nodes.hpp"

namespace nestbind::job {

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
