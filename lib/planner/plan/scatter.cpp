// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <limits>
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

// Cuts children of uneven size into groups of consecutive children. Returns the number of children
// of each group, or nothing if no cut gives each group `need` slots. Of the cuts that do, the
// largest difference between a group's slots and an equal share is as small as possible. Of several
// such cuts, the one with the largest first group is used, then with the largest second group, and
// so on. threads < children. A group has few children more than an equal share, so the time is
// about (children)^2.
std::vector<std::size_t> cut_uneven(const std::vector<Child>& children, std::size_t threads,
                                    long need) {
  using Number = long long;  // a long may have 32 bits (docs/site)
  const std::size_t count = children.size();
  std::vector<Number> before(count + 1, 0);  // the slots before each child
  for (std::size_t c = 0; c < count; ++c) {
    before[c + 1] = before[c] + static_cast<Number>(children[c].slots.size());
  }
  const auto slots = [&](std::size_t first, std::size_t end) {
    return before[end] - before[first];
  };
  // The difference from an equal share, multiplied by the number of threads.
  const auto beyond = [&](std::size_t first, std::size_t end) {
    return static_cast<Number>(threads) * slots(first, end) - before[count];
  };
  constexpr Number kNone = std::numeric_limits<Number>::max();
  // largest[g][c]: the largest difference if the children from c on are cut into g groups.
  std::vector<std::vector<Number>> largest(threads + 1, std::vector<Number>(count + 1, kNone));
  largest[0][count] = 0;
  for (std::size_t g = 1; g <= threads; ++g) {
    for (std::size_t c = threads - g; c + g <= count; ++c) {
      Number& least = largest[g][c];
      // A longer group is worse after the first one that is too large.
      for (std::size_t end = c + 1; end + g <= count + 1 && beyond(c, end) < least; ++end) {
        if (slots(c, end) >= need) {
          least = std::min(least, std::max(std::abs(beyond(c, end)), largest[g - 1][end]));
        }
      }
    }
  }
  const Number allowed = largest[threads][0];
  std::vector<std::size_t> groups;
  for (std::size_t c = 0, g = threads; allowed < kNone && g-- > 0;) {
    std::size_t end = count - g;
    while (slots(c, end) < need || std::abs(beyond(c, end)) > allowed ||
           largest[g][end] > allowed) {
      --end;
    }
    groups.push_back(end - c);
    c = end;
  }
  return groups;
}

// There are more children than threads, so each thread gets one or more whole children. Returns
// nothing if a part has fewer than `need` slots.
std::vector<Slots> whole_children(const std::vector<Child>& children, long threads, long need) {
  const long most = static_cast<long>(children.size());
  std::vector<std::size_t> groups;
  if (are_alike(children)) {
    groups.assign(threads, most / threads);
    std::for_each_n(groups.begin(), most % threads, [](std::size_t& group) { ++group; });
  } else {
    groups = cut_uneven(children, threads, need);
  }
  std::vector<Slots> parts;
  std::size_t c = 0;
  for (const std::size_t group : groups) {
    Slots& part = parts.emplace_back();
    for (const std::size_t end = c + group; c < end; ++c) {
      part.insert(part.end(), children[c].slots.begin(), children[c].slots.end());
    }
    if (static_cast<long>(part.size()) < need) {
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
