// SPDX-License-Identifier: BSD-3-Clause
// The kernel's calls about the nodes of pages. Only this file calls move_pages, mbind,
// get_mempolicy and mprotect. It calls the kernel directly: errno does not change, and no other
// library intercepts the calls. None of these functions allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "memory/kernel/node_set.hpp"

namespace nestbind::memory::kernel {

// The processor's page size in bytes; a power of two.
std::size_t page_bytes();

// The value, instead of a node, for a page that does not exist.
inline constexpr int kNoPage = -1;

// A range of whole pages: begin and end are multiples of page_bytes().
struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::size_t pages() const { return (end - begin) / page_bytes(); }
};

// Returns the pages of the `bytes` bytes at p, which must be inside the address space.
Range pages_around(const void* p, std::size_t bytes);

// The functions below return 0, or the kernel's error as a positive number (EPERM, ENOSYS, ...).

// Returns 0 if the whole range is mapped, otherwise ENOMEM.
int check_mapped(const Range& range);

// Finds the node of each page of a range. The value is kNoPage if there is no page, or only the
// shared page of zeros. If the kernel does not report the node of a page of this process that is in
// memory, the function reads the page to get a node. nodes: one for each page. process: a process
// of the same user, or 0 for this process.
int find_nodes(const Range& range, std::span<int> nodes, int process = 0);

// Finds the nodes of single pages. Each page is given by any address in it. Reads no page.
int find_nodes(std::span<const std::uintptr_t> pages, std::span<int> nodes, int process = 0);

// Writes node 0 for each page in memory. Used without NUMA, and on machines with one node.
int find_resident(const Range& range, std::span<int> nodes);

// Moves each page to its node in `nodes`, if no other process maps the page. Ignores pages that do
// not exist. Even if the result is 0, some pages may be on other nodes: ask find_nodes(). The three
// arrays have the same length. `status` gets each page's node, or a negative error. The kernel is
// called once for each sequence of pages with one node, so sort the pages. process: as above.
int move(std::span<const std::uintptr_t> pages, std::span<const int> nodes, std::span<int> status,
         int process = 0);

enum class Policy {
  kPreferred,   // on one node; on other nodes only if this node has no free memory
  kInterleave,  // over the nodes, by address
};

// Sets the policy for pages that are allocated later. Moves no page. The kernel's automatic NUMA
// balancing ignores pages with a policy.
int set_policy(const Range& range, Policy policy, const NodeSet& nodes);

// Finds the nodes on which the calling thread may have memory.
int find_allowed(NodeSet& nodes);

// protection: PROT_* of sys/mman.h.
int protect(const Range& range, int protection);

// Returns the node of the calling thread's present processor, or 0 if there are no nodes.
int own_node();

}  // namespace nestbind::memory::kernel
