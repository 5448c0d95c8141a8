// SPDX-License-Identifier: BSD-3-Clause
// Compares scatter with its rules in nestbind-spec(7), which are written here a second time, as
// simply as possible: all cuts are tried.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

#include "plan/strategies.hpp"
#include "planned.hpp"

namespace scattered {
namespace {

using namespace nestbind;
using plan::Slots;

using Parts = std::vector<Slots>;

struct Child {
  int node;  // -1 for a slot
  Slots slots;
};

std::vector<Child> children(const machine::Machine& machine, int node, const Slots& set) {
  std::vector<Child> all;
  if (node < 0 || machine.nodes[node].children.empty()) {
    for (const int slot : set) {
      all.push_back({-1, {slot}});
    }
    return all;
  }
  for (const int child : machine.nodes[node].children) {
    Slots inside;
    std::ranges::copy_if(set, std::back_inserter(inside), [&](int slot) {
      return machine.nodes[child].begin <= slot && slot < machine.nodes[child].end;
    });
    if (!inside.empty()) {
      all.push_back({child, inside});
    }
  }
  return all;
}

Parts by_number(const Slots& set, int threads) {
  const int count = static_cast<int>(set.size());
  Parts parts;
  for (int i = 0; i < threads; ++i) {
    const int begin = i * count / threads;
    const int end = threads > count ? begin + 1 : (i + 1) * count / threads;
    parts.emplace_back(set.begin() + begin, set.begin() + end);
  }
  return parts;
}

// Tries all cuts of `left` into groups. best: the parts of the best cut, as in the rules.
struct Cutting {
  int threads;
  int need;
  int slots;
  Parts best;

  int difference(const Parts& parts) const {  // the largest one, times `threads`
    int most = 0;
    for (const Slots& part : parts) {
      most = std::max(most, std::abs(threads * static_cast<int>(part.size()) - slots));
    }
    return most;
  }

  bool is_better(const Parts& parts) const {
    if (best.empty() || difference(parts) != difference(best)) {
      return best.empty() || difference(parts) < difference(best);
    }
    const auto first = std::ranges::mismatch(parts, best, {}, &Slots::size, &Slots::size);
    return first.in1 != parts.end() && first.in1->size() > first.in2->size();
  }

