// SPDX-License-Identifier: BSD-3-Clause
// The measuring loop's view of a machine: a clock, and batches of one kind of work. The real
// instrument has threads and memory (cli/probe); tests have an artificial one.
#pragma once

#include <vector>

namespace nestbind::probe {

// Two processors, by the operating system's numbers.
struct Pair {
  int first = 0;
  int second = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
};

enum class Work {
  kRoundTrips,  // a message of `bytes` from first to second, and one back, by all pairs at once
  kReads,       // by `processors[0]` from memory of `node`, each dependent on the last
  kStream,      // 4 KiB by each of `processors`, all at once, from memory of `node`
};

// What one number measures.
struct Subject {
  Work work = Work::kRoundTrips;
  std::vector<Pair> pairs;
  std::vector<int> processors;
  int node = 0;   // the operating system's number
  int bytes = 0;  // of a message, 64 or more
};

struct Took {
  double ns = 0;          // one round trip, read, or 4 KiB; the mean of simultaneous ones
  double slowest = 0;     // the same of the slowest
  bool given_up = false;  // stopped at the limit; the times are of the work until then
};

class Instrument {
 public:
  virtual ~Instrument() = default;

  // Seconds since any fixed moment.
  virtual double now() = 0;

  // Waits so many seconds.
  virtual void rest(double seconds) = 0;

  // Times the work `count` times (1 or more). limit: ns for all of it; longer work is stopped.
  virtual Took batch(const Subject& subject, int count, double limit) = 0;
};

}  // namespace nestbind::probe
