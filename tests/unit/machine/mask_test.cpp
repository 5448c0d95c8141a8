// SPDX-License-Identifier: BSD-3-Clause
#include "helpers.hpp"

namespace nestbind::machine::test {
namespace {

const Ints kMask12 = [] {
  Ints mask = up_to(8);
  mask.push_back(12);
  return mask;
}();

TEST_CASE("a mask on barcelona leaves the slots of its processors", "[machine][mask]") {
  const std::string barcelona = file("barcelona.xml");
  CHECK(slot_text(barcelona, {}, up_to(4)) == "0 1 2 3 4");
  CHECK(tree_text(slots(barcelona, {}, up_to(4))) == "5[4[1 1 1 1] 1]");
  CHECK(slots(barcelona, {}, up_to(4)).topmost.slots_in == Ints{4, 1});
  CHECK(slots(barcelona, {}, up_to(12)).topmost.slots_in == Ints{4, 4, 4, 1});
  const Machine machine = slots(barcelona, {}, kMask12);
  CHECK(text(machine.slots) == "0 1 2 3 4 5 6 7 8 12");
  CHECK(kind(machine, Kind::kNuma).slots_in == Ints{4, 4, 1, 1});
  CHECK(kind(machine, Kind::kNuma).object_of == Ints{0, 0, 0, 0, 1, 1, 1, 1, 2, 3});
  CHECK(tree_text(machine) == "10[4[1 1 1 1] 4[1 1 1 1] 1 1]");
}

TEST_CASE("objects in a mask are counted anew, and keep their numbers", "[machine][mask]") {
  const Topology topology = read_topology(file("barcelona.xml"), Ints{13, 5});
  CHECK(topology.summary() == "2 packages, 2 NUMA nodes, 2 cores, 2 processors");
  CHECK(topology.count(Kind::kPackage) == 2);
  CHECK(topology.count(Kind::kL3) == 2);
  CHECK(topology.count(Kind::kPu) == 2);
  CHECK(topology.cpu_limit() == 16);
  const Machine machine = topology.slots({});
  CHECK(text(machine.slots) == "5 13");
  CHECK(machine.slots[1].core == 13);
  CHECK(machine.slots[1].l2 == 13);
  CHECK(machine.slots[1].package == 3);
  CHECK(machine.slots[1].numa == 3);
  CHECK(machine.slots[1].numa_row == 1);
}

TEST_CASE("a mask never changes the order of slots", "[machine][mask]") {
  CHECK(slot_text(file("nehalem-hp.xml"), {}, Ints{15, 14, 1, 0, 9}) == "0 14 {1,9} 15");
  const std::string crossed = "pack:2 core:2 pu:1(indexes=3,1,2,0)";
  CHECK(slot_text(crossed) == "0 2 1 3");
  CHECK(slot_text(crossed, {}, Ints{1, 2, 3}) == "2 1 3");
}

TEST_CASE("numbers of missing processors have no effect", "[machine][mask]") {
  CHECK(slot_text("core:2 pu:1", {}, Ints{-1, 1, 1, 7, 1 << 30}) == "1");
}

TEST_CASE("boards in a mask are boards of the whole machine", "[machine][mask]") {
  Ints mask = {0, 1};
  for (int cpu = 8; cpu < 16; ++cpu) {
    mask.push_back(cpu);
  }
  const Topology topology = read_topology(file("scalemp.xml"), mask);
  CHECK(topology.count(Kind::kBoard) == 2);
  CHECK(topology.count(Kind::kPackage) == 3);
  CHECK(kind(topology.slots({}), Kind::kBoard).slots_in == Ints{2, 8});
  CHECK(topology.slots({}).topmost.slots_in == Ints{2, 8});
  CHECK(read_topology(file("scalemp.xml"), Ints{0}).count(Kind::kBoard) == 1);
}

TEST_CASE("processors that the topology does not allow are not used", "[machine][mask]") {
  const Edited barcelona("barcelona.xml",
                         {{"allowed_cpuset=\"0x0000ffff\"", "allowed_cpuset=\"0x0000f1fe\""}});
  CHECK(slot_text(barcelona.path()) == "1 2 3 4 5 6 7 8 12 13 14 15");
  CHECK(slot_text(barcelona.path(), {}, up_to(4)) == "1 2 3 4");
  CHECK_THROWS_AS(read_topology(barcelona.path(), Ints{0}), Unreadable);
}

TEST_CASE("objects in a cgroup keep the machine's numbers", "[machine][mask]") {
  const Edited barcelona("barcelona.xml",
                         {{"allowed_cpuset=\"0x0000ffff\"", "allowed_cpuset=\"0x0000f100\""}});
  const Machine machine = read_topology(barcelona.path(), {}).slots({});
  CHECK(text(machine.slots) == "8 12 13 14 15");
  CHECK(machine.slots[0].core == 8);
  CHECK(machine.slots[1].package == 3);
  CHECK(machine.slots[1].numa == 3);
}

TEST_CASE("boards in a cgroup are boards of the whole machine", "[machine][mask]") {
  const Edited scalemp("scalemp.xml",
                       {{"allowed_cpuset=\"0x000000ff,0xffffffff,0xffffffff,0xffffffff\"",
                         "allowed_cpuset=\"0x00000f03\""}});
  const Topology topology = read_topology(scalemp.path(), {});
  CHECK(topology.count(Kind::kPackage) == 2);
  CHECK(kind(topology.slots({}), Kind::kBoard).slots_in == Ints{2, 4});
  CHECK(topology.summary() == "2 boards, 2 packages, 2 NUMA nodes, 6 cores, 6 processors");
}

}  // namespace
}  // namespace nestbind::machine::test
