// SPDX-License-Identifier: BSD-3-Clause
// Memory on one NUMA node, in regions in which each line names the next line to read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nestbind::cli::probe {

class NodeMemory {
 public:
  // node: the operating system's number. bytes: wanted; less if the node has little free memory.
  // The calling thread touches it first. Throws CannotMeasure: no memory, or not on the node.
  NodeMemory(int node, std::size_t bytes);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  struct Done {
    double ns = 0;
    int count = 0;
    bool given_up = false;
  };
  // Reads `count` lines of the next region in turn, each named by the previous, at most `limit` ns.
  Done follow(int count, double limit);

  // Reads `count` blocks of 4 KiB from block `from` on. The first block follows the last.
  Done read(std::size_t from, int count, double limit) const;
  static constexpr std::size_t kBlock = 4096;

 private:
  // Two cache lines: many processors fetch lines in pairs.
  struct Line {
    std::uint32_t next;  // the index of the next line, in the same region
    std::uint32_t none[31];
  };
  // A region is so small that the TLB covers it soon, and the memory itself is measured.
  static constexpr std::size_t kLines = 4096;

  Line* lines_ = nullptr;
  std::size_t regions_ = 0;
  std::size_t at_ = 0;  // the region to read next
};

}  // namespace nestbind::cli::probe
