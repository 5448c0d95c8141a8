// SPDX-License-Identifier: BSD-3-Clause
// What is known of one program in one process, from its exec on: which faults there were, and where
// its pages are. First touches, hinting faults of the kernel's NUMA balancing and homes are kept
// apart; a fault of which it is not clear what it is counts for nothing. Pure: records and looks
// come in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "memory/watch/records.hpp"

namespace nestbind::memory::watch {

inline constexpr int kNoNode = -1;
inline constexpr std::uint32_t kNoStack = UINT32_MAX;
// From one look to the next, in nanoseconds; the first ones come sooner.
inline constexpr std::uint64_t kLookInterval = 500'000'000;

enum class FaultKind : std::uint8_t { kFirstTouch, kHint, kUnclear };

struct Fault {
  std::uint64_t address = 0;
  std::uint64_t time = 0;
  std::uint32_t thread = 0;
  std::uint32_t weight = 1;  // it stands for so many
  std::uint32_t stack = kNoStack;
  std::int16_t node = kNoNode;  // that the thread was on
  std::int16_t home = kNoNode;  // of the page, by the latest look before
  FaultKind kind = FaultKind::kFirstTouch;
};

// A mapping, a chunk of the allocator, or a static array.
struct Area {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string name;  // of a static array, as the compiler has named it
  bool operator==(const Area&) const = default;
};

struct Page {
  std::int16_t first = kNoNode;  // where it was when it was first seen
  std::int16_t last = kNoNode;   // where it was when it was last seen
  std::int16_t touch = kNoNode;  // the node of who touched it first
  std::uint16_t fault = 0;       // when it last had a fault, in kTick
  std::uint16_t piece = 0;  // of the first page of 2 MiB: when one of them was last touched first
  bool may_have_moved = false;  // before it was first seen
  bool was_there = false;       // at some look
  bool is_seen = false;         // by a look, since its last fault, and where it is
  bool is_suspect = false;      // its next fault may be a copy on write
};

struct Region {
  Area area;
  std::uint64_t born = 0;  // not earlier
  std::uint64_t died = 0;  // 0: it is there
  std::vector<Page> pages;
  bool is_unseen = false;  // by any look

  bool has(std::uint64_t address) const { return address >= area.begin && address < area.end; }
  // Where the page of an address was at first, or is by the latest look; if that was not seen, its
  // nearest neighbour that was.
  int home(std::uint64_t address, bool at_end) const;
  std::vector<std::uint64_t> pages_on(bool at_end, std::size_t nodes) const;  // by node
};

class ProcessTable {
 public:
  ProcessTable(std::uint32_t process, std::uint64_t begin, std::uint64_t page_bytes);

  std::uint32_t process() const { return process_; }

  // node: of the record's processor.
  void add_fault(const Record& record, int node);
  // Something was mapped there: what was seen of it is over.
  void add_mapping(std::uint64_t begin, std::uint64_t end, std::uint64_t time);
  // So much of it is new, and large. A look will tell what it is.
  void expect(const Area& area, std::uint64_t time);
  // The process has forked, or was forked: each page may be copied when it is next written to.
  void add_fork(std::uint64_t time);

  // A look begins: these areas are there, ascending. Those that are gone are kept, as they were.
  void begin_look(std::uint64_t time, const std::vector<Area>& areas);
  // A page is there, on a node; kNoNode: there, but the kernel does not tell where. may_have_moved:
  // the kernel has moved pages of some process since the look before.
  void see(Region& region, std::size_t page, int node, bool may_have_moved = false);
  // It is not there.
  static void miss(Region& region, std::size_t page);
  // hints: how many hinting faults the kernel has had since the last look, in all processes. What
  // was taken for more than that is unclear.
  void end_look(std::uint64_t hints);
  // The process has ended. What was touched first after the latest look is known by that, and so
  // are areas that no look has seen.
  void end(const std::vector<Area>& arrays);
  std::uint64_t looks() const { return looks_; }

  std::vector<Region>& regions() { return regions_; }
  const std::vector<Region>& regions() const { return regions_; }
  const std::vector<Fault>& faults() const { return faults_; }
  const std::vector<Record>& stacks() const { return stacks_; }
  // Those of one region.
  std::vector<Fault> faults_of(const Region& region) const;

 private:
  static constexpr unsigned kTick = 27;  // bits of a nanosecond count: 0.13 s
  static std::uint16_t tick(std::uint64_t time) {
    return static_cast<std::uint16_t>(time >> kTick);
  }
  FaultKind kind_of(const Record& record, std::int16_t& home);
  std::uint32_t keep_stack(const Record& record);
  void keep(const Fault& fault);
  void note_touch(const Fault& fault);
  void fill(Region& region) const;
  void settle(Region& region) const;
  template <typename Action>
  void each_page(std::uint64_t begin, std::uint64_t end, Action action);

  std::uint32_t process_;
  std::uint64_t begin_;
  std::uint64_t page_bytes_;
  std::uint64_t looks_ = 0;
  std::uint64_t look_time_ = 0;
  std::vector<Region> regions_;  // those that are there first, ascending; then those that are gone
  std::size_t live_ = 0;
  std::vector<Fault> faults_;
  std::size_t unchecked_ =
      0;  // hints from there on have not been compared with the kernel's number
  std::uint32_t thinned_ = 1;  // of each so many faults one is kept
  std::uint32_t skipped_ = 0;
  std::vector<Record> stacks_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> stack_keys_;  // sorted by key
};

}  // namespace nestbind::memory::watch
