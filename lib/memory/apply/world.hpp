// SPDX-License-Identifier: BSD-3-Clause
// What the kernel tells of the process's memory and does with it, as moving memory by itself needs
// it: the kernel, or what a test has in its place. Nodes are numbered from 0 without gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/interval.hpp"
#include "memory/units.hpp"

namespace nestbind::memory::apply {

// Of a page that is not there, or whose node is not told.
inline constexpr int kNoNode = -1;

// Whether a mapping's pages may be moved, and if not, why.
enum class Bar {
  kNone,
  kFile,    // a file's, shared with other processes, or not writable
  kLocked,  // mlock
  kPolicy,  // the program has given it a policy, or the whole process
  kUntold,  // the kernel does not tell whether it has one
};

// A part of a mapping.
struct Area {
  Range range;
  Bar bar = Bar::kNone;
  bool is_spread = false;  // it has the policy that spread() sets
};

class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  virtual ~World() = default;

  // The parts of mappings that lie in one of the ranges, as they are now, in order. What is not
  // mapped is in none.
  virtual std::vector<Area> areas(std::span<const Range> ranges) = 0;

  // The nodes of some pages, by any address in each. Asks only: what the kernel hides, since it
  // waits for the page's next use, is told as kNoNode.
  virtual void find_nodes(std::span<const std::uintptr_t> pages, std::span<int> nodes) = 0;

  // The node of each page of a range, whatever it takes. nodes: one for each page.
  virtual void find_all_nodes(const Range& range, std::span<int> nodes) = 0;

  // Has each page moved to its node. What has become of it is to be read back.
  virtual void move(std::span<const std::uintptr_t> pages, std::span<const int> nodes) = 0;

  // Gives a range a policy, so that the kernel's balancing leaves its pages where they are: those
  // to come are interleaved over all nodes. Moves none. Whether it was done.
  virtual bool spread(const Range& range) = 0;

  // Takes that policy off a range that has it. Allocates nothing.
  virtual void release(const Range& range) noexcept = 0;

  // The memory of each node, for as many as there are; none of a node that is not allowed.
  virtual std::vector<NodeMemory> memory() = 0;

  // Of the process, in memory.
  virtual std::uint64_t process_bytes() = 0;

  // Whether the process has not begun to end.
  virtual bool goes_on() = 0;
};

}  // namespace nestbind::memory::apply