  void try_all(const std::vector<Child>& left, const Parts& parts) {
    const int groups = threads - static_cast<int>(parts.size());
    if (groups == 0) {
      best = left.empty() && is_better(parts) ? parts : best;
      return;
    }
    Slots group;
    for (std::size_t taken = 0; taken + groups <= left.size();) {
      group.insert(group.end(), left[taken].slots.begin(), left[taken].slots.end());
      ++taken;
      if (static_cast<int>(group.size()) >= need) {
        Parts more = parts;
        more.push_back(group);
        try_all({left.begin() + static_cast<std::ptrdiff_t>(taken), left.end()}, more);
      }
    }
  }
};

// The number of threads of each child, or nothing.
std::vector<int> shared_out(const std::vector<Child>& among, int threads, int need) {
  std::vector<int> count(among.size(), 0);
  const auto slots = [&](std::size_t c) { return static_cast<int>(among[c].slots.size()); };
  for (std::size_t c = 0; c < among.size(); ++c) {
    count[c] = c == 0 || slots(c) >= need ? 1 : 0;
    threads -= count[c];
  }
  for (; threads > 0; --threads) {
    int best = -1;
    for (std::size_t c = 0; c < among.size(); ++c) {
      if (slots(c) >= (count[c] + 1) * need &&
          (best < 0 || slots(c) * count[best] > slots(best) * count[c])) {
        best = static_cast<int>(c);
      }
    }
    if (best < 0) {
      return {};
    }
    ++count[best];
  }
  return slots(0) < need ? std::vector<int>() : count;
}

Parts divided(const machine::Machine& machine, int node, const Slots& set, int threads, int need) {
  if (threads == 1) {
    return {set};
  }
  const std::vector<Child> among = children(machine, node, set);
  if (threads < static_cast<int>(among.size())) {
    Cutting cutting{threads, need, static_cast<int>(set.size()), {}};
    cutting.try_all(among, {});
    return cutting.best.empty() ? by_number(set, threads) : cutting.best;
  }
  const std::vector<int> count =
      among[0].node < 0 ? std::vector<int>() : shared_out(among, threads, need);
  if (count.empty()) {
    return by_number(set, threads);
  }
  Parts parts;
  for (std::size_t c = 0; c < among.size(); ++c) {
    if (count[c] > 0) {
      std::ranges::move(divided(machine, among[c].node, among[c].slots, count[c], need),
                        std::back_inserter(parts));
    }
  }
  return parts;
}

Parts as_in_the_rules(const machine::Machine& machine, const Slots& set, int threads, int need) {
  const int slots = static_cast<int>(set.size());
  if (threads > slots) {
    return by_number(set, threads);
  }
  return divided(machine, 0, set, threads,
                 threads * need > slots ? std::max(1, slots / threads) : need);
}

using Random = std::mt19937;

int pick(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

// Adds an object with at most `depth` levels of objects below it. even: whether the objects of a
// level are alike; shape: their numbers of children then.
int add_object(Random& random, machine::Machine& machine, const std::vector<int>& shape,
               std::size_t depth, bool even) {
  const int node = static_cast<int>(machine.nodes.size());
  const int begin = static_cast<int>(machine.slots.size());
  machine.nodes.push_back({begin, begin, {}});
  const int count = even ? shape[depth] : pick(random, 1, shape[depth]);
  for (int child = 0; child < count; ++child) {
    if (depth + 1 == shape.size()) {
      machine.slots.emplace_back();
    } else {
      const int added = add_object(random, machine, shape, depth + 1, even);
      machine.nodes[node].children.push_back(added);
    }
  }
  machine.nodes[node].end = static_cast<int>(machine.slots.size());
  return node;
}

std::vector<std::size_t> sizes(const Parts& parts) {
  std::vector<std::size_t> all;
  std::ranges::transform(parts, std::back_inserter(all), &Slots::size);
  return all;
}

// A machine with objects of the given numbers of slots, and nothing between.
Parts cut(const std::vector<int>& objects, int threads, int need) {
  machine::Machine machine;
  machine.nodes.emplace_back();
  for (const int slots : objects) {
    const int begin = machine.nodes[0].end;
    machine.nodes[0].children.push_back(static_cast<int>(machine.nodes.size()));
    machine.nodes.push_back({begin, begin + slots, {}});
    machine.nodes[0].end += slots;
  }
  machine.slots.resize(machine.nodes[0].end);
  return plan::scatter(machine, plan::root_slot(machine).partition, threads, need);
}

using Sizes = std::vector<std::size_t>;

TEST_CASE("scatter follows its rules on random machines and masks", "[plan]") {
  Random random(4);
  int uneven = 0;
  for (int round = 0; round < 20000; ++round) {
    machine::Machine machine;
    std::vector<int> shape(pick(random, 1, 3));
    std::ranges::generate(shape, [&] { return pick(random, 1, shape.size() == 1 ? 10 : 7); });
    add_object(random, machine, shape, 0, round % 4 == 0);
    Slots set = plan::root_slot(machine).partition;
    if (round % 3 == 0) {
      std::erase_if(set, [&](int slot) { return slot != 0 && pick(random, 0, 3) == 0; });
    }
    const int threads = pick(random, 1, static_cast<int>(set.size()) + 1);
    const int need = pick(random, 1, 4);
    const Parts expected = as_in_the_rules(machine, set, threads, need);
    REQUIRE(plan::scatter(machine, set, threads, need) == expected);
    uneven += sizes(expected) == sizes(by_number(set, threads)) ? 0 : 1;
  }
  CHECK(uneven > 2000);
}

TEST_CASE("children of uneven size are cut evenly", "[plan]") {
  CHECK(sizes(cut({3, 3, 6, 6, 3, 3}, 4, 1)) == Sizes{6, 6, 6, 6});
  CHECK(sizes(cut({3, 3, 6, 6, 3, 3}, 2, 1)) == Sizes{12, 12});
  CHECK(sizes(cut({1, 1, 1, 6}, 2, 1)) == Sizes{3, 6});
  CHECK(sizes(cut({1, 2, 1, 2, 1}, 2, 1)) == Sizes{4, 3});  // as good as 3 and 4
  CHECK(sizes(cut({4, 1, 1, 1}, 3, 1)) == Sizes{4, 2, 1});
  CHECK(sizes(cut({1, 3, 1, 1}, 3, 2)) == Sizes{2, 2, 2});  // no cut holds the need: by number
  CHECK(sizes(cut({2, 2, 2, 2, 2}, 3, 1)) == Sizes{4, 4, 2});
}

TEST_CASE("a large uneven machine is cut in a moment", "[plan]") {
  std::vector<int> objects;
  for (int i = 0; i < 1000; ++i) {
    objects.push_back(1 + i % 3);
  }
  CHECK(cut(objects, 333, 1).size() == 333);
  CHECK(cut(objects, 999, 1).size() == 999);
}

}  // namespace
}  // namespace scattered
