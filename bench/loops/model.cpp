// SPDX-License-Identifier: BSD-3-Clause
#include "model.hpp"

#include <algorithm>

namespace nestbind::simulation {

std::vector<loops::Place> places(int threads) {
  std::vector<loops::Place> result;
  for (int thread = 0; thread < threads; ++thread) {
    const int node = thread / kThreadsOfNode;
    result.push_back(
        {static_cast<std::uint16_t>(thread), static_cast<std::uint16_t>(thread / kThreadsOfL3),
         static_cast<std::uint16_t>(node), static_cast<std::uint16_t>(node / kNodesOfPackage)});
  }
  return result;
}

Disturbances::Disturbances(const Costs& costs, int threads, double length, std::uint64_t seed)
    : hit_(costs.hit),
      at_(static_cast<std::size_t>(threads)),
      next_(static_cast<std::size_t>(threads)) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> until_next(costs.disturbed / costs.hit);
  for (std::vector<double>& times : at_) {
    for (double at = until_next(random); at < length; at += until_next(random)) {
      times.push_back(at);
    }
  }
}

void Disturbances::rewind() { std::fill(next_.begin(), next_.end(), 0); }

double Disturbances::end_of(int thread, double begin, double work) {
  const auto index = static_cast<std::size_t>(thread);
  const std::vector<double>& times = at_[index];
  std::size_t& next = next_[index];
  while (next < times.size() && times[next] < begin) {
    ++next;  // it had nothing to do
  }
  double end = begin + work;
  for (; next < times.size() && times[next] < end; ++next) {
    end += hit_;
  }
  return end;
}

int home_of(const Program& program, std::uint64_t iteration) {
  return static_cast<int>(iteration / program.iterations_each);
}

double work_of(const Program& program, const Costs& costs, const loops::Range& range, int thread) {
  double work = 0;
  for (std::uint64_t at = range.begin; at < range.end;) {
    const int home = home_of(program, at);
    const std::uint64_t behind =
        std::min(range.end, static_cast<std::uint64_t>(home + 1) * program.iterations_each);
    const bool is_near = home / kThreadsOfNode == thread / kThreadsOfNode;
    const double more = home == thread ? 0 : is_near ? costs.same_node : costs.other_node;
    work += static_cast<double>(behind - at) * program.iteration() * (1 + more);
    at = behind;
  }
  return work;
}

}  // namespace nestbind::simulation
