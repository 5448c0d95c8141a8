// SPDX-License-Identifier: BSD-3-Clause
#include "balance/across/ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "balance/across/grow.hpp"
#include "balance/assign.hpp"

namespace nestbind::balance::across {

namespace {

// The slots of all ranks as one machine. A rank whose threads compute together has as many slots as
// its threads, divided by the greatest common divisor: one, if the ranks are alike.
struct Slots {
  Grow<int> first;  // of each rank
  Grow<int> node;
  Grow<int> rank;
  Grow<int> numa;  // the different NUMA nodes
  Grow<double> factor;
  double unit = 1;  // the threads of a slot

  bool make(const Ranks& ranks) {
    int common = 0;
    for (int i = 0; i < ranks.count; ++i) {
      common = std::gcd(common, ranks.slots[i] > 0 ? 1 : ranks.threads[i]);
    }
    unit = std::max(common, 1);
    first.push(0);
    for (int i = 0; i < ranks.count; ++i) {
      const int slots = ranks.slots[i] > 0 ? ranks.slots[i] : ranks.threads[i] / common;
      const int known = ranks.first_numa[i + 1] - ranks.first_numa[i];
      for (int slot = 0; slot < slots; ++slot) {
        const int numa_node =
            known == 0 ? 0 : ranks.numa[ranks.first_numa[i] + std::min(slot, known - 1)];
        node.push(index_of(numa_node));
        rank.push(i);
      }
      first.push(node.count());
    }
    const std::size_t nodes = numa.size();
    if (!factor.fill(nodes * nodes, 1) || first.has_failed || node.has_failed || rank.has_failed) {
      return false;
    }
    for (std::size_t i = 0; ranks.factor != nullptr && i < nodes * nodes; ++i) {
      const double known = ranks.factor(numa[i / nodes], numa[i % nodes]);
      factor[i] = known > 0 ? known : 1;
    }
    return true;
  }
  int index_of(int numa_node) {
    const int* const found = std::find(numa.begin(), numa.end(), numa_node);
    const int index = static_cast<int>(found - numa.begin());
    if (found == numa.end()) {
      numa.push(numa_node);
    }
    return index;
  }
};

}  // namespace

double assign_to_ranks(const Ranks& ranks, const Objects& objects, double alpha, double tolerance,
                       int* rank, int* slot) {
  Slots slots;
  Grow<int> place;
  Grow<double> load;
  Grow<double> memory;
  const auto count = index(objects.count);
  if (!slots.make(ranks) || !place.resize(count) || !load.fill(slots.node.size(), 0)) {
    return -1;
  }
  const Machine machine{slots.node.count(), slots.numa.count(), slots.node.data(),
                        slots.factor.data()};
  const auto put = [&](std::size_t i, int at) {
    place[i] = at;
    load[index(at)] += objects.load[i];
  };
  for (std::size_t i = 0; i < count; ++i) {
    const int slots_of =
        rank[i] < 0 ? 0 : slots.first[index(rank[i] + 1)] - slots.first[index(rank[i])];
    place[i] = -1;
    if (slots_of == 1 || (slots_of > 1 && slot[i] >= 0 && slot[i] < slots_of)) {
      put(i, slots.first[index(rank[i])] + (slots_of == 1 ? 0 : slot[i]));
    }
  }
  // The others begin on the slot with the least load, if their rank is known on its slots.
  for (std::size_t i = 0; i < count; ++i) {
    if (place[i] < 0) {
      const double* const begin = load.data() + (rank[i] < 0 ? 0 : slots.first[index(rank[i])]);
      const double* const end =
          load.data() + (rank[i] < 0 ? machine.slots : slots.first[index(rank[i] + 1)]);
      put(i, static_cast<int>(std::min_element(begin, end) - load.data()));
    }
  }
  if (objects.count > 0 && has_load(objects)) {
    if (!memory.resize(work_bytes(objects.count, machine) / sizeof(double) + 1)) {
      return -1;
    }
    Rules rules;
    rules.alpha = alpha;
    rules.tolerance = tolerance;
    const bool is_far = machine.nodes > 1;
    assign(is_far ? Algorithm::kNuma : Algorithm::kRefine, objects, machine, rules,
           work_in(memory.data(), objects.count, machine), place.data());
  }
  std::fill(load.begin(), load.end(), 0.0);
  Grow<double> of_rank;
  of_rank.fill(index(ranks.count), 0);
  double slowest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int at = place[i];
    const int to = slots.rank[index(at)];
    rank[i] = to;
    slot[i] = ranks.slots[to] > 0 ? at - slots.first[index(to)] : 0;
    load[index(at)] += objects.load[i];
    of_rank[index(to)] += objects.load[i];
  }
  for (int at = 0; at < machine.slots; ++at) {
    const int of = slots.rank[index(at)];
    slowest = std::max(
        slowest, ranks.slots[of] > 0 ? load[index(at)] : of_rank[index(of)] / ranks.threads[of]);
  }
  return slowest;
}

}  // namespace nestbind::balance::across
