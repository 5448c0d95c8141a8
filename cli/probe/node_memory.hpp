// SPDX-License-Identifier: BSD-3-Clause
// Memory on one NUMA node. It has regions. Each line of a region names the next line to read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nestbind::cli::probe {

class NodeMemory {
 public:
  // node: the operating system's number. bytes: the wanted size; less if the node has little free
  // memory. The calling thread makes the first touch. Throws CannotMeasure: no memory on the node.
  NodeMemory(int node, std::size_t bytes);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  struct Done {
    double ns = 0;
    int count = 0;
    bool given_up = false;
  };
  // Reads `count` lines of the next region. Each names the next line. Takes at most `limit` ns.
  Done follow(int count, double limit);

  // Reads `count` blocks of 4 KiB from block `from` on. The first block comes after the last.
  Done read(std::size_t from, int count, double limit) const;
  static constexpr std::size_t kBlock = 4096;

 private:
  // A line has two cache lines, because many processors fetch cache lines in pairs.
  struct Line {
    std::uint32_t next;  // the index of the next line, in the same region
    std::uint32_t none[31];
  };
  // A region is small: the TLB soon covers it. So the time of the memory itself is measured.
  static constexpr std::size_t kLines = 4096;

  Line* lines_ = nullptr;
  std::size_t regions_ = 0;
  std::size_t at_ = 0;  // the region to read next
};

}  // namespace nestbind::cli::probe
