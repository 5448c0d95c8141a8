// SPDX-License-Identifier: BSD-3-Clause
// Memory that moves as in Linux 6.1. A move of one small page moves its whole huge page. The kernel
// always reports success.
#pragma once

#include <cerrno>
#include <map>
#include <set>
#include <vector>

#include "memory/spread/mover.hpp"

namespace nestbind::memory::spread::test {

struct FakePages : Pages {
  struct Set {
    kernel::Range range;
    kernel::Policy policy;
    std::vector<int> nodes;
  };

  const std::size_t page = kernel::page_bytes();
  std::map<std::uintptr_t, int> node_of;         // node of each page that is present
  std::map<std::uintptr_t, std::size_t> as_one;  // number of pages that move together
  std::set<std::uintptr_t> held;                 // pages that cannot be moved
  int full_node = -1;
  int find_error = 0;
  int move_error = 0;
  int policy_error = 0;
  std::vector<Set> policies;
  std::size_t moves = 0;  // pages that were passed to move

  // `granule` pages always move together.
  void add(std::uintptr_t begin, std::size_t count, int node, std::size_t granule = 1) {
    for (std::size_t i = 0; i < count; ++i) {
      node_of[begin + i * page] = node;
      as_one[begin + i * page] = granule;
    }
  }

  int find_nodes(const kernel::Range& range, std::span<int> nodes) override {
    for (std::size_t i = 0; i < range.pages(); ++i) {
      const auto found = node_of.find(range.begin + i * page);
      nodes[i] = found == node_of.end() ? kernel::kNoPage : found->second;
    }
    return find_error;
  }

  int move(std::span<const std::uintptr_t> pages, std::span<const int> nodes,
           std::span<int> status) override {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      ++moves;
      status[i] = move_one(pages[i], nodes[i]);
    }
    return move_error;
  }

  int set_policy(const kernel::Range& range, kernel::Policy policy,
                 const kernel::NodeSet& nodes) override {
    std::vector<int> numbers;
    for (int node = 0; node < 64; ++node) {
      if (nodes.has(node)) {
        numbers.push_back(node);
      }
    }
    policies.push_back({range, policy, numbers});
    return policy_error;
  }

  std::vector<std::size_t> count() const {
    std::vector<std::size_t> pages(4);
    for (const auto& [address, node] : node_of) {
      ++pages[static_cast<std::size_t>(node)];
    }
    return pages;
  }

 private:
  int move_one(std::uintptr_t address, int node) {
    if (!node_of.contains(address)) {
      return -ENOENT;
    }
    if (held.contains(address)) {
      return -EBUSY;
    }
    if (node == full_node) {
      return -ENOMEM;
    }
    const std::size_t bytes = as_one[address] * page;
    const std::uintptr_t first = address / bytes * bytes;
    for (std::uintptr_t at = first; at < first + bytes; at += page) {
      if (node_of.contains(at)) {
        node_of[at] = node;
      }
    }
    return node;
  }
};

}  // namespace nestbind::memory::spread::test
