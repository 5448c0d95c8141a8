// SPDX-License-Identifier: BSD-3-Clause
#include "machine/layers.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace nestbind::machine {
namespace {

// By Type.
constexpr std::optional<Grain> kGrainOf[] = {
    std::nullopt, std::nullopt, Grain::kPackage, Grain::kDie, Grain::kL1,
    Grain::kL2,   Grain::kL3,   Grain::kL4,      Grain::kL5,  Grain::kCore};

// The layers of one grain, made from the larger objects to the smaller ones.
class Stack {
 public:
  explicit Stack(std::size_t processors) : processors_(processors) {}

  // Puts an object below all that share processors with it.
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
  std::vector<std::vector<int>> sets_;  // the processors of each object
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

}  // namespace

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
  // Memory is not in the tree.
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

}  // namespace nestbind::machine
