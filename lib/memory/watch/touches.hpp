// SPDX-License-Identifier: BSD-3-Clause
// Who touched which pages: first, and later, by the kernel's NUMA hint faults. Pure: samples in.
//
// Kept by units of 16 pages of 4 KiB, and of each page whether it is known to have been there: the
// fault of a page that was there is a hint fault, that of another one is its first touch. A sample
// stands for several faults, and a huge page has one fault: so, behind each round of samples, the
// pages that are there now are noted for all blocks in which something was touched first.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "memory/watch/fault_records.hpp"
#include "support/mapped_memory.hpp"

namespace nestbind::memory {

// What is counted in, whatever the processor's pages are.
inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::uint64_t kUnitBytes = 16 * kPageBytes;
// What is asked for its pages at once.
inline constexpr std::uint64_t kBlockBytes = 512 * kPageBytes;
// Nodes; those behind share the last index.
inline constexpr int kMostCountedNodes = 16;

struct TouchedUnit {
  std::uint64_t number = 0;      // address / kUnitBytes; 0: none
  std::uint64_t first_time = 0;  // of the first touch that a sample told of
  std::uint32_t first_thread = 0;
  std::uint32_t first_code = 0;   // of codes()
  std::uint32_t first_pages = 0;  // that were touched first, as far as is known
  std::uint16_t present = 0;      // a bit for each page that is known to be there
  std::int16_t first_index = -1;  // the node of who touched it first; -1: not known
  std::int16_t home = -1;         // the node, as an index, that it was on at first; -1: not known
  bool is_own = false;            // a sample of its own told of the first touch, no neighbour's
  std::uint16_t use[kMostCountedNodes] = {};  // hint faults, by the user's node
};

// The units of a region. Where almost all were found on the nodes of those who touched them first,
// all were there: the kernel's balancing has moved the rest before they were looked at, though no
// sample told of the use. Elsewhere there is a policy, which spreads them, or a node was full.
// Units whose first touch is known by their neighbours' only stay where they were found.
void settle_by_most(std::span<TouchedUnit> units);

// Whether they may be of one huge page: those whose first touch was sampled, and whose home is
// known, have the same one. Of a huge page one fault is all, and the other units' homes are where
// it is now.
bool may_be_one_page(std::span<const TouchedUnit> units);

// Those of a region's units that are not a neighbour's as well: who uses that one is not who uses
// the region. All, where none is the region's own. Throws std::bad_alloc.
support::MappedVector<TouchedUnit> units_inside(std::span<const TouchedUnit> units,
                                                std::uint64_t begin, std::uint64_t end);

class Touches {
 public:
  // Units beyond so many are left out.
  static constexpr std::size_t kMostUnits = std::size_t{1} << 20;
  static constexpr std::size_t kMostCodes = 4096;

  // code: what the sample is told of, in place of its own (watch/callers.hpp). index: the user's
  // node, below kMostCountedNodes. may_be_hint: the kernel's balancing is on; otherwise every fault
  // is a first touch, maybe of memory that was given back meanwhile. Throws std::bad_alloc.
  void add(const Sample& sample, std::uint64_t code, int index, bool may_be_hint);

  // Blocks (address / kBlockBytes) in which pages were touched first since the last call; a block
  // may be there more than once.
  template <typename Visit>
  void take_fresh(Visit visit) {
    for (const Fresh& fresh : fresh_) {
      visit(fresh.block);
    }
    fresh_.clear();
  }
  // Which pages of a block are there. Those that were not known were touched first by whoever
  // touched the block first.
  void note_present(std::uint64_t block, std::span<const bool, 512> present);
  // Likewise where nobody was seen to touch it first: nobody is told then.
  void adopt(std::uint64_t block, std::span<const bool, 512> present);

  // Where the kernel has found a unit, as an index, for the first time.
  void note_home(TouchedUnit& unit, int index);
  // All samples of what came before the last note_home are in. The kernel's balancing moves a unit
  // only to who has used it: where that is so, it was first on the node of who touched it first, if
  // a sample told who that was, and otherwise it is not known where.
  void settle_homes();

  // Whether a sample would be added as a hint: its page is known to be there, and was before.
  bool is_hint(const Sample& sample) const;
  // Whether a page is known to be there.
  bool is_present(std::uint64_t address) const;
  // Null where nothing is known of it; until the next call that adds.
  const TouchedUnit* find(std::uint64_t unit) const;
  TouchedUnit* find(std::uint64_t unit);

  // The range is the program's no more.
  void forget(std::uint64_t begin, std::uint64_t end);

  std::span<const std::uint64_t> codes() const { return codes_; }
  std::uint64_t first_touches() const { return first_touches_; }  // faults, as samples tell
  std::uint64_t hints() const { return hints_; }
  bool is_full() const { return count_ >= kMostUnits; }

 private:
  struct Fresh {
    std::uint64_t block;
    std::uint32_t thread;
    std::uint32_t code;
    int index;
  };
  TouchedUnit* make(std::uint64_t number);
  TouchedUnit* slot_of(std::uint64_t number);
  std::uint32_t code_number(std::uint64_t code);
  void touch_first(TouchedUnit& unit, const Sample& sample, std::uint64_t code, int index);
  static void add_use(TouchedUnit& unit, int index, std::uint64_t count);

  support::MappedVector<TouchedUnit> units_;  // open addressing, a power of two
  std::size_t count_ = 0;
  support::MappedVector<std::uint64_t> codes_;
  support::MappedVector<Fresh> fresh_;
  support::MappedVector<std::uint64_t> unsettled_;  // numbers of units
  std::uint64_t first_touches_ = 0;
  std::uint64_t hints_ = 0;
};

}  // namespace nestbind::memory
