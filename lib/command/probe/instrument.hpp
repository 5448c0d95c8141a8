// SPDX-License-Identifier: BSD-3-Clause
// What the measuring loop asks of a machine: a clock, and batches of one kind of work. The real one
// has threads and memory (cli/probe); tests have one that is made up.
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
  kRoundTrips,  // a message of `bytes` from first to second and one back, of all pairs at once
  kReads,       // reads of `processors[0]`, each dependent on the one before, from memory of `node`
  kStream,      // 4 KiB by each of `processors`, all at once, from memory of `node`
};

// What is measured: one number.
struct Subject {
  Work work = Work::kRoundTrips;
  std::vector<Pair> pairs;
  std::vector<int> processors;
  int node = 0;   // the operating system's number
  int bytes = 0;  // of a message, 64 or more
};

struct Took {
  double ns = 0;          // one round trip, read, or 4 KiB; of several at once, their mean
  double slowest = 0;     // the same of the slowest of them
  bool given_up = false;  // the limit came first: of what was done until then
};

class Instrument {
 public:
  virtual ~Instrument() = default;

  // Seconds, from any moment on.
  virtual double now() = 0;

  // Does nothing for so many seconds.
  virtual void rest(double seconds) = 0;

  // Does `count` (1 or more) of the work, and says how long it took. limit: ns for all of it; what
  // takes longer is given up.
  virtual Took batch(const Subject& subject, int count, double limit) = 0;
};

}  // namespace nestbind::probe
