// SPDX-License-Identifier: BSD-3-Clause
// Divides a range into consecutive parts, each on one node (BLOCK).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nestbind::memory::spread {

// Parts are in ascending order. The first part begins where the range begins.
struct Part {
  std::uintptr_t end = 0;  // the first byte after the part
  int node = 0;
  friend bool operator==(const Part&, const Part&) = default;
};

// The nodes of one member's processors, one for each processor.
using Member = std::vector<int>;

// Divides P processors into T equal parts, in order. Part i has the processors from floor(i P / T)
// to floor((i + 1) P / T) - 1, but at least processor floor(i P / T). nodes: the node of each
// processor; P is at least 1. members: T, at least 1.
std::vector<Member> equal_members(std::span<const int> nodes, std::size_t members);

// Divides a range into equal parts, one for each member. A member's part is divided among its
// nodes, in proportion to each node's processors. members: at least one, each with at least one
// node.
std::vector<Part> block(std::uintptr_t begin, std::size_t bytes, std::span<const Member> members);

// Returns the node of an address. An address outside all parts has the node of the nearest part.
int node_at(std::span<const Part> parts, std::uintptr_t address);

}  // namespace nestbind::memory::spread
