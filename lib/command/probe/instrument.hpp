// SPDX-License-Identifier: BSD-3-Clause
// The measuring loop's interface to a machine: a clock, and batches of work.
#pragma once

#include <vector>

namespace nestbind::probe {

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

}  // namespace nestbind::probe
