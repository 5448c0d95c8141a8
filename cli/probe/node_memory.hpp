// SPDX-License-Identifier: BSD-3-Clause
// Memory on one NUMA node, in regions whose lines tell where the next one is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nestbind::cli::probe {

class NodeMemory {
 public:
  // node: the operating system's number. bytes: wanted; less where the node has little that is
  // free. Touched here. Throws CannotMeasure where there is no memory, or it does not lie on the
  // node.
  NodeMemory(int node, std::size_t bytes);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  struct Done {
    double ns = 0;
    int count = 0;
    bool given_up = false;
  };
  // Reads `count` lines, each where the one before has said, in the next region: it comes again
  // when all others have been read. Gives up after `limit` ns.
  Done follow(int count, double limit);

  // Reads `count` times 4 KiB, from block `from` on and round.
  Done read(std::size_t from, int count, double limit) const;
  static constexpr std::size_t kBlock = 4096;

 private:
  // Two lines, for many processors read lines by twos.
  struct Line {
    std::uint32_t next;  // of its region
    std::uint32_t none[31];
  };
  // So small that its tables of pages are soon known, and what is measured is memory.
  static constexpr std::size_t kLines = 4096;

  Line* lines_ = nullptr;
  std::size_t regions_ = 0;
  std::size_t at_ = 0;  // the region that is read next
};

}  // namespace nestbind::cli::probe
