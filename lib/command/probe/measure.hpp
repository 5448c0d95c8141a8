// SPDX-License-Identifier: BSD-3-Clause
// The measuring loop: many short batches of all subjects in turn, and of each subject the 10th
// percentile of its batches. A batch that was disturbed takes longer, never shorter; on a machine
// with other work means and medians tell of that work, while the 10th percentile is as on an idle
// one, as long as one batch in ten is left alone. What changes for longer is seen by comparing the
// 10th percentiles of parts of the time: a machine that is too busy, or a virtual one whose
// processors have been moved to others. So few subjects are spread over some seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "probe/instrument.hpp"

namespace nestbind::probe {

struct Rules {
  int least_batches = 32;  // of each subject
  int most_batches = 256;
  double least_seconds = 3;  // more batches until then
  double most_seconds = 8;   // subjects that are not reliable get more batches until then
  double limit = 60;         // seconds, for all: who has too few batches then is not reliable
  double tolerance = 0.10;   // how far the parts of the time may differ
  int most_in_batch = 2000;
  std::uint64_t seed = 1;  // of the order in each round
};

struct Measured {
  double ns = 0;       // the 10th percentile
  double slowest = 0;  // that of the slowest pair
  double p90 = 0;      // how disturbed it was
  // The 10th percentiles of parts of the batches in the order of time: of halves, or of 128 batches
  // and more, of as many parts of at least 32 as there are.
  std::vector<double> parts;
  int batches = 0;
  // There are as many batches as there should be at least, these parts differ by no more than the
  // tolerance, the best fifth of the batches by no more than 20 % (from their 5th to their 20th
  // percentile), and fewer than nine in ten were given up.
  bool is_reliable = false;
};

// Told before the first round and after each one: how much is done, from 0 to 1, and how many
// seconds are left.
using Progress = std::function<void(double done, double seconds_left)>;

// One for each subject, which is tried once at least. Throws what the instrument throws.
std::vector<Measured> measure(const std::vector<Subject>& subjects, Instrument& instrument,
                              const Rules& rules, const Progress& progress);

// Of values in any order, at least one: the value below which a fraction of them is, between two of
// them linearly (type 7 of Hyndman and Fan, 1996). fraction: 0 to 1.
double percentile(std::vector<double> values, double fraction);

// Which distances differ, and which are one and the same within what was measured.
struct Classes {
  std::vector<int> of_group;  // of each group its class: from 0, the nearest first
  int count = 0;
  double noise = 0;  // between measurements of one group: standard deviation of the logarithm
};

// Groups of measurements of what should be the same distance, each with at least one, all above 0.
// Sorted by their means (of logarithms), a new class begins where a group is above the lowest of
// its class by more than 10 %, and by more than four standard errors of the difference between two
// groups, as the scatter inside the groups tells it (pooled: one-way analysis of variance). So
// where the scatter is as large as the differences, there is one class.
Classes find_classes(const std::vector<std::vector<double>>& groups);

}  // namespace nestbind::probe
