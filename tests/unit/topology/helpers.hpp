// SPDX-License-Identifier: BSD-3-Clause
// Short forms for tests of distances between slots.
#pragma once

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/hwloc/read_hwloc.hpp"
#include "machine/machine_topology.hpp"
#include "topology/geometry.hpp"

namespace nestbind::topology::test {

using Ints = std::vector<int>;
using Mask = std::optional<Ints>;
using machine::Hardware;
using machine::Kind;

inline std::string file(const std::string& name) {
  return NESTBIND_SOURCE_DIR "/tests/machines/" + name + ".xml";
}

inline Geometry geometry_of(Hardware hardware, const machine::Choice& choice = {},
                            const Mask& mask = {}) {
  const auto topology = machine::Topology::of(std::move(hardware), "", mask);
  return {topology.slots(choice), topology.numa_nodes()};
}

inline Geometry on(const std::string& source, const machine::Choice& choice = {},
                   const Mask& mask = {}) {
  return geometry_of(machine::hwloc::read_hardware(source), choice, mask);
}

inline Geometry probed_on(const std::string& source) {
  Hardware hardware = machine::hwloc::read_hardware(source);
  REQUIRE(machine::use_probed_distances(hardware));
  return geometry_of(std::move(hardware));
}

inline Ints dims(const Geometry& geometry) {
  Ints sizes;
  for (const Dimension& dimension : geometry.coordinates().dimensions()) {
    sizes.push_back(dimension.size);
  }
  return sizes;
}

inline std::vector<Kind> kinds(const Geometry& geometry) {
  std::vector<Kind> all;
  for (const Dimension& dimension : geometry.coordinates().dimensions()) {
    all.push_back(dimension.kind);
  }
  return all;
}

inline Ints coordinates(const Geometry& geometry, int slot) {
  const auto found = geometry.coordinates().of(slot);
  return {found.begin(), found.end()};
}

inline Ints hops(const Geometry& geometry, int from, const Ints& to) {
  Ints all;
  for (const int slot : to) {
    all.push_back(geometry.hops(from, slot));
  }
  return all;
}

inline Ints levels(const Geometry& geometry, int from, const Ints& to) {
  Ints all;
  for (const int slot : to) {
    all.push_back(geometry.levels(from, slot));
  }
  return all;
}

inline std::vector<double> distances(const Geometry& geometry, int from, const Ints& to) {
  std::vector<double> all;
  for (const int slot : to) {
    all.push_back(geometry.distance(from, slot));
  }
  return all;
}

}  // namespace nestbind::topology::test
