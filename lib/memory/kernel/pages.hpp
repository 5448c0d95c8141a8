// SPDX-License-Identifier: BSD-3-Clause
// The kernel's calls for where pages are: the only caller of move_pages, mbind, get_mempolicy and
// mprotect. Straight to the kernel, so that errno stays, and nobody stands before them. None of
// them allocates.
//
// What decides how they are used, of Linux 6.1: mbind with MPOL_INTERLEAVE and MPOL_MF_MOVE moves
// no page that lies on one of the nodes; what move_pages has moved, automatic balancing moves away
// unless a policy is set; of a huge page one small page is moved for all; and a page whose next
// access automatic balancing waits for is none to move_pages. So: a policy, under which there will
// be no more such pages; those that there are are read; a target for each page; and what has become
// of it is read back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "memory/kernel/node_set.hpp"

namespace nestbind::memory::kernel {

// Of the processor, in bytes; a power of two.
std::size_t page_bytes();

// What a small page's node is where it has none.
inline constexpr int kNoPage = -1;

// A range of whole pages: begin and end are multiples of page_bytes().
struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::size_t pages() const { return (end - begin) / page_bytes(); }
};

// All pages that have a byte of the `bytes` from p on, which do not go beyond the end of the
// address space.
Range pages_around(const void* p, std::size_t bytes);

// The functions below return 0, or the kernel's error as a positive number (EPERM, ENOSYS, ...).

// Whether all of a range is mapped: 0, or ENOMEM.
int check_mapped(const Range& range);

// The node of each page of a range; kNoPage where there is none, or it is the one page of zeros
// that all share. Pages that are in memory, but that the kernel tells no node of, are read. nodes:
// one for each page.
int find_nodes(const Range& range, std::span<int> nodes);

// The same of some pages, by any address in each; none is read. nodes: as many. process: one of the
// same user; 0: this one.
int find_nodes(std::span<const std::uintptr_t> pages, std::span<int> nodes, int process = 0);

// For a kernel without NUMA, or a machine with one node: 0 for each page that is in memory.
int find_resident(const Range& range, std::span<int> nodes);

// Moves each page to its node: those of this process alone. Where there is no page, nothing
// happens. That it returns 0 tells nothing of where they are now: find_nodes does. pages, nodes,
// status: as many; status is written with each page's node, or a negative error. A call for each
// run of pages with the same node: sort them. process: as above.
int move(std::span<const std::uintptr_t> pages, std::span<const int> nodes, std::span<int> status,
         int process = 0);

enum class Policy {
  kDefault,     // where it is first touched; no nodes
  kPreferred,   // on one node, elsewhere only where that one has no memory
  kInterleave,  // over the nodes, by address
};

// For pages of a range that come to be from now on; none is moved. Automatic balancing leaves pages
// with another policy than kDefault alone.
int set_policy(const Range& range, Policy policy, const NodeSet& nodes);

// The nodes that the calling thread may have memory on.
int find_allowed(NodeSet& nodes);

// PROT_* of sys/mman.h.
int protect(const Range& range, int protection);

// Of the processor that the calling thread is on now; 0 where there are no nodes.
int own_node();

}  // namespace nestbind::memory::kernel
