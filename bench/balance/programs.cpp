// SPDX-License-Identifier: BSD-3-Clause
#include "programs.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <set>
#include <utility>

namespace nestbind::simulation {

namespace {

using Random = std::mt19937_64;
using Links = std::set<std::pair<int, int>>;

// The distributions of the standard library differ between implementations.
double unit(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

void link(Links& links, int a, int b) {
  if (a != b) {
    links.insert({a, b});
    links.insert({b, a});
  }
}

Objects with_links(std::vector<double> load, const Links& links) {
  Objects objects;
  objects.load = std::move(load);
  objects.first.assign(objects.load.size() + 1, 0);
  for (const auto& [from, to] : links) {  // ascending in `from`
    ++objects.first[static_cast<std::size_t>(from) + 1];
    objects.other.push_back(to);
  }
  for (std::size_t i = 1; i < objects.first.size(); ++i) {
    objects.first[i] += objects.first[i - 1];
  }
  return objects;
}

}  // namespace

balance::Objects Objects::view() const {
  balance::Objects objects;
  objects.count = static_cast<int>(load.size());
  objects.load = load.data();
  objects.first = first.data();
  objects.other = other.data();
  return objects;
}

std::vector<int> Objects::begin(int slots) const {
  std::vector<int> place;
  place.reserve(load.size());
  for (std::size_t i = 0; i < load.size(); ++i) {
    place.push_back(static_cast<int>(i * static_cast<std::size_t>(slots) / load.size()));
  }
  return place;
}

Objects lb_test(std::uint64_t seed) {
  constexpr int kObjects = 200;
  constexpr double kLeast = 0.05;
  constexpr double kMore = 0.15;
  constexpr double kLinks = 0.01;
  Random random(seed);
  std::vector<double> load;
  Links links;
  for (int i = 0; i < kObjects; ++i) {
    const double u = unit(random);
    load.push_back(kLeast + kMore * u * u * u * u);
    link(links, i, (i + 1) % kObjects);
  }
  for (int a = 0; a < kObjects; ++a) {
    for (int b = a + 1; b < kObjects; ++b) {
      if (unit(random) < kLinks) {
        link(links, a, b);
      }
    }
  }
  return with_links(std::move(load), links);
}

Objects jacobi2d() {
  constexpr int kSide = 10;
  std::vector<double> load;
  Links links;
  for (int i = 0; i < kSide * kSide; ++i) {
    const int row = i / kSide;
    load.push_back(1.0 + row);
    link(links, i, i % kSide + 1 < kSide ? i + 1 : i);
    link(links, i, i + kSide < kSide * kSide ? i + kSide : i);
  }
  return with_links(std::move(load), links);
}

Objects k_neighbor(std::uint64_t seed, double noise) {
  constexpr int kObjects = 200;
  constexpr int kAway = 4;
  Random random(seed);
  std::vector<double> load;
  Links links;
  for (int i = 0; i < kObjects; ++i) {
    load.push_back(1 + noise * unit(random));
    for (int away = 1; away <= kAway; ++away) {
      link(links, i, (i + away) % kObjects);
    }
  }
  return with_links(std::move(load), links);
}

balance::Machine Machine::view() const {
  return {static_cast<int>(node.size()), nodes, node.data(), factor.data()};
}

Machine machine(int nodes, int slots_each, double factor) {
  Machine machine;
  machine.nodes = nodes;
  for (int slot = 0; slot < nodes * slots_each; ++slot) {
    machine.node.push_back(slot / slots_each);
  }
  for (int pair = 0; pair < nodes * nodes; ++pair) {
    machine.factor.push_back(pair / nodes == pair % nodes ? 1 : factor);
  }
  return machine;
}

Machine numa16() { return machine(8, 2, 1.3); }
Machine numa32() { return machine(4, 8, 2.0); }

}  // namespace nestbind::simulation
