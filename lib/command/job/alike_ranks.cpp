// SPDX-License-Identifier: BSD-3-Clause
#include "job/alike_ranks.hpp"

#include <vector>

namespace nestbind::job {

namespace {

class Common {
 public:
  // At most one number may differ. The difference must be the same in all calls.
  bool takes(const std::vector<int>& one, const std::vector<int>& next) {
    if (one.size() != next.size()) {
      return false;
    }
    Step found;
    int differing = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (one[i] != next[i]) {
        found = {i, next[i] - one[i]};
        ++differing;
      }
    }
    const bool is_first = !step_;
    step_ = step_ ? step_ : found;
    return differing <= 1 && (is_first || *step_ == found);
  }

  Step step() const { return step_.value_or(Step{}); }

 private:
  std::optional<Step> step_;
};

std::vector<int> numbers_of(const Job& job, int rank, const Path& path) {
  const int number = number_of(job.ranks[rank]);
  if (number < 0) {
    return {};
  }
  std::vector<int> numbers{number};
  numbers.insert(numbers.end(), path.begin(), path.end());
  return numbers;
}

bool takes(Common& common, const Job& job, const Cell& one, const Cell& next) {
  const std::vector<int> numbers = numbers_of(job, one.rank, one.path);
  return !numbers.empty() && common.takes(numbers, numbers_of(job, next.rank, next.path));
}

bool takes(Common& common, const Job& job, const Group& one, const Group& next) {
  if (one.processors.size() != next.processors.size()) {
    return false;
  }
  for (std::size_t i = 0; i < one.processors.size(); ++i) {
    const Processor& a = one.processors[i];
    const Processor& b = next.processors[i];
    const bool is_same_core = i > 0 && a.core == one.processors[i - 1].core;
    const bool is_same_there = i > 0 && b.core == next.processors[i - 1].core;
    if (is_same_core != is_same_there || a.cells.size() != b.cells.size()) {
      return false;
    }
    for (std::size_t cell = 0; cell < a.cells.size(); ++cell) {
      if (!takes(common, job, a.cells[cell], b.cells[cell])) {
        return false;
      }
    }
  }
  return true;
}

bool takes(Common& common, const Job& job, const Wide& one, const Wide& next) {
  if (one.cpus != next.cpus || one.paths.size() != next.paths.size()) {
    return false;
  }
  for (std::size_t i = 0; i < one.paths.size(); ++i) {
    if (!takes(common, job, Cell{one.rank, one.paths[i]}, Cell{next.rank, next.paths[i]})) {
      return false;
    }
  }
  return true;
}

bool is_same_machine(const Group& one, const Group& next) {
  if (one.package != next.package || one.numa != next.numa ||
      one.processors.size() != next.processors.size()) {
    return false;
  }
  for (std::size_t i = 0; i < one.processors.size(); ++i) {
    if (one.processors[i].cpu != next.processors[i].cpu ||
        one.processors[i].core != next.processors[i].core) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<Step> step_between(const Job& job, const Group& one, const Group& next) {
  Common common;
  return takes(common, job, one, next) ? std::optional(common.step()) : std::nullopt;
}

std::optional<int> step_between(const Job& job, const Node& one, const Node& next) {
  Common common;
  if (one.groups.size() != next.groups.size() || one.wide.size() != next.wide.size()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < one.groups.size(); ++i) {
    if (!is_same_machine(one.groups[i], next.groups[i]) ||
        !takes(common, job, one.groups[i], next.groups[i])) {
      return std::nullopt;
    }
  }
  for (std::size_t i = 0; i < one.wide.size(); ++i) {
    if (!takes(common, job, one.wide[i], next.wide[i])) {
      return std::nullopt;
    }
  }
  const Step step = common.step();
  return step.position == 0 ? std::optional(step.by) : std::nullopt;
}

}  // namespace nestbind::job
