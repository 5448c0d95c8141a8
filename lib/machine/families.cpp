// SPDX-License-Identifier: BSD-3-Clause
#include "machine/families.hpp"

#include <algorithm>
#include <numeric>

#include "machine/partition.hpp"

namespace nestbind::machine {
namespace {

// Whether the objects of `a` are smaller on the average than those of `b`; what is missing is
// larger than all.
bool is_smaller(const Partition& a, const Partition& b) {
  const auto covered = [](const Partition& p) {
    return std::accumulate(p.slots_in.begin(), p.slots_in.end(), 0L);
  };
  if (a.slots_in.empty() || b.slots_in.empty()) {
    return !a.slots_in.empty();
  }
  return covered(a) * static_cast<long>(b.slots_in.size()) <
         covered(b) * static_cast<long>(a.slots_in.size());
}

// Indices of the partitions, those with the smallest objects first, and in order where equal.
template <typename Partitions>
std::vector<int> smallest_first(const Partitions& partitions) {
  std::vector<int> order(partitions.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return is_smaller(partitions[a], partitions[b]) ||
           (!is_smaller(partitions[b], partitions[a]) && a < b);
  });
  return order;
}

}  // namespace

std::optional<Grain> Families::grain_of(Kind kind) const {
  static constexpr Grain kNominal[kKinds] = {Grain::kCore, Grain::kCore, Grain::kL2,
                                             Grain::kL3,   Grain::kNuma, Grain::kPackage,
                                             Grain::kBoard};
  const Grain nominal = kNominal[static_cast<int>(kind)];
  if (has(nominal)) {
    return nominal;
  }
  // Where packages are missing, nodes are what a user would take for them.
  const auto is_larger = [&](Grain grain) {
    return grain > nominal || (nominal == Grain::kPackage && grain == Grain::kNuma);
  };
  for (Grain grain : order) {
    if (has(grain) && is_larger(grain)) {
      return grain;
    }
  }
  if (kind == Kind::kBoard && has(Grain::kPackage)) {
    return Grain::kPackage;
  }
  return std::nullopt;
}

Families make_families(const Hardware& whole) {
  const std::array<Layers, kGrains> layers = make_layers(whole);
  const int processors = static_cast<int>(whole.cpus.size());
  std::vector<int> allowed(processors);
  std::iota(allowed.begin(), allowed.end(), 0);
  std::erase_if(allowed, [&](int p) { return !whole.is_allowed[p]; });

  Families families;
  std::array<Partition, kGrains> of_whole;
  std::vector<Partition> layers_of_whole;
  for (int g = 0; g < kGrains; ++g) {
    of_whole[g] = make_partition(smallest_of(layers[g], processors));
    families.of[g] = make_partition(of_whole[g], allowed);
    for (const Layer& layer : layers[g]) {
      layers_of_whole.push_back(make_partition(layer));
    }
  }
  const std::vector<int> order = smallest_first(of_whole);
  std::transform(order.begin(), order.end(), families.order.begin(),
                 [](int grain) { return static_cast<Grain>(grain); });
  for (int layer : smallest_first(layers_of_whole)) {
    families.layers.push_back(make_partition(layers_of_whole[layer], allowed));
  }

  if (!whole.numa_distance.empty()) {
    const Layer node_of = smallest_of(layers[static_cast<int>(Grain::kNuma)], processors);
    std::vector<int> nodes;  // of each object of Grain::kNuma
    make_partition(Partition{node_of, {}}, allowed, &nodes);
    for (int from : nodes) {
      auto& row = families.numa_distance.emplace_back();
      for (int to : nodes) {
        row.push_back(whole.numa_distance[from][to]);
      }
    }
  }
  return families;
}

}  // namespace nestbind::machine
