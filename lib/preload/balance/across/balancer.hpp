// SPDX-License-Identifier: BSD-3-Clause
// One rank's part in balancing. The caller makes the exchanges between ranks (MPI, or a
// simulation).
#pragma once

#include <cstddef>

#include "balance/across/grow.hpp"
#include "balance/across/nodes.hpp"
#include "balance/across/ranks.hpp"
#include "balance/across/worth.hpp"

namespace nestbind::balance::across {

enum class Group { kAll, kNode, kLeaders };

// An exchange that all ranks of a group make. kReduce: `numbers` of all ranks become their maxima
// and sums (Number). kCounts: each rank sends one int to each rank of the group (MPI_Alltoall).
// kData: bytes to each rank (MPI_Alltoallv).
struct Exchange {
  enum class Kind { kReduce, kCounts, kData };
  Kind kind = Kind::kReduce;
  Group group = Group::kAll;
  double* numbers = nullptr;
  const void* send = nullptr;
  void* receive = nullptr;
  const int* send_counts = nullptr;
  int* receive_counts = nullptr;
  const int* send_offsets = nullptr;
  const int* receive_offsets = nullptr;
};

// A move of an object. If `from` is `to`, only the slot changes.
struct Move {
  Id id;
  int from;
  int to;
  int slot;  // in rank `to`; 0 if the rank has no slots
};

struct Setup {
  int rank = 0;
  int ranks = 1;
  const int* node = nullptr;  // of each rank, numbered from 0 in the order of their lowest ranks
  int threads = 1;
  int slots = 0;
  const int* numa = nullptr;
  int numa_count = 0;
  const double* hops = nullptr;  // between nodes, for rank 0; the caller keeps it
  double per_message = 0;        // seconds; 0: as usual_alpha() of balance/assign.hpp
  double (*factor)(int from, int to) = nullptr;
};

enum class Wrong { kNothing, kMemory, kLoad, kTwice, kUnknown, kSteps };

// The first fault that this rank has found.
struct RankFault {
  Wrong what = Wrong::kNothing;
  Id id = 0;
  int rank = -1;  // the other rank
  double value = 0;
};

struct Report {
  double before = 0;  // time of a step of the slowest rank
  double after = 0;   // predicted
  double mean = 0;
  double bytes = 0;
  double moves = 0;  // of all ranks
  double seconds_per_byte = 0;
  double seconds = 0;  // of the call
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
  void set_threads(int threads) { threads_ = threads; }

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
  const Report& report() const { return report_; }

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
  struct Told {
    Move move;
    double load;
  };
  struct ObjectRecord {
    Id id;
    double load;
    double bytes;
    int rank;
    int slot;
    int edges;
    int to;  // the node that gets it
  };
  struct EdgeRecord {
    Id other;
    double messages;
    int node;
    int rest;
  };
  struct RankRecord {
    int rank;
    int threads;
    int slots;
    int numa;
    int objects;
    int edges;
  };
  struct NodeRecord {
    double load;
    double capacity;
    int objects;
    int edges;
  };

  // Bytes for other ranks. A part is of one destination.
  class Outbox {
   public:
    void clear() {
      bytes_.clear();
      parts_.clear();
    }
    template <typename T>
    void put(int to, const T* values, std::size_t count) {
      const std::size_t begin = bytes_.size();
      if (bytes_.resize(begin + count * sizeof(T)) && count > 0) {
        std::memcpy(bytes_.data() + begin, values, count * sizeof(T));
      }
      if (parts_.size() > 0 && parts_[parts_.size() - 1].to == to) {
        parts_[parts_.size() - 1].count += static_cast<int>(count * sizeof(T));
      } else {
        parts_.push({to, static_cast<int>(count * sizeof(T))});
      }
    }
    bool pack(std::size_t ranks);
    Grow<int> counts;
    Grow<int> offsets;
    Grow<char> packed;

   private:
    struct Part {
      int to;
      int count;
    };
    Grow<char> bytes_;
    Grow<Part> parts_;
  };

  explicit Balancer(const Setup& setup) : setup_(setup) {}
  bool init();
  int entry_of(Id id);
  void note(Wrong what, Id id, int rank, double value = 0);
  bool is_leader() const { return leaders_[index(own_node_)] == setup_.rank; }
  static std::size_t index(int number) { return static_cast<std::size_t>(number); }
  std::size_t size_of(Group group) const;
  bool post(Group group, Stage stage, Exchange& exchange);
  bool reduce(Stage stage, Exchange& exchange);
  double alpha() const;
  double heaviest_slot() const;

  void see_loads(double now);
  void ask();
  void answer();
  void tell_leader();
  void offer();
  void assign();
  void take_orders();
  void tell_ranks();
  void take_moves();
  bool finish(double now);

  Setup setup_;
  int threads_ = 1;
  int own_node_ = 0;
  int nodes_ = 1;
  Grow<int> node_;     // of each rank
  Grow<int> leaders_;  // of each node
  Grow<int> local_;    // ranks of the own node
  Grow<int> numa_;

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
  Group group_ = Group::kAll;
  Outbox out_;
  Grow<int> receive_counts_;
  Grow<int> receive_offsets_;
  Grow<char> received_;

  // A leader's data: its ranks, and the objects of its node, later with those that arrive.
  Grow<int> rank_threads_, rank_slots_, rank_first_numa_, rank_numa_;
  Grow<ObjectRecord> objects_;
  Grow<EdgeRecord> edges_;
  Grow<Told> node_moves_;

  Grow<Move> moves_;
  Report report_;
};

}  // namespace nestbind::balance::across
