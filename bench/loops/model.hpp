// SPDX-License-Identifier: BSD-3-Clause
// A machine and a program in virtual time: the costs of iterations, of taking a chunk, and of
// disturbances.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "loops/division.hpp"
#include "loops/grouping.hpp"

namespace nestbind::simulation {

// Times in nanoseconds.
struct Costs {
  double own_take = 40;     // to take a chunk from a queue that no other thread uses
  double other_take = 200;  // from another thread's queue, or from a common one
  double same_node = 0.12;  // fraction of extra work
  double other_node = 0.5;  // fraction of extra work
  double hit = 100e3;       // the length of a disturbance
  double disturbed = 0.01;
};

struct Program {
  int threads = 4;
  double region = 2e6;                  // time of a perfect region without disturbances
  std::uint64_t iterations_each = 256;  // for each thread
  int threads_of_node = 16;
  // The time of each iteration, divided by the mean. If empty, all iterations take the same time.
  void set_load(const std::vector<double>& by_iteration);
  // The time of all iterations before this one, in nanoseconds.
  double work_before(std::uint64_t iteration) const {
    return until_.empty() ? static_cast<double>(iteration) * this->iteration()
                          : until_[iteration] * this->iteration();
  }
  std::uint64_t iterations() const { return iterations_each * static_cast<std::uint64_t>(threads); }
  double iteration() const { return region / static_cast<double>(iterations_each); }

 private:
  std::vector<double> until_;
};

// Names of kinds of work, for load_of(). It returns the load of each iteration, with a mean of 1.
inline constexpr const char* kLoads[] = {"even",   "ramp",  "triangle", "hot",
                                         "random", "patch", "one"};
std::vector<double> load_of(const std::string& kind, const Program& program);

inline constexpr int kThreadsOfL3 = 4;
inline constexpr int kNodesOfPackage = 4;
std::vector<loops::Place> places(const Program& program);

// The disturbances are the same for all schedules.
class Disturbances {
 public:
  Disturbances(const Costs& costs, int threads, double length, std::uint64_t seed);
  void rewind();
  // For each thread `begin` must rise from call to call.
  double end_of(int thread, double begin, double work);

 private:
  double hit_ = 0;
  std::vector<std::vector<double>> at_;  // for each thread
  std::vector<std::size_t> next_;
};

double work_of(const Program& program, const Costs& costs, const loops::Range& range, int thread);

std::uint64_t remote_of(const Program& program, const loops::Range& range, int thread);

// Returns the home of an iteration, which is the thread that executes the iteration in a static
// schedule.
int home_of(const Program& program, std::uint64_t iteration);

}  // namespace nestbind::simulation
