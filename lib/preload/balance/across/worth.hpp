// SPDX-License-Identifier: BSD-3-Clause
// Whether moves are worth their price, and when to look for better places.
#pragma once

namespace nestbind::balance::across {

// The load of an object, from its loads in the last steps. A load that is more than a quarter off
// counts only if the next one is, too: a single step may have been disturbed. A load that comes and
// goes within a few steps is the mean of many steps: moves would always come too late.
struct Estimate {
  double load = 0;
  int seen = 0;         // loads since the last change
  bool is_off = false;  // the last load was far off
  double before = 0;    // the load before the last change
  int returns = 0;      // how often the load has soon changed back

  void see(double seconds);
};

// What all ranks add up in each call. The first kMaxima numbers are maxima, the others are sums.
enum Number {
  kRemaining,     // of the caller
  kNotRemaining,  // its negative: so that the smallest is known, too
  kFault,
  kTime,                 // of a step: the load of a rank, divided by its threads
  kVaries,               // by how much this time varies from step to step
  kInterval,             // since the last call
  kOwnTime,              // of the last search for better places
  kHeaviest,             // the time of an object
  kBusiest = kHeaviest,  // after a search: the bytes that a rank sends and receives
  kMaxima,
  kLoad = kMaxima,
  kCapacity,
  kObjects,
  kMessages,
  kBytes,
  kMoves,
  kNumbers
};

enum class Mode { kOff, kAuto, kEvery };

// All ranks have the same object of this kind, because they give it the same numbers.
class Worth {
 public:
  Mode mode = Mode::kAuto;
  int every = 1;  // looks only at each call of this number
  double tolerance = 0.02;

  // A search aims below the tolerance, so that noise does not cause the next one.
  double target() const { return tolerance / 2; }

  // True if this call has no exchange at all.
  bool is_silent();
  // True if a search may pay. `sum` has the numbers of all ranks.
  bool may_pay(const double* sum);
  // After a search: true if the moves are to be done. `sum` has the time of a step after the moves,
  // the bytes and the number of moves.
  bool pays(const double* sum);

  double seconds_per_byte() const { return per_byte_; }
  double before() const { return time_; }
  double mean() const { return mean_; }
  double remaining() const { return remaining_; }

 private:
  double per_byte_ = 1e-9;
  bool is_measured_ = false;
  double usual_rest_ = -1;  // of the interval that is not the objects' time, in steps without moves
  double moved_bytes_ = 0;  // of the busiest rank, in the step that ends now
  long calls_ = 0;
  int steps_ = 0;  // since the begin
  double own_time_ = 0;
  double time_ = 0;
  double mean_ = 0;
  double varies_ = 0;
  double remaining_ = 0;
  bool is_settled_ = false;  // the gain was too small, or not worth its price
  double refused_gain_ = 0;
  int pause_ = 0;  // calls without a search, after one that did not pay
  int next_pause_ = 1;
};

}  // namespace nestbind::balance::across
