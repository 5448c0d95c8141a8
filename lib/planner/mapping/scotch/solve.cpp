// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/scotch/solve.hpp"

// scotch.h needs these headers, and does not include them.
#include <scotch.h>
#include <stdint.h>
#include <stdio.h>

#include <algorithm>

namespace nestbind::mapping::scotch {

namespace {

// kInit returns 0 if it succeeds.
template <typename Kind, int (*kInit)(Kind*), void (*kExit)(Kind*)>
class Object {
 public:
  Object() : is_good_(kInit(&object_) == 0) {}
  ~Object() {
    if (is_good_) {
      kExit(&object_);
    }
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  Kind* get() { return &object_; }
  bool is_good() const { return is_good_; }

 private:
  Kind object_{};
  bool is_good_;
};

int init_architecture(SCOTCH_Arch* object) { return SCOTCH_archInit(object); }
void exit_architecture(SCOTCH_Arch* object) { SCOTCH_archExit(object); }
using Architecture = Object<SCOTCH_Arch, init_architecture, exit_architecture>;
using Strategy = Object<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit>;

using Numbers = std::vector<SCOTCH_Num>;

// SCOTCH keeps pointers to the arrays in this class.
class Graph {
 public:
  // load: the load of each node; empty if all loads are equal.
  Graph(const std::vector<Edge>& edges, std::size_t nodes, const std::vector<int>& load)
      : rows_(edges, nodes), load_(load.begin(), load.end()) {
    is_good_ =
        graph_.is_good() &&
        SCOTCH_graphBuild(graph_.get(), 0, static_cast<SCOTCH_Num>(nodes), rows_.begin.data(),
                          nullptr, load_.empty() ? nullptr : load_.data(), nullptr,
                          static_cast<SCOTCH_Num>(2 * edges.size()), rows_.neighbour.data(),
                          rows_.weight.data()) == 0 &&
        SCOTCH_graphCheck(graph_.get()) == 0;
  }
  SCOTCH_Graph* get() { return graph_.get(); }
  bool is_good() const { return is_good_; }

 private:
  Rows<SCOTCH_Num> rows_;
  Numbers load_;
  Object<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit> graph_;
  bool is_good_;
};

long leaves_of(const Target& target) {
  long leaves = 1;
  for (const int children : target.children) {
    leaves *= children;
  }
  return leaves;
}

std::optional<std::vector<int>> map_onto(SCOTCH_Arch* architecture, const Target& target,
                                         const std::vector<int>& position_of) {
  const auto members = static_cast<SCOTCH_Num>(target.leaf.size());
  Graph graph(target.edges, target.leaf.size(), {});
  Strategy strategy;
  Numbers found(target.leaf.size(), 0);
  const bool is_mapped =
      graph.is_good() && strategy.is_good() &&
      SCOTCH_stratGraphMapBuild(strategy.get(), SCOTCH_STRATQUALITY, members, 0.0) == 0 &&
      SCOTCH_graphMap(graph.get(), architecture, strategy.get(), found.data()) == 0;
  if (!is_mapped) {
    return std::nullopt;
  }
  std::vector<int> positions;
  for (const SCOTCH_Num number : found) {
    if (number < 0 || number >= static_cast<SCOTCH_Num>(position_of.size()) ||
        position_of[number] < 0) {
      return std::nullopt;
    }
    positions.push_back(position_of[number]);
  }
  return positions;
}

}  // namespace

std::optional<std::vector<int>> solve(const Target& target) {
  SCOTCH_randomReset();
  const Numbers children(target.children.begin(), target.children.end());
  const Numbers distances(target.distance.begin(), target.distance.end());
  const long leaves = leaves_of(target);
  Architecture tree;
  if (!tree.is_good() || SCOTCH_archTleaf(tree.get(), static_cast<SCOTCH_Num>(children.size()),
                                          children.data(), distances.data()) != 0) {
    return std::nullopt;
  }
  const auto members = static_cast<long>(target.leaf.size());
  if (leaves == members) {
    std::vector<int> position_of_leaf(leaves, -1);
    for (long position = 0; position < members; ++position) {
      position_of_leaf[target.leaf[position]] = static_cast<int>(position);
    }
    return map_onto(tree.get(), target, position_of_leaf);
  }
  const Numbers used(target.leaf.begin(), target.leaf.end());
  Architecture part;
  if (!part.is_good() ||
      SCOTCH_archSub(part.get(), tree.get(), static_cast<SCOTCH_Num>(members), used.data()) != 0) {
    return std::nullopt;
  }
  std::vector<int> same(members);
  for (long position = 0; position < members; ++position) {
    same[position] = static_cast<int>(position);
  }
  return map_onto(part.get(), target, same);
}

std::optional<std::vector<int>> divide(const ObjectGraph& objects) {
  if (auto plain = divide_plainly(objects)) {
    return plain;
  }
  SCOTCH_randomReset();
  Graph graph(objects.edges, objects.load.size(), objects.load);
  Strategy strategy;
  Numbers part(objects.load.size(), 0);
  const bool is_divided =
      graph.is_good() && strategy.is_good() &&
      SCOTCH_graphPart(graph.get(), objects.parts, strategy.get(), part.data()) == 0;
  return is_divided ? std::optional(std::vector<int>(part.begin(), part.end())) : std::nullopt;
}

}  // namespace nestbind::mapping::scotch
