// SPDX-License-Identifier: BSD-3-Clause
// One rank's part in balancing: its objects and their loads, the decision whether objects move, and
// the order of the exchanges. The caller makes the exchanges between ranks (MPI, or a simulation).
#pragma once

#include <nestbind/across.h>

#include <cstddef>

#include "balance/across/grow.hpp"
#include "balance/across/mail.hpp"
#include "balance/across/stages.hpp"
#include "balance/across/worth.hpp"

namespace nestbind::balance::across {

using Exchange = nestbind_across_exchange;
using Move = nestbind_balance_move;

// `node` and `numa` are copied, `hops` stays with the caller.
struct Setup : nestbind_across_setup {
  const int* numa = nullptr;  // of the rank's slots
  int numa_count = 0;
  double (*factor)(int from, int to) = nullptr;  // between NUMA nodes
};

enum class Wrong { kNothing, kMemory, kLoad, kTwice, kUnknown, kSteps };

// The first fault that this rank has found.
struct RankFault {
  Wrong what = Wrong::kNothing;
  Id id = 0;
  int rank = -1;  // the other rank
  double value = 0;
};

// The root has all objects and their messages if there are at most kWhole of them. With more, a
// node above the limit offers only the objects that it should give away.
inline constexpr double kWhole = 65536;

class Balancer {
 public:
  // Returns null if there is no memory. The caller calls destroy().
  static Balancer* create(const Setup& setup);
  static void destroy(Balancer* balancer);

  Worth worth;

  bool load(Id id, double seconds, double bytes);
  bool messages(Id id, Id other, double count);
  // The team of a loop, which counts if the program has not said how many threads compute.
  void see_threads(int threads) {
    if (setup_.threads == 0 && threads > 0) {
      threads_ = threads;
    }
  }
  int rank() const { return setup_.rank; }

  void begin(double remaining);
  // Fills the next exchange. Returns false if there is none: the call is done.
  bool next(double now, Exchange& exchange);
  // After the call: the calling rank's moves, by id.
  const Grow<Move>& moves() const { return moves_; }
  Wrong error() const { return error_; }
  // Returns this rank's fault, and forgets it.
  RankFault take_fault() {
    const RankFault fault = fault_;
    fault_ = {};
    return fault;
  }
  const nestbind_across_report& report() const { return report_; }

 private:
  enum class Stage {
    kReduced,
    kAsked,
    kAnswered,
    kGathered,
    kOffered,
    kOrdered,
    kJudged,
    kTold,
    kDone
  };

  struct Entry {
    Id id;
    double now;  // load of this step
    double bytes;
    Estimate estimate;
    int slot;
    bool is_given;
  };
  struct Message {
    Id id;
    Id other;
    double count;
    int node;  // of `other`
    int at;    // the entry of `id`
  };

  explicit Balancer(const Setup& setup) : setup_(setup) {}
  bool init();
  int entry_of(Id id);
  void note(Wrong what, Id id, int rank, double value = 0);
  bool post(nestbind_across_group group, Stage stage, Exchange& exchange);
  bool reduce(Stage stage, Exchange& exchange);
  bool has_fault(const double* numbers);
  Aim aim() const;
  int home(Id id) const;
  double heaviest_slot() const;

  void see_loads(double now);
  void ask();
  void answer();
  void tell_leader();
  void take_orders();
  void take_moves();
  bool finish(double now);

  Setup setup_;
  int threads_ = 1;
  Grow<int> node_;  // of each rank
  Grow<int> numa_;  // of the rank's slots

  Grow<Entry> entries_;
  Ids ids_;
  std::size_t expected_ = 0;  // the entry of the next load, if objects come in the same order
  Grow<Message> messages_;
  double previous_ = 0;
  double varies_ = 0;
  int steps_ = 0;

  double remaining_ = 0;
  double numbers_[kNumbers] = {};
  double sums_[kNumbers] = {};
  double began_ = 0;
  double ended_ = -1;
  double own_time_ = 0;
  bool has_searched_ = false;
  RankFault fault_;
  Wrong error_ = Wrong::kNothing;
  Stage stage_ = Stage::kDone;
  bool is_counting_ = false;  // the counts are exchanged, the data is next
  Mail mail_;
  Stages stages_;  // of a leader
  Grow<Move> moves_;
  nestbind_across_report report_ = {};
};

}  // namespace nestbind::balance::across
