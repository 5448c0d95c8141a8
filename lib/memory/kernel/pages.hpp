// SPDX-License-Identifier: BSD-3-Clause
// The kernel's calls about the places of pages: the only caller of move_pages, mbind, get_mempolicy
// and mprotect. It calls the kernel directly, so that errno stays, and no other library intercepts
// the calls. None of these functions allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "memory/kernel/node_set.hpp"

namespace nestbind::memory::kernel {

// The processor's page size in bytes; a power of two.
std::size_t page_bytes();

// Stands for the node of a small page that does not exist.
inline constexpr int kNoPage = -1;

// A range of whole pages: begin and end are multiples of page_bytes().
struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::size_t pages() const { return (end - begin) / page_bytes(); }
};

// All pages with a byte of the `bytes` from p on, which must not go beyond the address space.
Range pages_around(const void* p, std::size_t bytes);

// The functions below return 0, or the kernel's error as a positive number (EPERM, ENOSYS, ...).

// Whether all of a range is mapped: 0, or ENOMEM.
int check_mapped(const Range& range);

// The node of each page of a range. kNoPage: there is no page, or it is the shared page of zeros.
// Pages of this process that are in memory, but whose node the kernel does not give, are read.
// nodes: one per page. process: a process of the same user; 0: this process.
int find_nodes(const Range& range, std::span<int> nodes, int process = 0);

// The same for some pages, given by any address in each; no page is read. nodes: as many as pages.
int find_nodes(std::span<const std::uintptr_t> pages, std::span<int> nodes, int process = 0);

// For a kernel without NUMA, or a machine with one node: 0 for each page that is in memory.
int find_resident(const Range& range, std::span<int> nodes);

// Moves each page to its node, if only this process has the page. Nothing happens if there is no
// page. Even if this returns 0, pages may be elsewhere: ask find_nodes. pages, nodes, status:
// equally many; status gets each page's node, or a negative error. The kernel is called once for
// each run of pages with the same node, so sort the pages. process: as above.
int move(std::span<const std::uintptr_t> pages, std::span<const int> nodes, std::span<int> status,
         int process = 0);

enum class Policy {
  kPreferred,   // on one node, elsewhere only if this node has no memory
  kInterleave,  // over the nodes, by address
};

// For pages allocated from now on; none is moved. Automatic balancing ignores pages with a policy.
int set_policy(const Range& range, Policy policy, const NodeSet& nodes);

// The nodes that the calling thread may have memory on.
int find_allowed(NodeSet& nodes);

// protection: PROT_* of sys/mman.h.
int protect(const Range& range, int protection);

// The node of the processor that the calling thread is on now; 0 if there are no nodes.
int own_node();

}  // namespace nestbind::memory::kernel
