// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/scotch/solve.hpp"

// What scotch.h needs, and does not include.
#include <scotch.h>
#include <stdint.h>
#include <stdio.h>

#include <algorithm>

#include "support/library_object.hpp"

namespace nestbind::mapping::scotch {

namespace {

using Graph = support::LibraryObject<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit>;
using Strategy = support::LibraryObject<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit>;

int init_architecture(SCOTCH_Arch* object) { return SCOTCH_archInit(object); }
void exit_architecture(SCOTCH_Arch* object) { SCOTCH_archExit(object); }
using Architecture = support::LibraryObject<SCOTCH_Arch, init_architecture, exit_architecture>;

using Numbers = std::vector<SCOTCH_Num>;

// The graph's arrays, each edge from both ends, as SCOTCH keeps pointers to them.
struct Arrays {
  Numbers begin;
  Numbers neighbour;
  Numbers weight;
};

Arrays arrays_of(const Target& target) {
  const std::size_t members = target.leaf.size();
  Arrays arrays;
  arrays.begin.assign(members + 1, 0);
  for (const Edge& edge : target.edges) {
    ++arrays.begin[edge.a + 1];
    ++arrays.begin[edge.b + 1];
  }
  for (std::size_t i = 0; i < members; ++i) {
    arrays.begin[i + 1] += arrays.begin[i];
  }
  Numbers next(arrays.begin.begin(), arrays.begin.end() - 1);
  arrays.neighbour.resize(2 * target.edges.size());
  arrays.weight.resize(2 * target.edges.size());
  for (const Edge& edge : target.edges) {
    for (const auto& [from, to] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)}) {
      arrays.weight[next[from]] = edge.weight;
      arrays.neighbour[next[from]++] = to;
    }
  }
  return arrays;
}

long leaves_of(const Target& target) {
  long leaves = 1;
  for (const int children : target.children) {
    leaves *= children;
  }
  return leaves;
}

// Maps onto the architecture, where a member gets the number that `seat_of` makes a seat.
std::optional<std::vector<int>> map_onto(SCOTCH_Arch* architecture, const Target& target,
                                         const std::vector<int>& seat_of) {
  const auto members = static_cast<SCOTCH_Num>(target.leaf.size());
  const Arrays arrays = arrays_of(target);
  Graph graph;
  Strategy strategy;
  Numbers found(target.leaf.size(), 0);
  const bool is_mapped =
      graph.is_good() && strategy.is_good() &&
      SCOTCH_graphBuild(graph.get(), 0, members, arrays.begin.data(), nullptr, nullptr, nullptr,
                        static_cast<SCOTCH_Num>(arrays.neighbour.size()), arrays.neighbour.data(),
                        arrays.weight.data()) == 0 &&
      SCOTCH_graphCheck(graph.get()) == 0 &&
      SCOTCH_stratGraphMapBuild(strategy.get(), SCOTCH_STRATQUALITY, members, 0.0) == 0 &&
      SCOTCH_graphMap(graph.get(), architecture, strategy.get(), found.data()) == 0;
  if (!is_mapped) {
    return std::nullopt;
  }
  std::vector<int> seats;
  for (const SCOTCH_Num number : found) {
    if (number < 0 || number >= static_cast<SCOTCH_Num>(seat_of.size()) || seat_of[number] < 0) {
      return std::nullopt;
    }
    seats.push_back(seat_of[number]);
  }
  return seats;
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
    std::vector<int> seat_of_leaf(leaves, -1);
    for (long seat = 0; seat < members; ++seat) {
      seat_of_leaf[target.leaf[seat]] = static_cast<int>(seat);
    }
    return map_onto(tree.get(), target, seat_of_leaf);
  }
  // Of a tree with free leaves the others, which SCOTCH numbers as they are given.
  const Numbers used(target.leaf.begin(), target.leaf.end());
  Architecture part;
  if (!part.is_good() ||
      SCOTCH_archSub(part.get(), tree.get(), static_cast<SCOTCH_Num>(members), used.data()) != 0) {
    return std::nullopt;
  }
  std::vector<int> same(members);
  for (long seat = 0; seat < members; ++seat) {
    same[seat] = static_cast<int>(seat);
  }
  return map_onto(part.get(), target, same);
}

}  // namespace nestbind::mapping::scotch
