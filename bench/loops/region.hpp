// SPDX-License-Identifier: BSD-3-Clause
// Regions in virtual time: threads come to the queues in the order of their times.
#pragma once

#include <functional>
#include <queue>
#include <vector>

#include "loops/loop_team.hpp"
#include "model.hpp"

namespace nestbind::simulation {

// What comes of a region.
struct Region {
  double time = 0;  // until the last thread is done
  loops::Tally tally;
  std::uint64_t remote = 0;  // iterations that ran on another node than their home
};

// A team of the library's, which runs the same loop again and again.
class HybridTeam {
 public:
  HybridTeam(const Program& program, const Costs& costs, const loops::Schedule& schedule);
  ~HybridTeam();
  HybridTeam(const HybridTeam&) = delete;
  HybridTeam& operator=(const HybridTeam&) = delete;

  Region run(Disturbances& disturbances);
  // From the next run on, the work of each thread takes so many times as long.
  void slow_down(const std::vector<double>& by_thread) { slowness_ = by_thread; }
  // What iterations take from the next run on, over the mean.
  void set_load(const std::vector<double>& by_iteration) { program_.set_load(by_iteration); }
  // How many blocks have changed owners.
  std::uint64_t moved();
  // Of the last run.
  const loops::Parameters& parameters() const;

 private:
  double take(int thread, const loops::Range& range, loops::Source source, double now);

  Program program_;
  Costs costs_;
  std::vector<loops::Place> places_;
  loops::Sites sites_;
  loops::Settings settings_;
  loops::Team* team_ = nullptr;
  std::vector<double> busy_until_;  // each queue: one take at a time
  std::vector<double> slowness_;
  double start_ = 0;  // of the next region
};

// The runtimes' own schedules: one queue for all, chunks of `chunk`, or of what is left by the
// number of threads and at least that.
Region run_dynamic(const Program& program, const Costs& costs, std::uint64_t chunk, bool is_guided,
                   Disturbances& disturbances);

}  // namespace nestbind::simulation
