// SPDX-License-Identifier: BSD-3-Clause
// The kernel's calls about the nodes of pages. The functions call the kernel directly, so errno
// does not change. None of these functions allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "memory/kernel/memory_nodes.hpp"

namespace nestbind::memory::kernel {

// The processor's page size in bytes; a power of two.
std::size_t page_bytes();

inline constexpr int kNoPage = -1;

// A range of whole pages: begin and end are multiples of page_bytes().
struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::size_t pages() const { return (end - begin) / page_bytes(); }
};

Range pages_around(const void* p, std::size_t bytes);

// The functions below return 0, or the kernel's error as a positive number (EPERM, ENOSYS, ...).

int check_mapped(const Range& range);

// Finds the node of each page of a range. The value is kNoPage if there is no page, or only the
// shared page of zeros. If the kernel reports no node for a page of this process, the function
// reads a byte of the page and asks again. nodes: one for each page. process: a process of the same
// user, or 0 for this process.
int find_nodes(const Range& range, std::span<int> nodes, int process = 0);

// Reads no page.
int find_nodes(std::span<const std::uintptr_t> pages, std::span<int> nodes, int process = 0);

// Writes node 0 for each page in memory.
int find_resident(const Range& range, std::span<int> nodes);

// Moves each page to its node in `nodes`, if no other process maps the page. Some pages may stay
// even if the result is 0: ask find_nodes(). `status` gets each page's node, or a negative error.
// The three arrays have the same length. Sort the pages by node: the kernel moves consecutive
// pages in one call if they have the same node.
int move(std::span<const std::uintptr_t> pages, std::span<const int> nodes, std::span<int> status,
         int process = 0);

enum class Policy {
  kPreferred,   // on one node; on other nodes only if this node has no free memory
  kInterleave,  // over the nodes, by address
};

int set_policy(const Range& range, Policy policy, const NodeSet& nodes);

// Finds the nodes on which the calling thread may have memory.
int find_allowed(NodeSet& nodes);

int protect(const Range& range, int protection);

int own_node();

}  // namespace nestbind::memory::kernel
