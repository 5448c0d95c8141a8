// SPDX-License-Identifier: BSD-3-Clause
// A range in consecutive parts, one behind the other, each of one node: what BLOCK means. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nestbind::memory::spread {

// Parts in ascending order, the first from the range's first byte on.
struct Part {
  std::uintptr_t end = 0;  // the first byte behind it
  int node = 0;
  friend bool operator==(const Part&, const Part&) = default;
};

// The nodes of one member's processors, in their order: a node stands there once for each
// processor.
using Member = std::vector<int>;

// T equal parts of the processors, in order: part i has those from floor(i P / T) to
// floor((i + 1) P / T) - 1; where that are none, the one at floor(i P / T).
// nodes: of each processor, at least one. members: T, at least 1.
std::vector<Member> equal_members(std::span<const int> nodes, std::size_t members);

// T equal parts of a range for T members; each is divided by the member's nodes, in order, so that
// a node has as much of it as processors. Neighbours of one node are one part, empty parts are left
// out. members: at least one, each with at least one node.
std::vector<Part> block(std::uintptr_t begin, std::size_t bytes, std::span<const Member> members);

// The node of an address; of those in front of the first part the first part's, behind the last one
// its. parts: as of block(), at least one.
int node_at(std::span<const Part> parts, std::uintptr_t address);

}  // namespace nestbind::memory::spread
