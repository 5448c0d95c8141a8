// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>

#include "plan/strategies.hpp"

namespace nestbind::plan {

using machine::Machine;
using SlotSpan = std::span<const int>;

std::vector<Slots> divide_by_number(const Slots& set, int threads) {
  const auto count = static_cast<long long>(set.size());  // a long may have 32 bits (docs/site)
  std::vector<Slots> parts(threads);
  for (int i = 0; i < threads; ++i) {
    const auto begin = static_cast<long>(i * count / threads);
    const long end = std::max(static_cast<long>((i + 1) * count / threads), begin + 1);
    parts[i].assign(set.begin() + begin, set.begin() + (threads > count ? begin + 1 : end));
  }
  return parts;
}

namespace {

// A child of an object: its node (-1 for a single slot), and its slots in the set.
struct Child {
  int node;
  SlotSpan slots;
};

std::vector<Child> children_in(const Machine& machine, int node, SlotSpan set) {
  std::vector<Child> children;
  if (node < 0) {
    return children;
  }
  std::size_t at = 0;
  const std::vector<int>& nodes = machine.nodes[node].children;
  auto next = nodes.begin();
  while (at < set.size()) {
    while (next != nodes.end() && machine.nodes[*next].end <= set[at]) {
      ++next;
    }
    if (next == nodes.end() || set[at] < machine.nodes[*next].begin) {
      children.push_back({-1, set.subspan(at, 1)});
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < set.size() && set[end] < machine.nodes[*next].end) {
      ++end;
    }
    children.push_back({*next, set.subspan(at, end - at)});
    at = end;
  }
  return children;
}

bool are_alike(const std::vector<Child>& children) {
  return std::all_of(children.begin(), children.end(), [&](const Child& child) {
    return child.slots.size() == children[0].slots.size();
  });
}

// A faster threads_for() for children with equal numbers of slots.
std::vector<long> threads_for_alike(std::size_t children, long slots, long threads, long need) {
  const long each = threads / static_cast<long>(children);
  const long more = threads % static_cast<long>(children);
  if ((more > 0 ? each + 1 : each) * need > slots) {
    return {};
  }
  std::vector<long> count(children, each);
  std::fill_n(count.begin(), more, each + 1);
  return count;
}

// Returns each child's number of threads, or nothing if not all threads fit. threads >= children.
std::vector<long> threads_for(const std::vector<Child>& children, long threads, long need) {
  if (children.empty()) {
    return {};
  }
  if (are_alike(children)) {
    return threads_for_alike(children.size(), static_cast<long>(children[0].slots.size()), threads,
                             need);
  }
  if (static_cast<long>(children[0].slots.size()) < need) {
    return {};  // the primary thread must be in the first child
  }
  std::vector<long> count(children.size(), 0);
  for (std::size_t c = 0; c < children.size(); ++c) {
    if (static_cast<long>(children[c].slots.size()) >= need) {
      count[c] = 1;
      --threads;
    }
  }
  for (; threads > 0; --threads) {
    std::size_t best = children.size();
    for (std::size_t c = 0; c < children.size(); ++c) {
      const long slots = static_cast<long>(children[c].slots.size());
      if (slots < (count[c] + 1) * need) {
        continue;
      }
      if (best == children.size() ||
          slots * count[best] > static_cast<long>(children[best].slots.size()) * count[c]) {
        best = c;
      }
    }
    if (best == children.size()) {
      return {};
    }
    ++count[best];
  }
  return count;
}

// There are more children than threads, so each thread gets one or more whole children. Returns
// nothing if a part has fewer than `need` slots.
std::vector<Slots> whole_children(const std::vector<Child>& children, long threads, long need) {
  const long each = static_cast<long>(children.size()) / threads;
  const long more = static_cast<long>(children.size()) % threads;
  std::vector<Slots> parts(threads);
  std::size_t c = 0;
  for (long i = 0; i < threads; ++i) {
    for (long k = 0; k < each + (i < more ? 1 : 0); ++k, ++c) {
      parts[i].insert(parts[i].end(), children[c].slots.begin(), children[c].slots.end());
    }
    if (static_cast<long>(parts[i].size()) < need) {
      return {};
    }
  }
  return parts;
}

void divide(const Machine& machine, int node, SlotSpan set, long threads, long need,
            std::vector<Slots>& parts) {
  const auto append = [&](std::vector<Slots> whole) {
    if (whole.empty()) {
      whole = divide_by_number({set.begin(), set.end()}, static_cast<int>(threads));
    }
    std::ranges::move(whole, std::back_inserter(parts));
  };
  if (threads == 1) {
    parts.emplace_back(set.begin(), set.end());
    return;
  }
  const std::vector<Child> children = children_in(machine, node, set);
  if (threads < static_cast<long>(children.size())) {
    append(whole_children(children, threads, need));
    return;
  }
  const std::vector<long> count = threads_for(children, threads, need);
  if (count.empty()) {
    append({});
  }
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] > 0) {
      divide(machine, children[c].node, children[c].slots, count[c], need, parts);
    }
  }
}

}  // namespace

std::vector<Slots> scatter(const Machine& machine, const Slots& set, int threads, long need) {
  const long count = static_cast<long>(set.size());
  if (threads > count) {
    return divide_by_number(set, threads);
  }
  if (times(threads, need) > count) {
    need = std::max(1L, count / threads);
  }
  std::vector<Slots> parts;
  parts.reserve(threads);
  divide(machine, 0, set, threads, need, parts);
  return parts;
}

}  // namespace nestbind::plan
