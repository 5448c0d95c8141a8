// SPDX-License-Identifier: BSD-3-Clause
// The facts about one program in one process, from its exec on: faults, kept apart by kind, and the
// nodes of pages. Makes no system calls: the input is records and looks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "memory/watch/records.hpp"

namespace nestbind::memory::watch {

inline constexpr int kNoNode = -1;
inline constexpr std::uint32_t kNoStack = UINT32_MAX;
// The time between two looks (lib/memory/README.md), in nanoseconds. The first looks come sooner.
inline constexpr std::uint64_t kLookInterval = 500'000'000;

enum class FaultKind : std::uint8_t { kFirstTouch, kHint, kUnclear };

struct Fault {
  std::uint64_t address = 0;
  std::uint64_t time = 0;
  std::uint32_t thread = 0;
  std::uint32_t weight = 1;  // number of faults that the record counts for
  std::uint32_t stack = kNoStack;
  std::int16_t node = kNoNode;  // the thread's node
  std::int16_t home = kNoNode;  // the page's home in the latest look before the fault
  FaultKind kind = FaultKind::kFirstTouch;
};

// A mapping, a chunk of the allocator, or a static array.
struct Area {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string name;  // the compiler's name of a static array
  bool operator==(const Area&) const = default;
};

struct Page {
  std::int16_t first = kNoNode;  // its node when it was first seen
  std::int16_t last = kNoNode;   // its node when it was last seen
  std::int16_t touch = kNoNode;  // the node of the thread that touched it first
  std::uint16_t fault = 0;       // time of its last fault, in ticks
  std::uint16_t piece = 0;       // in the first page of 2 MiB: the latest first touch in the 2 MiB
  bool may_have_moved = false;   // the kernel may have moved the page before it was first seen
  bool was_there = false;        // a look or a fault has found it
  bool is_seen = false;          // a look has found its node since its last fault
  bool is_suspect = false;       // its next fault may be a copy on write
};

struct Region {
  Area area;
  std::uint64_t born = 0;  // the earliest time at which the region may have begun
  std::uint64_t died = 0;  // 0 if the region still exists
  std::vector<Page> pages;

  bool has(std::uint64_t address) const { return address >= area.begin && address < area.end; }
  // Returns the home of an address's page, or, if no look has seen the page, of a page near it.
  int home(std::uint64_t address) const;
  std::vector<std::uint64_t> pages_on(bool at_end, std::size_t nodes) const;  // indexed by node
};

class ProcessTable {
 public:
  ProcessTable(std::uint32_t process, std::uint64_t begin, std::uint64_t page_bytes);

  std::uint32_t process() const { return process_; }

  // node: the node of the record's processor.
  void add_fault(const Record& record, int node);
  // Notes a new mapping: facts about earlier pages at these addresses are ignored from now on.
  void add_mapping(std::uint64_t begin, std::uint64_t end, std::uint64_t time);
  // Makes a region of each part of a new mapping that is in no region yet. A part needs at least
  // `least` bytes. The next look gives the region its name.
  void expect(std::uint64_t begin, std::uint64_t end, std::uint64_t least, std::uint64_t time);
  // Notes that the process has forked or was forked: each page may be copied at its next write.
  void add_fork(std::uint64_t time);

  // Begins a look. areas: all existing areas, ascending.
  void begin_look(std::uint64_t time, const std::vector<Area>& areas);
  // Notes that the look has found a page on a node, or on an unknown node (kNoNode).
  // may_have_moved: the kernel has moved pages of some process since the previous look.
  void see(Region& region, std::size_t page, int node, bool may_have_moved = false);
  // Notes that the look has not found the page.
  static void miss(Region& region, std::size_t page);
  // Ends a look. hints: how many hinting faults the kernel has counted since the last look, in all
  // processes. If the table has more hinting faults, all of them become unclear.
  void end_look(std::uint64_t hints);
  // Ends the table. Pages after the latest look get the nodes of their first touches.
  void end();
  std::uint64_t looks() const { return looks_; }

  std::vector<Region>& regions() { return regions_; }
  const std::vector<Region>& regions() const { return regions_; }
  const std::vector<Fault>& faults() const { return faults_; }
  const std::vector<Record>& stacks() const { return stacks_; }
  std::vector<Fault> faults_of(const Region& region) const;

 private:
  static constexpr unsigned kTick = 27;  // a tick is 2^27 nanoseconds: 0.13 s
  static std::uint16_t tick(std::uint64_t time) {
    return static_cast<std::uint16_t>(time >> kTick);
  }
  FaultKind kind_of(const Record& record, std::int16_t& home);
  std::uint32_t keep_stack(const Record& record);
  void keep(const Fault& fault);
  void note_touch(const Fault& fault);
  Region new_region(const Area& area, std::uint64_t born) const;
  void fill(Region& region) const;
  void settle(Region& region) const;
  template <typename Action>
  void each_page(std::uint64_t begin, std::uint64_t end, Action action);

  std::uint32_t process_;
  std::uint64_t begin_;
  std::uint64_t page_bytes_;
  std::uint64_t looks_ = 0;
  std::uint64_t look_time_ = 0;
  std::vector<Region> regions_;  // existing regions, ascending; then regions that have ended
  std::size_t live_ = 0;
  std::vector<Fault> faults_;
  std::size_t unchecked_ = 0;  // faults from here on are not yet compared with the kernel's count
  std::uint32_t thinned_ = 1;  // one of `thinned_` faults is kept
  std::uint32_t skipped_ = 0;
  std::vector<Record> stacks_;
  std::unordered_map<std::uint64_t, std::uint32_t> stack_numbers_;
};

}  // namespace nestbind::memory::watch
