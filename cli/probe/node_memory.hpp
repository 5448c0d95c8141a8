// SPDX-License-Identifier: BSD-3-Clause
// Memory on one NUMA node. Each line contains the number of the line to read next.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cli/probe/channel.hpp"

namespace nestbind::cli::probe {

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

}  // namespace nestbind::cli::probe
