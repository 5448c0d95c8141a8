// SPDX-License-Identifier: BSD-3-Clause
// Tests the tree above the slots, its topmost branching objects, and distances.
#include "helpers.hpp"

namespace nestbind::machine::test {
namespace {

TEST_CASE("the tree contains the objects that branch", "[machine][tree]") {
  const std::string package = "4[1 1 1 1]";
  CHECK(tree_text(slots(file("barcelona.xml"))) ==
        "16[" + package + " " + package + " " + package + " " + package + "]");
  const std::string l2s = "4[2[1 1] 2[1 1]]";
  CHECK(tree_text(slots(file("tigerton.xml"))) ==
        "16[" + l2s + " " + l2s + " " + l2s + " " + l2s + "]");
  CHECK(tree_text(slots("pack:2 numa:2 core:2 pu:1")) == "8[4[2[1 1] 2[1 1]] 4[2[1 1] 2[1 1]]]");
  CHECK(tree_text(slots("pack:1 core:1 pu:1")) == "1");
  CHECK(tree_text(slots("pack:1 core:1 pu:4", {4})) == "4");  // a core's children are its slots
  CHECK(tree_text(slots("core:2 pu:2", {3})) == "3[1 2]");
  CHECK(tree_text(slots(file("hybrid.xml"))) == "2[1 1]");
  CHECK(tree_text(slots(file("hybrid.xml"), {6})) == "6[2[1 1] 1 1 2[1 1]]");
}

TEST_CASE("the topmost branching level is the first level with several objects",
          "[machine][tree]") {
  CHECK(slots(file("barcelona.xml")).topmost.slots_in == alike(4, 4));
  CHECK(slots(file("scalemp.xml")).topmost.slots_in == alike(13, 8));
  CHECK(slots(file("bielefeld.xml")).topmost.slots_in == alike(15, 8));
  CHECK(slots("pack:1 l3:2 core:2 pu:1").topmost.slots_in == alike(2, 2));
  CHECK(slots("pack:1 die:2 core:2 pu:1").topmost.slots_in == alike(2, 2));
  CHECK(slots("pack:2 numa:2 core:4 pu:1").topmost.slots_in == alike(2, 8));
  CHECK(slots(file("grouped.xml")).topmost.slots_in == alike(2, 4));
  CHECK(slots("core:2 pu:2", {4}).topmost.object_of == alike(4, -1));
}

TEST_CASE("neither a core nor an L2 cache is a topmost branching object", "[machine][tree]") {
  for (const char* source : {"core:4 pu:1", "pack:1 l2:2 core:2 pu:1", "l3:1 l1:2 pu:2", "pu:4"}) {
    INFO(source);
    const Machine machine = slots(source);
    CHECK(machine.topmost.slots_in.empty());
    CHECK(machine.topmost.object_of == alike(4, -1));
  }
  CHECK(slots(file("barcelona.xml"), {}, up_to(3)).topmost.object_of == alike(4, -1));
}

TEST_CASE("distances are known if the machine reports them", "[machine][tree]") {
  CHECK(slots(file("barcelona.xml")).numa_distance.empty());
  using Matrix = std::vector<std::vector<unsigned>>;
  CHECK(slots(file("grouped.xml")).numa_distance ==
        Matrix{{10, 15, 20, 20}, {15, 10, 20, 20}, {20, 20, 10, 15}, {20, 20, 15, 10}});
  // Unused nodes have no row in the matrix.
  const Machine machine = slots(file("grouped.xml"), {}, Ints{2, 4, 6});
  CHECK(machine.slots[0].numa_row == 0);
  CHECK(machine.slots[0].numa == 1);
  CHECK(machine.numa_distance == Matrix{{10, 20, 20}, {20, 10, 15}, {20, 15, 10}});
}

}  // namespace
}  // namespace nestbind::machine::test
