// SPDX-License-Identifier: BSD-3-Clause
#include "machine/families.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <vector>

#include "machine/hardware.hpp"
#include "machine/partition.hpp"

namespace nestbind::machine {

namespace {

// The object that contains each processor, or -1.
using Layer = std::vector<int>;

// A board may contain boards, and a NUMA node may contain NUMA nodes. So a grain may have several
// layers. The outermost layer is first.
using Layers = std::vector<Layer>;

constexpr std::optional<Grain> kGrainOf[] = {
    std::nullopt, std::nullopt, Grain::kPackage, Grain::kDie, Grain::kL1,
    Grain::kL2,   Grain::kL3,   Grain::kL4,      Grain::kL5,  Grain::kCore};

// Larger objects must be put before smaller ones.
class Stack {
 public:
  explicit Stack(std::size_t processors) : processors_(processors) {}

  void put(int object, const std::vector<int>& processors) {
    if (processors.empty() || is_known(processors)) {
      return;
    }
    std::size_t depth = 0;
    for (int p : processors) {
      depth = std::max(depth, depth_at(p));
    }
    if (depth == layers_.size()) {
      layers_.emplace_back(processors_, -1);
    }
    for (int p : processors) {
      layers_[depth][p] = object;
    }
    sets_.resize(std::max<std::size_t>(sets_.size(), object + 1));
    sets_[object] = processors;
  }

  Layers take() { return std::move(layers_); }

 private:
  std::size_t depth_at(int processor) const {
    std::size_t depth = layers_.size();
    while (depth > 0 && layers_[depth - 1][processor] < 0) {
      --depth;
    }
    return depth;
  }

  bool is_known(const std::vector<int>& processors) const {
    const std::size_t depth = depth_at(processors.front());
    return depth > 0 && sets_[layers_[depth - 1][processors.front()]] == processors;
  }

  std::size_t processors_;
  Layers layers_;
  std::vector<std::vector<int>> sets_;
};

Layers numa_layers(const Hardware& hardware) {
  const auto& sets = hardware.numa_processors;
  std::vector<int> nodes(sets.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::sort(nodes.begin(), nodes.end(), [&](int a, int b) {
    return sets[a].size() != sets[b].size() ? sets[a].size() > sets[b].size() : a < b;
  });
  Stack stack(hardware.cpus.size());
  for (int node : nodes) {
    stack.put(node, sets[node]);
  }
  return stack.take();
}

std::array<Layers, kGrains> make_layers(const Hardware& hardware) {
  std::vector<Stack> stacks(kGrains, Stack(hardware.cpus.size()));
  for (int i = 0; i < static_cast<int>(hardware.objects.size()); ++i) {
    const Object& object = hardware.objects[i];
    std::vector<int> processors(object.end - object.begin);
    std::iota(processors.begin(), processors.end(), object.begin);
    if (const auto grain = kGrainOf[static_cast<int>(object.type)]) {
      stacks[static_cast<int>(*grain)].put(i, processors);
    }
    if (object.is_board) {
      stacks[static_cast<int>(Grain::kBoard)].put(i, processors);
    }
  }
  std::array<Layers, kGrains> layers;
  for (int g = 0; g < kGrains; ++g) {
    layers[g] = stacks[g].take();
  }
  // NUMA nodes are not in the tree of objects.
  layers[static_cast<int>(Grain::kNuma)] = numa_layers(hardware);
  return layers;
}

Layer smallest_of(const Layers& layers, int processors) {
  Layer smallest(processors, -1);
  for (const Layer& layer : layers) {
    for (int p = 0; p < processors; ++p) {
      smallest[p] = layer[p] >= 0 ? layer[p] : smallest[p];
    }
  }
  return smallest;
}

// A partition without objects counts as the largest.
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
  // If a machine has no packages, users call its NUMA nodes packages.
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
    std::vector<int> nodes;
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
