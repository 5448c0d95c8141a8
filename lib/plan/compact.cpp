// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>

#include "plan/divide.hpp"

namespace nestbind::plan {

using machine::Machine;
using machine::Partition;

namespace {

// For each position of `order` the largest kind of obstacle whose border lies just before it, an
// index into Machine::obstacles; -1: none. An object smaller than a block is no obstacle.
std::vector<int> borders(const Machine& machine, const Slots& order, long need) {
  std::vector<int> border(order.size(), -1);
  for (std::size_t kind = 0; kind < machine.obstacles.size(); ++kind) {
    const Partition& objects = machine.obstacles[kind];
    const auto holds = [&](int object) { return object >= 0 && objects.slots_in[object] >= need; };
    for (std::size_t i = 1; i < order.size(); ++i) {
      const int before = objects.object_of[order[i - 1]];
      const int here = objects.object_of[order[i]];
      if (before != here && (holds(before) || holds(here))) {
        border[i] = static_cast<int>(kind);
      }
    }
  }
  return border;
}

// Where the blocks begin when the `given_up` smallest kinds may be straddled; fewer than `blocks`
// where they do not fit.
std::vector<std::size_t> starts(const std::vector<int>& border, int blocks, std::size_t need,
                                bool first_anywhere, int given_up) {
  std::vector<std::size_t> found;
  std::size_t start = 0;
  if (first_anywhere) {
    found.push_back(0);
    start = need;
  }
  std::size_t end = start;  // the block so far is [start, end)
  while (static_cast<int>(found.size()) < blocks && end < border.size()) {
    if (end > start && border[end] >= given_up) {
      start = end;
    }
    ++end;
    if (end - start == need) {
      found.push_back(start);
      start = end;
    }
  }
  return found;
}

}  // namespace

std::vector<Slots> cut_blocks(const Machine& machine, const Slots& order, int blocks, long need,
                              bool first_anywhere) {
  const std::vector<int> border = borders(machine, order, need);
  std::vector<std::size_t> found;
  for (int given_up = 0; static_cast<int>(found.size()) < blocks; ++given_up) {
    found = starts(border, blocks, static_cast<std::size_t>(need), first_anywhere, given_up);
  }
  std::vector<Slots> cut;
  cut.reserve(found.size());
  for (const std::size_t start : found) {
    cut.emplace_back(order.begin() + static_cast<long>(start),
                     order.begin() + static_cast<long>(start) + need);
  }
  return cut;
}

std::vector<Slots> compact(const Machine& machine, const Slots& set, int threads, long need) {
  if (threads * need > static_cast<long>(set.size())) {
    return divide_by_number(set, threads);
  }
  return cut_blocks(machine, set, threads, need, true);
}

}  // namespace nestbind::plan
