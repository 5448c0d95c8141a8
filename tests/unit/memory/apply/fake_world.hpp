// SPDX-License-Identifier: BSD-3-Clause
// Memory as Linux 6.1 moves it: of a huge page one small page is moved for all. And a kernel that
// balances: it samples, scan by scan, what has no policy, and moves what was used from elsewhere.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "memory/apply/keeper.hpp"
#include "memory/apply/world.hpp"

namespace nestbind::memory::apply::test {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMebi = 1U << 20;

struct FakeWorld : World {
  std::map<std::uintptr_t, int> node_of;  // pages that are there
  std::size_t granule = 1;                // pages that go as one, aligned
  std::set<std::uintptr_t> pinned;        // that cannot be moved
  std::set<std::uintptr_t> hidden;        // that wait for their next use
  // Whether a huge page that is to be moved is split then, and whether a page cannot be moved now.
  std::function<bool(std::uintptr_t)> is_split;
  std::function<bool(std::uintptr_t)> is_busy;
  std::set<std::uintptr_t> split;  // huge pages that are no more
  std::vector<Area> mappings;      // in order
  std::vector<Range> spreads;
  std::vector<Range> released;
  bool may_spread = true;
  bool is_going_on = true;
  std::size_t moves = 0;  // calls
  std::size_t asked = 0;  // for areas
  std::function<void(FakeWorld&)> before_areas;
  std::uint64_t bytes = std::uint64_t{16} << 30;
  std::vector<NodeMemory> free = std::vector<NodeMemory>(4, {90, 100});

  void add(const Range& range, int node, Bar bar = Bar::kNone) {
    mappings.push_back({range, bar, false});
    for (std::uintptr_t at = range.begin; at < range.end; at += kPage) {
      node_of[at] = node;
    }
  }
  void unmap(const Range& range) {
    std::erase_if(mappings, [&](const Area& area) { return area.range == range; });
    std::erase_if(spreads, [&](const Range& one) {
      return one.begin >= range.begin && one.end <= range.end;
    });
    node_of.erase(node_of.lower_bound(range.begin), node_of.lower_bound(range.end));
  }
  bool has_policy(std::uintptr_t address) const {
    return std::ranges::any_of(
        spreads, [&](const Range& one) { return one.begin <= address && address < one.end; });
  }
  std::vector<std::size_t> count(const Range& range) const {
    std::vector<std::size_t> pages(4);
    for (auto at = node_of.lower_bound(range.begin); at != node_of.end() && at->first < range.end;
         ++at) {
      ++pages[static_cast<std::size_t>(at->second)];
    }
    return pages;
  }

  std::vector<Area> areas(std::span<const Range> ranges) override {
    ++asked;
    if (before_areas) {
      before_areas(*this);
    }
    std::vector<Area> found;
    for (const Range& range : ranges) {
      for (const Area& area : mappings) {
        add_parts({std::max(range.begin, area.range.begin), std::min(range.end, area.range.end)},
                  area.bar, found);
      }
    }
    return found;
  }
  void find_nodes(std::span<const std::uintptr_t> pages, std::span<int> nodes) override {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const auto page = node_of.find(pages[i] / kPage * kPage);
      const bool is_told = page != node_of.end() && !hidden.contains(page->first);
      nodes[i] = is_told ? page->second : kNoNode;
    }
  }
  void find_all_nodes(const Range& range, std::span<int> nodes) override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::uintptr_t page = range.begin + i * kPage;
      hidden.erase(page);
      find_nodes({&page, 1}, nodes.subspan(i, 1));
    }
  }
  void move(std::span<const std::uintptr_t> pages, std::span<const int> nodes) override {
    ++moves;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const std::uintptr_t huge = pages[i] / (granule * kPage) * (granule * kPage);
      if (granule > 1 && is_split && !split.contains(huge) && is_split(huge)) {
        split.insert(huge);
      }
      const std::uintptr_t size = split.contains(huge) ? kPage : granule * kPage;
      const std::uintptr_t first = pages[i] / size * size;
      if (is_busy && is_busy(first)) {
        continue;
      }
      for (std::uintptr_t at = first; at < first + size; at += kPage) {
        if (node_of.contains(at) && !pinned.contains(at)) {
          node_of[at] = nodes[i];
        }
      }
    }
  }
  bool spread(const Range& range) override {
    if (may_spread) {
      spreads.push_back(range);
    }
    return may_spread;
  }
  void release(const Range& range) noexcept override {
    released.push_back(range);
    std::erase(spreads, range);
  }
  std::vector<NodeMemory> memory() override { return free; }
  std::uint64_t process_bytes() override { return bytes; }
  bool goes_on() override { return is_going_on; }

 private:
  // A policy is of a part of a mapping.
  void add_parts(const Range& range, Bar bar, std::vector<Area>& found) const {
    std::uintptr_t at = range.begin;
    while (at < range.end) {
      const bool is_spread = has_policy(at);
      std::uintptr_t end = at + kPage;
      while (end < range.end && has_policy(end) == is_spread) {
        end += kPage;
      }
      found.push_back({{at, end}, bar, is_spread});
      at = end;
    }
  }
};

}  // namespace nestbind::memory::apply::test
