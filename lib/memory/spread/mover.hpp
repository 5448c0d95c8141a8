// SPDX-License-Identifier: BSD-3-Clause
// Moves each page of a range to its node. Without privileges a process cannot ask which pages are
// huge. So one page is moved first, to see which pages move with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/kernel/pages.hpp"
#include "memory/spread/page_parts.hpp"

namespace nestbind::memory::spread {

// Calls the functions of kernel/pages.hpp. Tests override these methods.
class Pages {
 public:
  explicit Pages(int process = 0) : process_(process) {}
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  virtual ~Pages() = default;
  virtual int find_nodes(const kernel::Range& range, std::span<int> nodes) {
    return kernel::find_nodes(range, nodes, process_);
  }
  virtual int move(std::span<const std::uintptr_t> pages, std::span<const int> nodes,
                   std::span<int> status) {
    return kernel::move(pages, nodes, status, process_);
  }
  virtual int set_policy(const kernel::Range& range, kernel::Policy policy,
                         const kernel::NodeSet& nodes) {
    return process_ == 0 ? kernel::set_policy(range, policy, nodes) : 0;
  }

 private:
  const int process_;
};

class Goal {
 public:
  // parts: as block() returns them.
  static Goal of_parts(std::vector<Part> parts);
  // Interleaves the memory over `nodes`. `nodes` is ascending, and not empty. Each node gets about
  // the same number of bytes.
  static Goal evenly(std::vector<int> nodes);

  bool is_even() const { return parts_.empty(); }
  const std::vector<int>& nodes() const { return nodes_; }  // may contain a node more than once

  // Returns the node of a piece of memory. `address` is a multiple of `bytes`.
  int of(std::uintptr_t address, std::size_t bytes) const;
  // Like of(), but an even goal prefers the node with the fewest dealt bytes.
  int deal(std::uintptr_t address, std::size_t bytes, std::size_t counted);

 private:
  std::vector<Part> parts_;
  std::vector<int> nodes_;
  std::vector<std::size_t> dealt_;  // number of bytes counted for each of `nodes_`
};

struct Outcome {
  int error = 0;              // the kernel's error that stopped the move, or 0
  std::size_t pages = 0;      // number of existing small pages
  std::size_t elsewhere = 0;  // number of these pages that are not on their target
  int policy_error = 0;
};

// During the move, the range has the policy kInterleave over the goal's nodes. unit: the size of
// huge pages in bytes, a power of two. Throws only std::bad_alloc.
Outcome bring(Pages& pages, const kernel::Range& range, Goal goal, std::size_t unit);

}  // namespace nestbind::memory::spread
