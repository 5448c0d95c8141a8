// SPDX-License-Identifier: BSD-3-Clause
#include "plan/strategies.hpp"

namespace nestbind::plan {

using machine::Machine;
using machine::Partition;

namespace {

// Finds borders of objects between two consecutive slots. at() returns the index of the
// largest kind in Machine::obstacles, or -1. Objects smaller than a block are ignored.
class Borders {
 public:
  Borders(const Machine& machine, const Slots& order, long need)
      : machine_(machine), order_(order), need_(need) {
    known_.reserve(order.size());
  }

  int size() const { return static_cast<int>(order_.size()); }

  int at(int position) {
    while (static_cast<int>(known_.size()) <= position) {
      known_.push_back(find(static_cast<int>(known_.size())));
    }
    return known_[position];
  }

 private:
  int find(int position) const {
    int kind = position == 0 ? -1 : static_cast<int>(machine_.obstacles.size()) - 1;
    while (kind >= 0 && !is_border(machine_.obstacles[kind], position)) {
      --kind;
    }
    return kind;
  }

  bool is_border(const Partition& objects, int position) const {
    const int before = objects.object_of[order_[position - 1]];
    const int here = objects.object_of[order_[position]];
    const auto holds = [&](int object) { return object >= 0 && objects.slots_in[object] >= need_; };
    return before != here && (holds(before) || holds(here));
  }

  const Machine& machine_;
  const Slots& order_;
  long need_;
  std::vector<int> known_;
};

// Returns the first positions of the blocks. The result is shorter than `blocks` if not all blocks
// fit. Kinds of objects below `given_up` are ignored.
std::vector<int> starts(Borders& borders, int blocks, int need, bool first_anywhere, int given_up) {
  std::vector<int> found;
  found.reserve(blocks);
  int start = 0;
  if (first_anywhere) {
    found.push_back(0);
    start = need;
  }
  int end = start;
  while (static_cast<int>(found.size()) < blocks && end < borders.size()) {
    if (end > start && borders.at(end) >= given_up) {
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
  Borders borders(machine, order, need);
  std::vector<int> found;
  for (int given_up = 0; static_cast<int>(found.size()) < blocks; ++given_up) {
    found = starts(borders, blocks, static_cast<int>(need), first_anywhere, given_up);
  }
  std::vector<Slots> cut;
  cut.reserve(found.size());
  for (const int start : found) {
    cut.emplace_back(order.begin() + start, order.begin() + start + need);
  }
  return cut;
}

std::vector<Slots> compact(const Machine& machine, const Slots& set, int threads, long need) {
  if (times(threads, need) > static_cast<long>(set.size())) {
    return divide_by_number(set, threads);
  }
  return cut_blocks(machine, set, threads, need, true);
}

}  // namespace nestbind::plan
