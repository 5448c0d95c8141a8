// SPDX-License-Identifier: BSD-3-Clause
// The work that a probe measures: messages between two threads, and reads of a node's memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "probe/measure.hpp"

namespace nestbind::cli::probe {

double clock_ns();

struct Done {
  double ns = 0;
  int count = 0;
  bool given_up = false;
};

// The number of the latest message, and its first bytes, in their own cache line.
struct alignas(64) Flag {
  std::atomic<std::uint64_t> number{0};
  unsigned char text[56] = {};
};

struct Way {
  Flag* flag = nullptr;
  std::uint64_t* rest = nullptr;
  std::size_t words = 0;
};

// Two threads send each other messages through shared memory.
class Channel {
 public:
  // bytes: the size of a message, at least 64. The first sender makes the first touch.
  explicit Channel(std::size_t bytes);

  // Call this function before either thread begins.
  void reset();

  // Sends `count` messages, and waits for the reply to each of them. Gives up after `limit` ns.
  Done call(int count, double limit);
  // Replies to `count` messages, or fewer if the other thread gives up.
  void answer(int count);

 private:
  // reset() takes another pair of lines, because the time depends on the lines' cache slices.
  static constexpr std::size_t kLines = 64;

  Done exchange(int count, double limit);

  Way there() { return {&flags_[2 * at_], there_.data(), there_.size()}; }
  Way back() { return {&flags_[2 * at_ + 1], back_.data(), back_.size()}; }

  std::vector<Flag> flags_;
  std::vector<std::uint64_t> there_;
  std::vector<std::uint64_t> back_;
  std::size_t at_ = 0;
  std::atomic<bool> is_over_{false};
};

// Memory on one NUMA node. Each line contains the number of the line to read next.

class NodeMemory {
 public:
  // `node` is the operating system's number. The memory is smaller if the node has little free
  // memory. The calling thread makes the first touch. Throws CannotMeasure if the node has no
  // memory.
  NodeMemory(int node, std::size_t bytes);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  // Reads `count` lines of the next region, one after the other. Stops after `limit` ns.
  Done follow(int count, double limit);

  Done read(std::size_t from, int count, double limit) const;
  static constexpr std::size_t kBlock = 4096;

 private:
  // Two cache lines in size, because many processors fetch two adjacent cache lines.
  struct Line {
    std::uint32_t next;
    std::uint32_t none[31];
  };
  // The TLB soon covers a small region, so the result contains no TLB misses.
  static constexpr std::size_t kLines = 4096;

  Line* lines_ = nullptr;
  std::size_t regions_ = 0;
  std::size_t at_ = 0;
};

// The Instrument for lib/command/probe, with this machine's threads and memory.

// Thrown if a processor cannot be used, or a thread cannot be started.
struct CannotMeasure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// bytes: the memory to read on each node, more than its caches hold. The instrument's batches throw
// CannotMeasure.
std::unique_ptr<nestbind::probe::Instrument> make_threads(std::size_t bytes);

}  // namespace nestbind::cli::probe
