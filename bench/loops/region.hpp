// SPDX-License-Identifier: BSD-3-Clause
// Regions in virtual time. Threads access the queues in the order of their virtual times.
#pragma once

#include <functional>
#include <queue>
#include <vector>

#include "loops/loop_team.hpp"
#include "model.hpp"

namespace nestbind::simulation {

struct Region {
  double time = 0;  // until the last thread has finished
  loops::Tally tally;
  std::uint64_t remote = 0;  // iterations that ran on another node than their home
};

// A team that runs the same loop repeatedly, with the library's own code.
class HybridTeam {
 public:
  HybridTeam(const Program& program, const Costs& costs, const loops::Schedule& schedule);
  ~HybridTeam();
  HybridTeam(const HybridTeam&) = delete;
  HybridTeam& operator=(const HybridTeam&) = delete;

  Region run(Disturbances& disturbances);
  // From the next run on, the work of each thread takes longer by this factor.
  void slow_down(const std::vector<double>& by_thread) { slowness_ = by_thread; }
  void set_load(const std::vector<double>& by_iteration) { program_.set_load(by_iteration); }
  std::uint64_t moved();
  const loops::Parameters& parameters() const;

 private:
  double take(int thread, const loops::Range& range, loops::Source source, double now);

  Program program_;
  Costs costs_;
  std::vector<loops::Place> places_;
  loops::Sites sites_;
  loops::Settings settings_;
  loops::Team* team_ = nullptr;
  std::vector<double> busy_until_;  // for each queue, which serves one thread at a time
  std::vector<double> slowness_;
  double start_ = 0;
};

// Runs a region with the runtimes' own schedule `dynamic` or `guided`, with one queue for all
// threads. `chunk` is the size of a chunk, or the smallest size if is_guided is true.
Region run_dynamic(const Program& program, const Costs& costs, std::uint64_t chunk, bool is_guided,
                   Disturbances& disturbances);

}  // namespace nestbind::simulation
