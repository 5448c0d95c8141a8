// SPDX-License-Identifier: BSD-3-Clause
// Tests numbers that were computed by hand from the machines' descriptions.
#include "helpers.hpp"
#include "topology/geometry.hpp"

namespace nestbind::topology::test {
namespace {

using Numbers = std::vector<double>;

TEST_CASE("four packages on a square of links have the known geometry", "[topology]") {
  const Geometry barcelona = on(file("barcelona-probed"));
  CHECK(barcelona.slots() == 16);
  CHECK(dims(barcelona) == Ints{4, 4});
  CHECK(kinds(barcelona) == std::vector{Kind::kPackage, Kind::kCore});
  CHECK(coordinates(barcelona, 0) == Ints{0, 0});
  CHECK(coordinates(barcelona, 6) == Ints{1, 2});
  CHECK(coordinates(barcelona, 15) == Ints{3, 3});
  CHECK(barcelona.coordinates().slot(Ints{2, 1}) == 9);
  CHECK(hops(barcelona, 0, {0, 3, 4, 8, 12}) == Ints{0, 0, 1, 1, 2});
  CHECK(hops(barcelona, 4, {0, 4, 8, 12}) == Ints{1, 0, 2, 1});
  CHECK(levels(barcelona, 5, {5, 4, 7, 0, 12}) == Ints{0, 1, 1, 2, 2});
  CHECK(barcelona.unit() == Unit::kFirmware);
  CHECK(distances(barcelona, 0, {0, 1, 4, 8, 12}) == Numbers{10, 10, 16, 16, 22});
  CHECK(barcelona.numa_factor(0, 0) == 1);
  CHECK(barcelona.numa_factor(0, 2) == Approx(1.6));
  CHECK(barcelona.numa_factor(3, 0) == Approx(2.2));
}

TEST_CASE("measured distances give the known geometry", "[topology]") {
  const Geometry barcelona = probed_on(file("barcelona-probed"));
  CHECK(barcelona.unit() == Unit::kNanoseconds);
  CHECK(distances(barcelona, 0, {0, 4, 8, 12}) == Numbers{90, 201, 260, 132});
  CHECK(distances(barcelona, 12, {0, 4, 8, 12}) == Numbers{130, 261, 204, 92});
  CHECK(barcelona.numa_factor(3, 0) == Approx(130.0 / 92));
  // Nodes 0 and 3 are a pair, and nodes 1 and 2 are a pair. The links 0-1 and 2-3 join the pairs.
  CHECK(hops(barcelona, 0, {0, 4, 8, 12}) == Ints{0, 2, 3, 1});
  CHECK(hops(barcelona, 4, {0, 4, 8, 12}) == Ints{2, 0, 1, 3});
}

TEST_CASE("nodes have the kernel's numbers, and also logical numbers", "[topology]") {
  Hardware hardware = machine::hwloc::read_hardware("pack:2 [numa(indexes=8,0)] core:2 pu:1");
  CHECK(hardware.numa_numbers == Ints{8, 0});
  hardware.numa_distance = {{10, 40}, {20, 10}};  // by logical indices
  const auto topology = machine::Topology::of(hardware, "", {});
  const machine::Slot first = topology.slots({}).slots.at(0);
  CHECK((first.numa == 8 && first.numa_logical == 0 && first.numa_row == 0));
  CHECK(topology.numa_nodes().numbers == Ints{0, 8});
  CHECK(topology.numa_nodes().logical == Ints{1, 0});
  const Geometry geometry = geometry_of(hardware);
  CHECK(geometry.numa_factor(8, 0) == 4);
  CHECK(geometry.numa_factor(0, 8) == 2);
  CHECK(geometry.numa_factor(0, 1) == -1);
  CHECK(distances(geometry, 0, {1, 2}) == Numbers{10, 40});
}

TEST_CASE("any other node is one hop away if there are no distances", "[topology]") {
  const Geometry plain = on(file("barcelona"));
  CHECK(dims(plain) == Ints{4, 4});
  CHECK(hops(plain, 0, {0, 3, 4, 8, 12}) == Ints{0, 0, 1, 1, 1});
  CHECK(plain.unit() == Unit::kLevels);
  CHECK(distances(plain, 0, {0, 1, 4, 12}) == Numbers{0, 1, 2, 2});
  CHECK(plain.numa_factor(2, 2) == 1);
  CHECK(plain.numa_factor(2, 1) == -1);
  CHECK(plain.numa_factor(4, 4) == -1);

  const Geometry numa16 = on(file("numa16"));
  CHECK(dims(numa16) == Ints{8, 2});
  CHECK(coordinates(numa16, 13) == Ints{6, 1});
  CHECK(hops(numa16, 2, {2, 3, 0, 15}) == Ints{0, 0, 1, 1});
  CHECK(levels(numa16, 2, {2, 3, 0, 15}) == Ints{0, 1, 2, 2});

  const Geometry numa32 = on(file("numa32"));
  CHECK(dims(numa32) == Ints{4, 8});
  CHECK(coordinates(numa32, 21) == Ints{2, 5});
  CHECK(hops(numa32, 31, {24, 23, 0}) == Ints{0, 1, 1});
}

TEST_CASE("boards are a dimension", "[topology]") {
  const Geometry scalemp = on(file("scalemp"));
  CHECK(scalemp.slots() == 104);
  CHECK(dims(scalemp) == Ints{13, 2, 4});
  CHECK(kinds(scalemp) == std::vector{Kind::kBoard, Kind::kPackage, Kind::kCore});
  CHECK(coordinates(scalemp, 103) == Ints{12, 1, 3});
  CHECK(scalemp.coordinates().slot(Ints{5, 1, 0}) == 44);
  // The levels are two cores with an L2, a package, a board, and the machine.
  CHECK(levels(scalemp, 0, {0, 1, 2, 3, 4, 7, 8, 103}) == Ints{0, 1, 2, 2, 3, 3, 4, 4});
  CHECK(hops(scalemp, 0, {7, 8, 103}) == Ints{0, 1, 1});

  const Geometry bielefeld = on(file("bielefeld"));
  CHECK(dims(bielefeld) == Ints{15, 2, 4});
  CHECK(hops(bielefeld, 0, {3, 4, 8}) == Ints{0, 1, 1});  // each package is a node
}

TEST_CASE("a kind is not a dimension if each larger object contains only one object of it",
          "[topology]") {
  CHECK(dims(on(file("tigerton"))) == Ints{4, 4});  // an L2 is not a dimension
  CHECK(dims(on("pack:2 [numa] l3:2 core:3 pu:2")) == Ints{2, 2, 3});
  CHECK(dims(on("pack:2 numa:2 core:4 pu:1")) == Ints{2, 2, 4});
  CHECK(dims(on("[numa] group:2 [numa] pack:1 core:2 pu:1")) == Ints{2, 2});
  CHECK(dims(on("pack:1 core:1 pu:1")).empty());
  CHECK(on("pack:1 core:1 pu:1").coordinates().slot({}) == 0);
  CHECK(dims(on("core:6 pu:1")) == Ints{6});
  const Geometry without_cores = on("pack:2 pu:3");
  CHECK(dims(without_cores) == Ints{2, 3});
  CHECK(kinds(without_cores) == std::vector{Kind::kPackage, Kind::kPu});
}

TEST_CASE("several slots in a core are a dimension", "[topology]") {
  const Geometry nehalem = on(file("nehalem-sun"), {16});
  CHECK(dims(nehalem) == Ints{2, 4, 2});
  CHECK(kinds(nehalem).back() == Kind::kPu);
  CHECK(levels(nehalem, 0, {0, 1, 2, 8}) == Ints{0, 1, 2, 3});
  CHECK(dims(on(file("nehalem-sun"))) == Ints{2, 4});
}

TEST_CASE("a machine with unequal parts has holes", "[topology]") {
  // One core has two hardware threads, two cores have one.
  const Geometry uneven = on(file("nehalem-sun"), {4}, Ints{0, 8, 1, 4});
  CHECK(dims(uneven) == Ints{2, 2, 2});
  CHECK(coordinates(uneven, 1) == Ints{0, 0, 1});
  CHECK(coordinates(uneven, 2) == Ints{0, 1, 0});
  CHECK(uneven.coordinates().slot(Ints{1, 0, 0}) == 3);
  for (const Ints& hole : {Ints{0, 1, 1}, Ints{1, 0, 1}, Ints{1, 1, 0}}) {
    CHECK(uneven.coordinates().slot(hole) == -1);
  }
  CHECK(levels(uneven, 0, {1, 2, 3}) == Ints{1, 2, 3});
  CHECK(levels(uneven, 3, {2}) == Ints{3});

  // The tree is 6[2[1 1] 1 1 2[1 1]], with an L2 for each pair of slow cores.
  const Geometry hybrid = on(file("hybrid"), {6});
  CHECK(dims(hybrid) == Ints{6});
  CHECK(levels(hybrid, 0, {1, 2, 4}) == Ints{1, 2, 2});
  CHECK(levels(hybrid, 2, {3}) == Ints{2});  // if depths differ, the greater depth counts
}

TEST_CASE("a mask leaves holes, and does not change hops", "[topology]") {
  const Geometry some = on(file("barcelona-probed"), {}, Ints{0, 1, 2, 3, 4, 8, 9});
  CHECK(dims(some) == Ints{3, 4});
  CHECK(coordinates(some, 4) == Ints{1, 0});
  CHECK(coordinates(some, 6) == Ints{2, 1});
  CHECK(some.coordinates().slot(Ints{1, 1}) == -1);
  CHECK(some.coordinates().slot(Ints{0, 3}) == 3);
  CHECK(hops(some, 4, {0, 5, 6}) == Ints{1, 2, 2});
  const Geometry corners = on(file("barcelona-probed"), {}, Ints{0, 12});
  CHECK(dims(corners) == Ints{2});
  CHECK(corners.hops(0, 1) == 2);
  CHECK(corners.distance(0, 1) == 22);
  CHECK(corners.numa_factor(0, 3) == Approx(2.2));
}

TEST_CASE("bad coordinates have no slot", "[topology]") {
  const Geometry barcelona = on(file("barcelona"));
  for (const Ints& bad : {Ints{}, Ints{0}, Ints{0, 0, 0}, Ints{-1, 0}, Ints{0, 4}, Ints{4, 0}}) {
    CHECK(barcelona.coordinates().slot(bad) == -1);
  }
}

TEST_CASE("the nearest slots come first, and equally near slots keep their order", "[topology]") {
  const Geometry barcelona = on(file("barcelona-probed"));
  // The nodes' distances are 22, 10, 16, 16, 16 and 10.
  const Ints slots{15, 1, 8, 4, 9, 2, 0};
  CHECK(nearest_first(barcelona, 0, slots) == Ints{6, 1, 5, 2, 3, 4, 0});
  CHECK(closest(barcelona, 0, slots) == 6);
  CHECK(closest(barcelona, 0, Ints{12, 8, 4}) == 1);
  CHECK(closest(barcelona, 0, Ints{}) == -1);
  CHECK(nearest_first(barcelona, 0, Ints{}).empty());
  CHECK(nearest_first(barcelona, 3, Ints{7, 7, 7}) == Ints{0, 1, 2});
  CHECK(nearest_first(probed_on(file("barcelona-probed")), 0, Ints{4, 8, 12}) == Ints{2, 0, 1});
  CHECK(nearest_first(on(file("scalemp")), 2, Ints{8, 4, 0, 3}) == Ints{3, 2, 1, 0});
}

TEST_CASE("distances of the firmware and of measurements are read from a file", "[topology]") {
  using Distances = std::vector<std::vector<unsigned>>;
  machine::Hardware hardware = machine::hwloc::read_hardware(file("barcelona-probed"));
  CHECK(hardware.numa_distance ==
        Distances{{10, 16, 16, 22}, {16, 10, 22, 16}, {16, 22, 10, 16}, {22, 16, 16, 10}});
  CHECK(hardware.probed_distance[2] == std::vector<unsigned>{259, 133, 91, 203});
  const auto summary = [](const machine::Hardware& of) {
    return machine::Topology::of(of, "", {}).summary();
  };
  CHECK(summary(hardware) == "4 packages, 4 NUMA nodes, 16 cores, 16 processors");
  REQUIRE(machine::use_probed_distances(hardware));
  CHECK(summary(hardware) ==
        "4 packages, 4 NUMA nodes, 16 cores, 16 processors, distances: probed");
  const auto topology = machine::Topology::of(hardware, "", {});
  CHECK(topology.slots({}).numa_distance == hardware.probed_distance);
  CHECK(topology.slots({}).numa_distance_in_ns);

  machine::Hardware plain = machine::hwloc::read_hardware(file("grouped"));
  CHECK(plain.probed_distance.empty());
  CHECK_FALSE(machine::use_probed_distances(plain));
  CHECK_FALSE(machine::Topology::of(plain, "", {}).slots({}).numa_distance_in_ns);
  CHECK(plain.numa_distance[0] == std::vector<unsigned>{10, 15, 20, 20});
}

}  // namespace
}  // namespace nestbind::topology::test
