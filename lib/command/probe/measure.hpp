// SPDX-License-Identifier: BSD-3-Clause
// The measuring loop: many short batches of all subjects in turn, and the 10th percentile of each
// subject's batches. A disturbed batch takes longer, never shorter. On a machine with other work,
// means and medians also measure that work. The 10th percentile does not, as long as one batch in
// ten is undisturbed. Longer changes are found by a comparison of the 10th percentiles of parts of
// the time: a machine that is too busy, or a virtual machine whose processors were moved. So few
// subjects are spread over some seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "probe/instrument.hpp"

namespace nestbind::probe {

struct Rules {
  int least_batches = 32;  // of each subject
  int most_batches = 256;
  double least_seconds = 3;  // until then there are more batches
  double most_seconds = 8;   // until then unreliable subjects get more batches
  double limit = 60;         // then all ends: a subject with too few batches is not reliable
  double tolerance = 0.10;   // allowed difference between parts of the time
  int most_in_batch = 2000;
  std::uint64_t seed = 1;  // of the order in each round
};

struct Measured {
  double ns = 0;       // the 10th percentile
  double slowest = 0;  // of the slowest pair
  double p90 = 0;      // shows disturbances
  // The 10th percentiles of parts of the batches, in order of time: two halves, or from 128 batches
  // on, as many parts as there are with at least 32 batches.
  std::vector<double> parts;
  int batches = 0;
  // Enough batches; the parts differ by at most the tolerance; the best fifth of the batches
  // differs by at most 20 % (from the 5th to the 20th percentile); fewer than 9 of 10 were stopped.
  bool is_reliable = false;
};

// Called before the first round and after each one: the share done (0 to 1), and the seconds left.
using Progress = std::function<void(double done, double seconds_left)>;

// One result for each subject, which is tried at least once. Throws what the instrument throws.
std::vector<Measured> measure(const std::vector<Subject>& subjects, Instrument& instrument,
                              const Rules& rules, const Progress& progress);

// For values in any order, at least one: the value below which this fraction of them is, with
// linear interpolation (type 7 of Hyndman and Fan, 1996). fraction: 0 to 1.
double percentile(std::vector<double> values, double fraction);

// Classes of distances that the measurements cannot tell apart.
struct Classes {
  std::vector<int> of_group;  // of each group its class: from 0, the nearest first
  int count = 0;
  double noise = 0;  // standard deviation of the logarithm within a group
};

// groups: measurements of what should be one distance, each with at least one, all positive. Groups
// are sorted by the mean of logarithms. A new class begins with a group that is above the lowest
// group of its class by more than 10 %, and by more than four standard errors of the difference
// between two groups. The standard error is from the pooled scatter inside groups (one-way analysis
// of variance). So if the scatter is as large as the differences, there is one class.
Classes find_classes(const std::vector<std::vector<double>>& groups);

}  // namespace nestbind::probe
