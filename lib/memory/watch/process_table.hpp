// SPDX-License-Identifier: BSD-3-Clause
// The facts about one program, from its exec on: its faults, and the nodes of its pages.
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
// In nanoseconds.
inline constexpr std::uint64_t kLookInterval = 500'000'000;

enum class FaultKind : std::uint8_t { kFirstTouch, kHint, kUnclear };

struct Fault {
  std::uint64_t address = 0;
  std::uint64_t time = 0;
  std::uint32_t thread = 0;
  std::uint32_t weight = 1;  // how many faults the record stands for
  std::uint32_t stack = kNoStack;
  std::int16_t node = kNoNode;
  std::int16_t home = kNoNode;  // the page's last known node before the fault
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
  std::int16_t first = kNoNode;  // the first known node of the page
  std::int16_t last = kNoNode;   // the last known node of the page
  std::int16_t touch = kNoNode;  // the node of the thread that touched the page first
  std::uint16_t fault = 0;       // time of the last fault, in ticks
  std::uint16_t piece = 0;       // in the first page of 2 MiB: time of the latest first touch there
  bool may_have_moved = false;   // the kernel may have moved the page before see() found it
  bool was_there = false;        // the page was in memory
  bool is_seen = false;
  bool is_suspect = false;  // the next fault may be a copy on write
};

struct Region {
  Area area;
  std::uint64_t born = 0;  // the earliest time at which the region may have begun
  std::uint64_t died = 0;  // 0 if the region still exists
  std::vector<Page> pages;

  bool has(std::uint64_t address) const { return address >= area.begin && address < area.end; }
  // If the page's node is not known, returns the home of a page nearby.
  int home(std::uint64_t address) const;
  std::vector<std::uint64_t> pages_on(bool at_end, std::size_t nodes) const;  // indexed by node
};

class ProcessTable {
 public:
  ProcessTable(std::uint32_t process, std::uint64_t begin, std::uint64_t page_bytes);

  std::uint32_t process() const { return process_; }

  void add_fault(const Record& record, int node);
  // From now on, earlier facts about these addresses are ignored.
  void add_mapping(std::uint64_t begin, std::uint64_t end, std::uint64_t time);
  // Adds regions for a new mapping, where there is no region yet. Ignores parts with fewer than
  // `least` bytes.
  void expect(std::uint64_t begin, std::uint64_t end, std::uint64_t least, std::uint64_t time);
  // Notes that the process has forked or was forked: each page may be copied at its next write.
  void add_fork(std::uint64_t time);

  // areas: all existing areas, ascending.
  void begin_look(std::uint64_t time, const std::vector<Area>& areas);
  // node: the page's node, or kNoNode. may_have_moved: true if the kernel has moved pages of some
  // process since the previous look.
  void see(Region& region, std::size_t page, int node, bool may_have_moved = false);
  // Notes that the page is not in memory.
  static void miss(Region& region, std::size_t page);
  // hints: the kernel's number of hinting faults in all processes since the last look.
  void end_look(std::uint64_t hints);
  // If see() has not found a page, the node of the first touch becomes the page's node.
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
  std::uint32_t thinned_ = 1;  // if this is 4, keep() stores only every fourth fault
  std::uint32_t skipped_ = 0;
  std::vector<Record> stacks_;
  std::unordered_map<std::uint64_t, std::uint32_t> stack_numbers_;
};

}  // namespace nestbind::memory::watch
