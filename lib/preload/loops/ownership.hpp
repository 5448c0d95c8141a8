// SPDX-License-Identifier: BSD-3-Clause
// Who owns the blocks of one loop in one team, and what was measured of them: what a site
// (site.hpp) has beside, where the schedule is `balanced`.
//
// Owners are in the site's two sets, and agreed on by its rule: all members of an execution use the
// set that was written at the begin of an earlier one, by a thread that had passed a barrier. Times
// of blocks are written by who runs them, into one table, and looked at by the one thread that
// writes the next set.
//
// The stealable parts of lists are queues of the loop's own. Between two executions that use them
// all members pass a barrier, so nobody who still is in one ever meets a word of the next.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "balance/owners.hpp"
#include "loops/list_cursor.hpp"
#include "loops/loop_places.hpp"
#include "loops/schedule.hpp"

namespace nestbind::loops {

using balance::Ticks;

class Ownership {
 public:
  // What the blocks of a loop follow from. With another one all begins anew.
  struct Shape {
    std::uint64_t iterations = 0;
    std::uint64_t grain = 1;
    int wanted = 0;            // blocks for each thread
    std::uint32_t places = 0;  // the version of the team's places
    bool operator==(const Shape&) const = default;
  };
  // What a member brings to an execution; the same for all.
  struct Coming {
    Shape shape;
    const Places* places = nullptr;
    std::uint64_t generation = 0;  // of the queues
  };
  // What a site knows of the time that the loop takes; all zero: nothing yet.
  struct Known {
    Ticks region = 0;  // of a thread, on average
    std::uint32_t samples = 0;
    Ticks take = 0;  // what a take costs
  };

  // Blocks for each of so many threads, of those that are wanted: a look compares each block with
  // each thread, and others wait for it. Below Blocks::kFewest: the loop has no owners.
  static int most_blocks(int threads, int wanted);

  // The one in `cell`, made if there is none yet (an allocation, once); null without memory, and
  // then for all and for ever. Its first execution has this shape.
  static Ownership* find(std::atomic<Ownership*>& cell, int threads, const Coming& coming);
  // The memory behind the cell, for tests that give it back.
  static void* memory(const std::atomic<Ownership*>& cell);

  // Whether an execution that uses this set has owners: its blocks are those of the set, and it is
  // worth it.
  bool is_for(int set, const Coming& coming) const;
  // The loop, where is_for(). Blocks are handed out in runs of 50 takes (5 microseconds) or more,
  // where they are known to be shorter, so that their times cost next to nothing.
  ListedLoop loop(int set, const Schedule& schedule, bool is_monotonic, Ticks take) const;
  Queue* queues() { return queues_; }

  // A member has run the blocks at places [from, behind) of the lists of a set, in such a time.
  void note(int set, int member, int from, int behind, Ticks time);

  // Writes the set for the next measured execution. By one thread, when no member can be in an
  // earlier one.
  void prepare(int next, const Coming& coming, const Schedule& schedule, const Known& known);
  // Whether a set's owners have settled: then one of eight executions is measured.
  bool is_settled(int set) const { return sets_[set].is_settled; }
  // Whether the others of these executions have owners, too. As long as all are those of a static
  // schedule, blocks are there to be measured only, and hybrid deals with smaller pieces.
  bool are_needed(int set, const Schedule& schedule) const {
    return sets_[set].has_changed || schedule.steal == 0;
  }

  // For the report, at any time.
  struct Summary {
    int blocks = 0;
    std::uint64_t looks = 0;
    std::uint64_t migrations = 0;  // changes of owners, of all looks together
    // Of the last look whose owners were taken, otherwise of the last one: the heaviest thread over
    // the mean, in hundredths; 0: no look yet.
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    std::uint64_t runs = 0;    // blocks that were run in measured executions,
    std::uint64_t remote = 0;  // and those of them that ran on another node than at first
  };
  Summary summary() const;

 private:
  using Cell = std::atomic<std::uint64_t>;
  struct Set {
    Shape shape;
    std::uint64_t generation = 0;  // of the execution that it was written in
    std::uint64_t executions = 0;  // measured ones before those that use it
    std::uint64_t version = 0;     // of owners and times
    int each = 0;                  // blocks for each thread
    bool has_changed = false;      // owners are not those of a static schedule
    bool is_left = false;          // to hybrid: too short
    bool is_settled = false;
    int* owner = nullptr;  // by block
    int* first = nullptr;  // lists
    int* block = nullptr;
    Ticks* time = nullptr;  // by block, as they were at the last look
  };
  // What is known of a block: as balance::KnownBlocks has it.
  struct Block {
    Cell time{0};
    Cell local{0};
    Cell remote{0};
    std::atomic<int> home{-1};
    std::atomic<int> last{-1};  // the node that it ran on last
  };
  struct alignas(64) Runs {
    Cell all{0};
    Cell remote{0};
    std::atomic<std::int64_t> off{0};  // of the blocks that are its own, in the last execution
  };
  struct Parts;
  // Nodes of a team that are told from each other; a team on more is as if on one.
  static constexpr int kMostNodes = 64;

  static Ownership* make(void* memory, int threads, int most);
  void begin_anew(Set& set, const Coming& coming);
  void find_nodes(const Places& places);
  int node_number(std::uint16_t node, const Places& places, std::uint16_t* found);
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
  int most_ = 0;        // blocks for each thread that there is room for
  int most_nodes_ = 1;  // likewise
  Queue* queues_ = nullptr;
  Runs* runs_ = nullptr;  // by member
  Block* blocks_ = nullptr;
  Set sets_[2];
  balance::Machine machine_;
  int* node_ = nullptr;        // of machine_
  double* factor_ = nullptr;   // likewise
  Ticks* varies_ = nullptr;    // by member
  Ticks* snapshot_ = nullptr;  // the local and remote times of all blocks, for a look,
  int* home_ = nullptr;        // and their homes
  void* work_ = nullptr;
  Cell count_{0};  // for the report
  Cell looks_{0};
  Cell migrations_{0};
  Cell before_{0};
  Cell after_{0};
};

}  // namespace nestbind::loops
