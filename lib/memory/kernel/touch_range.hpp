// SPDX-License-Identifier: BSD-3-Clause
// A range whose pieces go to the node of whoever touches them next, by taking away the access to
// them and handling the faults. Method: H. Lof and S. Holmgren, "affinity-on-next-touch", ICS 2005,
// in user space, as B. Goglin and N. Furmento, "Enabling high-performance memory migration for
// multithreaded applications on Linux", 2009. A fault for each page would be 46 times slower than
// one for 64, as measured; so pieces.
//
// A piece's states, each written by one thread at a time, which the exchange before it chooses:
//   kApart                      never ours: nobody has touched it yet
//   kArmed -> kTaken -> kDone   access is given back, then it is moved
// Faults of several threads at once find kTaken or kDone: they have only come late, and touch once
// more. Where those are of other nodes, in many pieces, the memory is shared, and the range ends.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "memory/kernel/mappings.hpp"
#include "memory/kernel/pages.hpp"

namespace nestbind::memory::kernel {

class TouchRange {
 public:
  static constexpr std::size_t kPagesOfPiece = 64;

  // range: whole pages. mappings: of it, without gaps, all accessible; what they permit is given
  // back. nodes: of each of its pages. huge: what of it may have huge pages. Throws std::bad_alloc
  // only.
  TouchRange(const Range& range, std::vector<Mapping> mappings, std::span<const int> nodes,
             std::span<const Range> huge);

  // Takes access away. Returns 0, or the kernel's error; then access is as before. mappings: of the
  // process now, is counted on; where it would be more than `most`, the range ends.
  int arm(std::atomic<long>& mappings, long most);

  const Range& range() const { return range_; }
  bool has(std::uintptr_t address) const { return address >= range_.begin && address < range_.end; }

  // A thread on `node` has touched `address` of the range, and it was denied. Returns whether that
  // was our doing: it is to touch again. Async-signal-safe.
  bool touch(std::uintptr_t address, int node);

  // Gives all access back; pages stay where they are. Any number of times, from any thread.
  // Async-signal-safe.
  void end();

  // Whether no piece waits any more.
  bool is_over() const { return waiting_.load(std::memory_order_acquire) <= 0; }
  bool is_given_up() const { return is_given_up_.load(std::memory_order_acquire); }
  // For tests: how many pieces of 64 pages, or huge pages, wait.
  long waiting() const { return waiting_.load(std::memory_order_acquire); }

 private:
  enum State : unsigned { kApart, kArmed, kTaken, kDone };
  struct Piece {
    std::atomic<unsigned> state{kApart};
    std::atomic<int> node{0};               // of who has taken it
    std::atomic<unsigned> late{0};          // faults that came late
    std::atomic<bool> is_contested{false};  // one of them from another node
    bool is_whole_unit = false;             // it leads the pieces of a huge page, which stay kApart
    bool is_led = false;                    // it is one of these
  };
  static constexpr unsigned kMostLate = 4096;  // then the fault is not ours
  // The range ends where so many pieces are contested, and one in so many that were taken. Threads
  // that use parts of their own contest a few, which lie across the parts' ends.
  static constexpr long kFewestContested = 4;
  static constexpr long kContestedIn = 4;

  std::size_t index_of(std::uintptr_t address) const { return (address - base_) / piece_bytes_; }
  std::size_t lead_of(std::size_t index) const {
    return pieces_[index].is_led ? index / per_unit_ * per_unit_ : index;
  }
  Range range_of(std::size_t index) const;
  bool waits(std::size_t index) const;
  int set_access(const Range& range, bool is_given) const;
  bool open(std::size_t index);
  void bring(std::size_t index, int node) const;
  void take(std::size_t index, int node);
  void come_late(Piece& piece, int node);
  void count_mappings(std::size_t index);
  int close_all();

  Range range_;
  std::size_t piece_bytes_;
  std::size_t per_unit_;  // pieces in a huge page
  std::uintptr_t base_;   // the range's begin, down to a huge page's
  std::vector<Mapping> mappings_;
  std::size_t count_;
  std::unique_ptr<Piece[]> pieces_;
  std::atomic<long> waiting_{0};
  std::atomic<bool> is_given_up_{false};
  std::atomic<long>* process_mappings_ = nullptr;
  long most_mappings_ = 0;
  std::atomic<long> taken_{0};
  std::atomic<long> contested_{0};
};

}  // namespace nestbind::memory::kernel
