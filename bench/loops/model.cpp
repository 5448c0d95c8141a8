// SPDX-License-Identifier: BSD-3-Clause
#include "model.hpp"

#include <algorithm>
#include <numeric>

namespace nestbind::simulation {

void Program::set_load(const std::vector<double>& by_iteration) {
  until_.assign(1, 0);
  for (const double load : by_iteration) {
    until_.push_back(until_.back() + load);
  }
}

std::vector<double> load_of(const std::string& kind, const Program& program) {
  constexpr double kHeavy = 4;
  const std::uint64_t all = program.iterations();
  std::mt19937_64 random(all);
  std::vector<double> load;
  for (std::uint64_t i = 0; i < all; ++i) {
    const double at = (static_cast<double>(i) + 0.5) / static_cast<double>(all);
    load.push_back(kind == "ramp"       ? 0.5 + at
                   : kind == "triangle" ? 2 * at
                   : kind == "hot"      ? (at < 1.0 / 16 ? kHeavy : 1)
                   : kind == "random"   ? 0.5 + static_cast<double>(random() >> 11) * 0x1p-53
                   : kind == "patch"    ? (at > 0.4 && at < 0.6 ? kHeavy : 1)
                   : kind == "one"
                       ? (i == all / 3 ? static_cast<double>(program.iterations_each) / 2 : 1)
                       : 1);
  }
  const double mean = std::accumulate(load.begin(), load.end(), 0.0) / static_cast<double>(all);
  for (double& of : load) {
    of /= mean;
  }
  return load;
}

std::vector<loops::Place> places(const Program& program) {
  std::vector<loops::Place> result;
  for (int thread = 0; thread < program.threads; ++thread) {
    const int node = thread / program.threads_of_node;
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
    ++next;  // at this time the thread had no work that could be disturbed
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

namespace {

template <typename Visit>
void each_home(const Program& program, const loops::Range& range, const Visit& visit) {
  for (std::uint64_t at = range.begin; at < range.end;) {
    const int home = home_of(program, at);
    const std::uint64_t behind =
        std::min(range.end, static_cast<std::uint64_t>(home + 1) * program.iterations_each);
    visit(home, at, behind);
    at = behind;
  }
}

bool is_near(const Program& program, int home, int thread) {
  return home / program.threads_of_node == thread / program.threads_of_node;
}

}  // namespace

double work_of(const Program& program, const Costs& costs, const loops::Range& range, int thread) {
  double work = 0;
  each_home(program, range, [&](int home, std::uint64_t from, std::uint64_t behind) {
    const double more = home == thread                   ? 0
                        : is_near(program, home, thread) ? costs.same_node
                                                         : costs.other_node;
    work += (program.work_before(behind) - program.work_before(from)) * (1 + more);
  });
  return work;
}

std::uint64_t remote_of(const Program& program, const loops::Range& range, int thread) {
  std::uint64_t remote = 0;
  each_home(program, range, [&](int home, std::uint64_t from, std::uint64_t behind) {
    remote += is_near(program, home, thread) ? 0 : behind - from;
  });
  return remote;
}

}  // namespace nestbind::simulation
