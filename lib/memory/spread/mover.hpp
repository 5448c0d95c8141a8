// SPDX-License-Identifier: BSD-3-Clause
// Brings each page of a range to its node, whatever the size of the pages is, and finds out what
// has become of it. Knows the kernel by what it answers: which pages are huge cannot be asked
// without privileges, so where it matters one page is moved, and what goes with it is seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/kernel/pages.hpp"
#include "memory/spread/page_parts.hpp"

namespace nestbind::memory::spread {

// As the functions of kernel/pages.hpp with these names: the kernel, or what a test has in its
// place.
class Pages {
 public:
  Pages() = default;
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  virtual ~Pages() = default;
  virtual int find_nodes(const kernel::Range& range, std::span<int> nodes) = 0;
  virtual int move(std::span<const std::uintptr_t> pages, std::span<const int> nodes,
                   std::span<int> status) = 0;
  virtual int set_policy(const kernel::Range& range, kernel::Policy policy,
                         const kernel::NodeSet& nodes) = 0;
};

// Which node each page of a range is to have.
class Goal {
 public:
  // parts: as of block().
  static Goal of_parts(std::vector<Part> parts);
  // nodes: ascending, at least one. Evenly: what the kernel does for pages to come, by address, but
  // what has come is counted, so that huge pages and what is left over at the ends even out.
  static Goal evenly(std::vector<int> nodes);

  bool is_even() const { return parts_.empty(); }
  const std::vector<int>& nodes() const { return nodes_; }  // maybe several times

  // Of the `bytes` from an address that is a multiple of them; as if nothing had been dealt.
  int of(std::uintptr_t address, std::size_t bytes) const;
  // The same, and that node has them.
  int deal(std::uintptr_t address, std::size_t bytes);

 private:
  std::vector<Part> parts_;         // empty: evenly
  std::vector<int> nodes_;          // at least one
  std::vector<std::size_t> dealt_;  // bytes for each of the nodes
};

struct Outcome {
  int error = 0;              // of the kernel; then it was given up
  std::size_t pages = 0;      // small ones that are there
  std::size_t elsewhere = 0;  // of them not where they are to be
  int policy_error = 0;       // the last one of setting policies
};

// unit: of huge pages, in bytes; a power of two, at least a page. Until all have been moved, the
// policy is that they are interleaved over the goal's nodes.
// Throws std::bad_alloc only.
Outcome bring(Pages& pages, const kernel::Range& range, Goal goal, std::size_t unit);

}  // namespace nestbind::memory::spread
