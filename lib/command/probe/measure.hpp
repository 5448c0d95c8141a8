// SPDX-License-Identifier: BSD-3-Clause
// The measuring loop runs many short batches of all subjects in turn. The result of a subject is
// the 10th percentile of its batches. Other work on the machine makes a batch longer, never
// shorter. So the 10th percentile is right if one batch in ten is undisturbed. Some disturbances
// last longer, for example on a busy machine. To find long disturbances, the loop compares the 10th
// percentiles of parts of the batches.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "probe/instrument.hpp"

namespace nestbind::probe {

struct Rules {
  int least_batches = 32;
  int most_batches = 256;
  double least_seconds = 3;  // before this time, all subjects get more batches
  double most_seconds = 8;   // before this time, unreliable subjects get more batches
  double limit = 60;         // after this time, no batch is run
  double tolerance = 0.10;   // largest relative difference between parts of the time
  int most_in_batch = 2000;
  std::uint64_t seed = 1;
};

struct Measured {
  double ns = 0;
  double slowest = 0;  // the 10th percentile of the slowest pair's times
  double p90 = 0;
  // The 10th percentiles of parts of the batches, in order of time.
  std::vector<double> parts;
  int batches = 0;
  // The parts must differ by at most the tolerance. The 20th percentile must be at most 20 % above
  // the 5th percentile. More than one batch in ten must run to its end.
  bool is_reliable = false;
};

// Called before the first round, and after each round. done: the finished fraction, 0 to 1.
using Progress = std::function<void(double done, double seconds_left)>;

std::vector<Measured> measure(const std::vector<Subject>& subjects, Instrument& instrument,
                              const Rules& rules, const Progress& progress);

// Interpolates linearly (type 7 of Hyndman and Fan, 1996). values: at least one, in any order.
double percentile(std::vector<double> values, double fraction);

// The measurements cannot distinguish the distances of one class.
struct Classes {
  std::vector<int> of_group;  // the class of each group; class 0 is the nearest
  int count = 0;
  double noise = 0;  // standard deviation of the logarithms within a group
};

// A group has one or more positive measurements of one distance. A group begins a new class if it
// is more than 10 % above the lowest group of the previous class. The difference must also exceed
// four times its standard error. The standard error comes from the scatter inside all groups
// (one-way analysis of variance).
Classes find_classes(const std::vector<std::vector<double>>& groups);

}  // namespace nestbind::probe
