// SPDX-License-Identifier: BSD-3-Clause
// The owners of the blocks of one loop in one team, and measurements of the blocks. A site
// (site.hpp) has an Ownership if the schedule is `balanced`.
//
// There are two sets of owners. All members of an execution use the same set (see site.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "balance/owners.hpp"
#include "loops/grouping.hpp"
#include "loops/list_cursor.hpp"
#include "loops/schedule.hpp"

namespace nestbind::loops {

using balance::Ticks;

class Ownership {
 public:
  // The properties that determine the blocks. If they change, owners and measurements begin anew.
  struct Shape {
    std::uint64_t iterations = 0;
    std::uint64_t grain = 1;
    int wanted = 0;
    std::uint32_t places = 0;  // the version of the team's places
    bool operator==(const Shape&) const = default;
  };
  // The data that an execution needs, equal for all members.
  struct Coming {
    Shape shape;
    const Places* places = nullptr;
    std::uint64_t generation = 0;
  };
  // All values are zero before the first measurement.
  struct Known {
    Ticks region = 0;  // time of a thread in the loop, on average
    std::uint32_t samples = 0;
    Ticks take = 0;
  };

  // Returns the number of blocks for each thread, at most `wanted`. In large teams the number is
  // smaller, because look() compares each block with each thread.
  static int most_blocks(int threads, int wanted);

  // The first call makes the object (one allocation). If there is no memory for the object, this
  // call and all later calls return null.
  static Ownership* find(std::atomic<Ownership*>& cell, int threads, const Coming& coming);
  // Returns the memory of the object in the cell, for a caller that frees this memory.
  static void* memory(const std::atomic<Ownership*>& cell);

  bool is_for(int set, const Coming& coming) const;
  // Call this only if is_for() is true.
  ListedLoop loop(int set, const Schedule& schedule, bool is_monotonic, Ticks take) const;
  Queue* queues() { return queues_; }

  // Notes the time of a run of blocks.
  void note(int set, int member, int from, int behind, Ticks time);

  // Writes the set for the next measured execution. No thread may be in an earlier execution.
  void prepare(int next, const Coming& coming, const Schedule& schedule, const Known& known);
  // If a set's owners have settled, only one of eight executions is measured.
  bool is_settled(int set) const { return sets_[set].is_settled; }
  // True if executions without measurement also use the owners.
  bool are_needed(int set, const Schedule& schedule) const {
    return sets_[set].has_changed || schedule.steal == 0;
  }

  // May be called at any time.
  struct Summary {
    int blocks = 0;
    std::uint64_t looks = 0;
    std::uint64_t migrations = 0;
    // The largest load of a thread, in hundredths of the mean load. `before` and `after` describe
    // the last change of owners. If no owner has changed, both values are equal. Before the first
    // call of look(), both values are 0.
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    std::uint64_t runs = 0;
    std::uint64_t remote = 0;  // runs on a remote node
  };
  Summary summary() const;

 private:
  using Cell = std::atomic<std::uint64_t>;
  struct Set {
    Shape shape;
    std::uint64_t generation = 0;
    std::uint64_t executions = 0;  // measured executions before the set is used
    std::uint64_t version = 0;
    int each = 0;
    bool has_changed = false;
    bool is_left = false;  // the loop is too short, and runs as hybrid
    bool is_settled = false;
    int* owner = nullptr;
    int* first = nullptr;
    int* block = nullptr;
    Ticks* time = nullptr;
  };
  struct Block {
    Cell time{0};
    Cell local{0};
    Cell remote{0};
    std::atomic<int> home{-1};
    std::atomic<int> last{-1};
  };
  struct alignas(64) Runs {
    Cell all{0};
    Cell remote{0};
    std::atomic<std::int64_t> off{0};  // sum of Load::off over the blocks that the member owns
  };
  // A team on more than kMostNodes nodes is treated like a team on one node.
  static constexpr int kMostNodes = 64;

  // Places the arrays behind this object in `memory`, and returns the size of all together. If
  // `memory` is null, only the size is valid.
  std::size_t lay_out(void* memory, int threads, int most);
  static Ownership* make(void* memory, int threads, int most);
  void begin_anew(Set& set, const Coming& coming);
  void find_nodes(const Places& places);
  void find_factors(const Places& places, const std::uint16_t* found);
  std::uint64_t every(const Set& set, const Schedule& schedule, const Known& known) const;
  void continue_from(const Set& current, Set& set, const Schedule& schedule, const Known& known);
  void look(const Set& current, Set& set, const Schedule& schedule);
  void note_look(const Set& current, Set& set, const balance::Look& look);
  bool are_other(const Set& set) const;
  void copy(const Set& current, Set& set) const;
  std::int64_t note_block(int member, int block, Ticks time, std::uint64_t before);
  int count(const Set& set) const { return set.each * threads_; }

  int threads_ = 0;
  int most_ = 0;  // largest number of blocks for each thread
  int most_nodes_ = 1;
  Queue* queues_ = nullptr;
  Runs* runs_ = nullptr;
  Block* blocks_ = nullptr;
  Set sets_[2];
  balance::Machine machine_;
  int* node_ = nullptr;
  double* factor_ = nullptr;
  Ticks* varies_ = nullptr;
  Ticks* snapshot_ = nullptr;  // local and remote times of all blocks
  int* home_ = nullptr;
  void* work_ = nullptr;
  Cell count_{0};
  Cell looks_{0};
  Cell migrations_{0};
  Cell before_{0};
  Cell after_{0};
};

}  // namespace nestbind::loops
