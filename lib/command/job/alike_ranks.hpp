// SPDX-License-Identifier: BSD-3-Clause
// What need not be drawn again.
#pragma once

#include <optional>

#include "job/facts.hpp"
#include "job/job_nodes.hpp"

namespace nestbind::job {

// By how much which number of all cells grows from one to the next: that of the rank (0), or one of
// the path (1: the first).
struct Step {
  std::size_t position = 0;
  int by = 0;
  bool operator==(const Step&) const = default;
};

// Whether both have the same processors by number of hardware threads, and the same cells but for
// one number. Without cells: a step by 0.
std::optional<Step> step_between(const Job& job, const Group& one, const Group& next);

// Whether both nodes have the same machine, and the same cells, but for the ranks, which are by
// that much more.
std::optional<int> step_between(const Job& job, const Node& one, const Node& next);

}  // namespace nestbind::job
