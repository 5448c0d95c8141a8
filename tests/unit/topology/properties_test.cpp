// SPDX-License-Identifier: BSD-3-Clause
// Invariants for every machine and mask.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <set>

#include "helpers.hpp"
#include "topology/geometry.hpp"

namespace nestbind::topology::test {
namespace {

constexpr char kReal[] = NESTBIND_SOURCE_DIR "/../shared/machines/real";

std::vector<std::string> sources() {
  std::vector<std::string> all = {"pu:1",
                                  "core:3 pu:4",
                                  "pack:2 numa:2 core:4 pu:1",
                                  "numa:2 pack:2 l3:2 core:3 pu:2",
                                  "[numa] pack:3 [numa] l2:2 core:2 pu:2",
                                  "group:2 group:3 [numa] pack:2 [numa] die:2 l3:1 core:2 pu:2"};
  std::vector<std::string> folders = {NESTBIND_SOURCE_DIR "/tests/machines", kReal};
  if (const char* const more = std::getenv("NESTBIND_TEST_MACHINES")) {
    folders.emplace_back(more);
  }
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(folder)) {
      std::cout << "topology: left out, there is no " << folder << '\n';
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".xml") {
        all.push_back(entry.path());
      }
    }
  }
  return all;
}

Ints some_slots(const Geometry& geometry, std::mt19937& random) {
  constexpr int kMost = 24;
  Ints slots;
  for (int slot = 0; slot < geometry.slots(); ++slot) {
    slots.push_back(slot);
  }
  std::shuffle(slots.begin(), slots.end(), random);
  slots.resize(std::min<std::size_t>(slots.size(), kMost));
  return slots;
}

void check_coordinates(const Geometry& geometry) {
  const Ints sizes = dims(geometry);
  std::vector<int> largest(sizes.size(), 0);
  for (int slot = 0; slot < geometry.slots(); ++slot) {
    const Ints here = coordinates(geometry, slot);
    REQUIRE(geometry.coordinates().slot(here) == slot);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      REQUIRE(here[i] >= 0);
      REQUIRE(here[i] < sizes[i]);
      largest[i] = std::max(largest[i], here[i]);
    }
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    REQUIRE(sizes[i] > 1);
    REQUIRE(largest[i] == sizes[i] - 1);
  }
}

// For random coordinates, slot() must return a slot with these coordinates, or a negative number.
void check_inverse(const Geometry& geometry, std::mt19937& random) {
  for (int round = 0; round < 200; ++round) {
    Ints any;
    for (const int size : dims(geometry)) {
      any.push_back(static_cast<int>(random() % static_cast<unsigned>(size)));
    }
    const int slot = geometry.coordinates().slot(any);
    REQUIRE(slot < geometry.slots());
    REQUIRE((slot < 0 || coordinates(geometry, slot) == any));
  }
}

void check_between(const Geometry& geometry, const machine::Machine& machine, const Ints& slots) {
  for (const int a : slots) {
    for (const int b : slots) {
      REQUIRE(geometry.hops(a, b) == geometry.hops(b, a));
      REQUIRE((geometry.hops(a, b) == 0) == (machine.slots[a].numa == machine.slots[b].numa));
      REQUIRE(geometry.levels(a, b) == geometry.levels(b, a));
      REQUIRE((geometry.levels(a, b) == 0) == (a == b));
      REQUIRE(geometry.distance(a, b) >= 0);
      for (const int c : slots) {
        REQUIRE(geometry.hops(a, c) <= geometry.hops(a, b) + geometry.hops(b, c));
        REQUIRE(geometry.levels(a, c) <= std::max(geometry.levels(a, b), geometry.levels(b, c)));
      }
    }
  }
}

void check_order(const Geometry& geometry, Ints slots) {
  slots.insert(slots.end(), slots.begin(), slots.end());
  const int root = slots.front();
  const Ints order = nearest_first(geometry, root, slots);
  REQUIRE(std::set<int>(order.begin(), order.end()).size() == slots.size());
  REQUIRE(closest(geometry, root, slots) == order.front());
  REQUIRE(slots[order.front()] == root);
  const auto nearness = [&](int place) {
    return std::pair(geometry.distance(root, slots[place]), geometry.levels(root, slots[place]));
  };
  for (std::size_t i = 1; i < order.size(); ++i) {
    REQUIRE(nearness(order[i - 1]) <= nearness(order[i]));
    REQUIRE((nearness(order[i - 1]) < nearness(order[i]) || order[i - 1] < order[i]));
  }
}

TEST_CASE("coordinates and distances are consistent on every machine, with every mask",
          "[topology][properties]") {
  std::mt19937 random(2009);
  int machines = 0;
  for (const std::string& source : sources()) {
    INFO(source);
    const Hardware hardware = machine::hwloc::read_hardware(source);
    for (int round = 0; round < 6; ++round) {
      Mask mask;
      if (round > 0) {
        mask.emplace();
        for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
          if (hardware.is_allowed[p] && (mask->empty() || random() % 6 < unsigned(round))) {
            mask->push_back(hardware.cpus[p]);
          }
        }
      }
      const auto topology = machine::Topology::of(hardware, source, mask);
      const long wanted = 1 + static_cast<long>(random() % (2 * hardware.cpus.size()));
      const machine::Machine machine = topology.slots({wanted, 0, machine::CoreChoice::kAll});
      const Geometry geometry(machine, topology.numa_nodes());
      REQUIRE(geometry.slots() == static_cast<int>(machine.slots.size()));
      const Ints slots = some_slots(geometry, random);
      check_coordinates(geometry);
      check_inverse(geometry, random);
      check_between(geometry, machine, slots);
      check_order(geometry, slots);
    }
    ++machines;
  }
  std::cout << "topology: " << machines << " machines\n";
  CHECK(machines >= 18);
}

}  // namespace
}  // namespace nestbind::topology::test
