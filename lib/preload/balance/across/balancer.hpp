// SPDX-License-Identifier: BSD-3-Clause
// One rank's part in balancing: its objects and their loads, the decision whether objects move, and
// the order of the exchanges. The caller makes the exchanges between ranks (MPI, or a simulation).
#pragma once

#include <nestbind/across.h>
#include <setjmp.h>

#include <utility>

#include "balance/across/arena.hpp"
#include "balance/across/mail.hpp"
#include "balance/across/stages.hpp"
#include "balance/across/worth.hpp"

namespace nestbind::balance::across {

using Move = nestbind_balance_move;

// `node` and `numa` are copied.
struct Setup : nestbind_across_setup {
  const int* numa = nullptr;  // of the rank's slots
  int numa_count = 0;
  double (*factor)(int from, int to) = nullptr;  // between NUMA nodes
};

enum class Wrong { kNothing, kMemory, kLoad, kTwice, kUnknown, kSteps, kHops, kExchange };

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
  // Returns null if there is no memory, or a number of hops is wrong. The caller calls destroy().
  static Balancer* create(const Setup& setup, RankFault& fault);
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

  // A call of all ranks.
  void balance(double remaining);
  // After the call: the calling rank's moves, by id.
  const List<Move>& moves() const { return moves_; }
  Wrong error() const { return error_; }
  // Returns this rank's fault, and forgets it.
  RankFault take_fault() { return std::exchange(fault_, {}); }
  const nestbind_across_report& report() const { return report_; }

 private:
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
    int at;  // the entry of `id`
    Edge edge;
  };

  explicit Balancer(const Setup& setup)
      : setup_(setup), threads_(setup.threads > 0 ? setup.threads : 1) {}
  void init();
  template <typename Work>
  bool guarded(Work work);
  template <typename Fill>
  bool exchange(Fill fill);
  bool reduce();
  bool agree();
  bool has_failed();
  Entry& entry_of(Id id);
  void note(Wrong what, Id id, int rank, double value = 0);
  Aim aim() const;
  int home(Id id) const { return static_cast<int>(mixed(id) % index(setup_.ranks)); }

  void see_loads(double now);
  bool search();
  bool is_worth();
  void ask();
  void answer();
  void tell_leader();
  void take_moves();

  Setup setup_;
  jmp_buf no_memory_;
  Arena kept_{no_memory_};
  Arena call_{no_memory_};  // only during a call
  Job job_{kept_};
  int threads_;
  List<int> numa_{kept_};  // of the rank's slots
  List<double> slot_loads_{kept_};

  List<Entry> entries_{kept_};
  Ids ids_{kept_};
  List<Message> messages_{kept_};
  double previous_ = 0;
  double varies_ = 0;
  int steps_ = 0;

  bool has_agreed_ = false;
  double remaining_ = 0;
  double numbers_[kNumbers] = {};
  double sums_[kNumbers] = {};
  double ended_ = -1;
  double own_time_ = 0;
  RankFault fault_;
  Wrong error_ = Wrong::kNothing;
  Mail mail_{kept_, call_};
  List<Move> moves_{kept_};
  nestbind_across_report report_ = {};
};

}  // namespace nestbind::balance::across
