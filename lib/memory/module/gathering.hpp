// SPDX-License-Identifier: BSD-3-Clause
// What becomes known of the process's memory while it runs: who touches it, where it lies, which
// regions there are and were. For one thread at a time.
#pragma once

#include <cstdint>
#include <span>

#include "interpose/code_place.hpp"
#include "memory/kernel/kernel_samples.hpp"
#include "memory/kernel/statics.hpp"
#include "memory/watch/asked.hpp"
#include "memory/watch/callers.hpp"
#include "memory/watch/pieces.hpp"
#include "memory/watch/touches.hpp"

namespace nestbind::memory {

// A region: a static array, a chunk of the program's allocator, a mapping or a part of one.
struct Known {
  Range range;
  Range chunk;                                     // of which it is, or is a part
  char name[kernel::StaticArray::kMostName] = "";  // of a static array; otherwise empty
  bool is_gone = false;                            // it has been given back
  std::int16_t asked[kMostAsked] = {};             // indices of some pages, when last looked at
  std::size_t asked_count = 0;                     // how many these are
  std::uint64_t there = 0;                         // bytes, then
  std::uint64_t bytes_on[kMostCountedNodes] = {};  // of these
  support::MappedVector<TouchedUnit> units;        // of one that is gone; in order
};

// Who is told of each hint fault.
class HintSink {
 public:
  HintSink() = default;
  HintSink(const HintSink&) = delete;
  HintSink& operator=(const HintSink&) = delete;
  virtual ~HintSink() = default;
  virtual void hint(std::uint64_t address, int index) = 0;
};

class Gathering {
 public:
  using FindCode = void (*)(std::uintptr_t address, interpose::CodePlace& place);

  // least: regions with fewer bytes are left out.
  Gathering(std::uint64_t least, FindCode find_code);

  // Begins to count page faults.
  void begin();
  // From the next drain() on. Outlives this.
  void tell_hints(HintSink& sink) { hint_sink_ = &sink; }
  // Takes what was counted since. Throws std::bad_alloc.
  void drain();
  // How much of the fullest ring was used then, per cent.
  unsigned fullest() const { return samples_.fullest(); }
  // Looks at all regions, and at which are gone. Throws std::bad_alloc.
  void look();
  // Counts no more; what is known stays.
  void end() { samples_.end(); }
  // In a forked child.
  void forget() { samples_.forget(); }

  // Whether something was touched since look() that it has not seen.
  bool has_news() const { return has_news_; }

  // Those that are there, and those that were.
  template <typename Visit>
  void visit(Visit visit) const {
    for (const Known& region : present_) {
      visit(region);
    }
    for (const Known& region : gone_) {
      visit(region);
    }
  }
  // The units of a region, in order; those of which something is known.
  support::MappedVector<TouchedUnit> units_of(const Known& region) const;

  const Touches& touches() const { return touches_; }
  // The function that some code is in: a number that is its own.
  std::uint64_t function_of(std::uint32_t code);
  // In order: the kernel's numbers of the threads of which there were samples.
  const support::MappedVector<std::uint32_t>& threads() const { return threads_; }

  int node_count() const { return static_cast<int>(numbers_.size()); }
  int node_of_index(int index) const { return numbers_[static_cast<std::size_t>(index)]; }
  bool is_balanced() const { return is_balanced_; }  // the kernel's balancing is on
  int refusal() const { return refusal_; }           // why no faults are counted; 0: they are
  std::uint64_t lost() const { return lost_; }
  std::uint64_t least() const { return least_; }

 private:
  void take(const Sample& sample);
  void note_thread(std::uint32_t thread);
  void look_at_block(std::uint64_t block, bool is_touched);
  void adopt(const Known& region);
  void read_mappings(support::MappedVector<Range>& writable,
                     support::MappedVector<Range>& candidates);
  const Pieces& chunks_of(const Range& mapping);
  void add_pieces(const Range& mapping, support::MappedVector<Known>& into);
  void find_hidden(std::span<const std::uintptr_t> pages, Known& region) const;
  void ask_for(Known& region) const;
  void retire(const support::MappedVector<Range>& writable);

  const std::uint64_t least_;
  const FindCode find_code_;
  HintSink* hint_sink_ = nullptr;
  kernel::Samples samples_;
  Touches touches_;
  int refusal_ = 0;
  bool is_balanced_ = false;
  bool has_news_ = false;
  std::uint64_t lost_ = 0;
  std::uint32_t process_ = 0;
  support::MappedVector<int> numbers_;                // of nodes, by index
  support::MappedVector<std::uint8_t> of_processor_;  // index
  support::MappedVector<std::uint32_t> threads_;
  support::MappedVector<std::uint64_t> functions_;  // by code; 0: not looked for yet
  support::MappedVector<char> maps_;
  support::MappedVector<Text> texts_;
  support::MappedVector<kernel::StaticArray> statics_;
  support::MappedVector<kernel::DataRange> data_;
  std::size_t texts_of_statics_ = 0;  // how many files there were when they were looked for
  struct Split {
    Range mapping;
    Pieces chunks;
  };
  support::MappedVector<Split> splits_;  // of the mappings at the last look, or this one
  support::MappedVector<Known> present_;
  support::MappedVector<Known> gone_;
};

}  // namespace nestbind::memory
