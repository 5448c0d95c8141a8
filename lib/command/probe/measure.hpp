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

namespace nestbind::probe {

// The measuring loop's interface to a machine: a clock, and batches of work.

// Two processors: the operating system's numbers.
struct Pair {
  int first = 0;
  int second = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
};

enum class Work {
  kRoundTrips,  // all pairs at once: a message of `bytes` from first to second, and a message back
  kReads,       // `processors[0]` reads memory of `node`; each read waits for the previous read
  kStream,      // all `processors` at once: each reads 4 KiB of memory of `node`
};

struct Subject {
  Work work = Work::kRoundTrips;
  std::vector<Pair> pairs;
  std::vector<int> processors;
  int node = 0;
  int bytes = 0;  // size of a message, at least 64
};

struct Took {
  double ns = 0;  // the mean time of a round trip, of a read, or of 4 KiB of a stream
  double slowest = 0;
  bool given_up = false;  // stopped at the limit; the times are of the finished work
};

class Instrument {
 public:
  virtual ~Instrument() = default;

  virtual double now() = 0;

  virtual void rest(double seconds) = 0;

  // limit: nanoseconds after which the batch is stopped.
  virtual Took batch(const Subject& subject, int count, double limit) = 0;
};

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
