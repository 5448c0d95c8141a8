// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "helpers.hpp"
#include "mapping/placement.hpp"

using namespace mapped;

TEST_CASE("a distance is the number of levels up to the first common object") {
  const Setup setup = tree_of_64();
  for (int a = 0; a < 64; ++a) {
    for (int b = 0; b < 64; ++b) {
      REQUIRE(setup.distances(a, b) == levels_of_64(a, b));
    }
  }
}

TEST_CASE("levels with one child do not count, and hardware threads are one level") {
  const Setup flat("core:4 pu:1", "4,compact");
  CHECK(flat.distances(0, 3) == 1);
  const Setup threads("pack:2 l3:1 core:2 pu:2", "8,compact");
  CHECK(threads.distances(0, 1) == 1);
  CHECK(threads.distances(0, 2) == 2);
  CHECK(threads.distances(0, 4) == 3);
}

TEST_CASE("an uneven machine has the distances of its deeper side") {
  const Setup setup("tigerton", "16,compact");
  CHECK(setup.distances(0, 1) == 1);
  CHECK(setup.distances(0, 2) == 2);
  CHECK(setup.distances(0, 4) == 3);
  CHECK(setup.distances(4, 0) == 3);
}

TEST_CASE("levels are counted in the deepest part of the tree") {
  // In the first L2 and in the second L2, the mask has only one core.
  const plan::Plan plan = planned::plan({"l2:4 core:2 pu:1", "0,2,4-5", 0}, "4,compact");
  const Distances distances(plan.machine());
  CHECK(distances(0, 1) == 2);
  CHECK(distances(1, 2) == 2);
  CHECK(distances(2, 3) == 1);
}

TEST_CASE("the machine's own distances count between NUMA nodes") {
  Setup setup("barcelona", "16,compact");
  machine::Machine machine = setup.plan.machine();
  machine.numa_distance = {{10, 16, 16, 22}, {16, 10, 22, 16}, {16, 22, 10, 16}, {22, 16, 16, 10}};
  const Distances distances(machine);
  CHECK(distances(0, 0) == 0);
  CHECK(distances(0, 3) == 1);
  CHECK(distances(0, 4) == 2);
  CHECK(distances(0, 12) == 2 * 22.0 / 16);
  machine.numa_distance[0][3] = 16;  // both directions get the mean of their distances
  CHECK(Distances(machine)(0, 12) == 2 * 19.0 / 16);
  CHECK(Distances(machine)(12, 0) == 2 * 19.0 / 16);
}
