// SPDX-License-Identifier: BSD-3-Clause
// Tests objects by kind, boards, nested NUMA nodes, and kinds that a machine does not have.
#include <set>

#include "helpers.hpp"

namespace nestbind::machine::test {
namespace {

// Returns the numbers of objects of the kinds l2, l3, numa, package and board.
Ints counts(const std::string& source) {
  const Topology topology = read_topology(source, {});
  Ints all;
  for (Kind kind : {Kind::kL2, Kind::kL3, Kind::kNuma, Kind::kPackage, Kind::kBoard}) {
    all.push_back(topology.count(kind));
  }
  return all;
}

TEST_CASE("the objects of the published machines are counted", "[machine][kinds]") {
  CHECK(counts(file("barcelona.xml")) == Ints{16, 4, 4, 4, 4});
  CHECK(counts(file("tigerton.xml")) == Ints{8, 4, 1, 4, 4});
  CHECK(counts(file("scalemp.xml")) == Ints{52, 26, 13, 26, 13});
  CHECK(counts(file("bielefeld.xml")) == Ints{120, 30, 30, 30, 15});
  CHECK(counts(file("numa16.xml")) == Ints{16, 8, 8, 8, 8});
  CHECK(counts(file("numa32.xml")) == Ints{32, 4, 4, 4, 4});
  CHECK(counts(file("nehalem-sun.xml")) == Ints{8, 2, 2, 2, 2});
}

TEST_CASE("a missing kind has as many objects as the next larger kind", "[machine][kinds]") {
  CHECK(counts("pack:2 numa:2 core:4 pu:1") == Ints{4, 4, 4, 2, 2});
  CHECK(counts("numa:2 pack:3 core:2 pu:1") == Ints{6, 6, 2, 6, 2});
  CHECK(counts("pack:2 l4:2 core:2 pu:1") == Ints{4, 4, 1, 2, 2});
  CHECK(counts("pack:2 die:3 core:2 pu:1") == Ints{6, 6, 1, 2, 2});
  CHECK(counts("core:4 pu:1") == Ints{1, 1, 1, 1, 1});
  CHECK(counts("l3:3 core:2 pu:1") == Ints{3, 3, 1, 1, 1});
  const Machine machine = slots("core:4 pu:1");
  CHECK(kind(machine, Kind::kPackage).slots_in == Ints{4});
  CHECK(kind(machine, Kind::kPackage).object_of == alike(4, 0));
}

TEST_CASE("all cores and processors are counted before some are chosen", "[machine][kinds]") {
  const Topology hybrid = read_topology(file("hybrid.xml"), {});
  CHECK(hybrid.count(Kind::kCore) == 6);
  CHECK(hybrid.count(Kind::kPu) == 8);
  CHECK(hybrid.count(Kind::kL2) == 4);
  const Machine two = hybrid.slots({});
  CHECK(kind(two, Kind::kCore).slots_in == Ints{1, 1});
  CHECK(kind(two, Kind::kL2).slots_in == Ints{1, 1});
  CHECK(kind(two, Kind::kPu).slots_in == Ints{1, 1});
  CHECK(read_topology("pack:2 pu:3", {}).count(Kind::kCore) == 6);
}

TEST_CASE("a board contains several packages", "[machine][kinds]") {
  CHECK(counts("group:2 pack:2 core:2 pu:1")[4] == 2);
  CHECK(counts("l4:2 pack:2 core:2 pu:1")[4] == 2);
  CHECK(counts("group:2 [numa] pack:2 core:2 pu:1")[4] == 2);
  CHECK(counts("numa:4 pack:1 core:2 pu:1")[4] == 4);
  CHECK(counts("pack:2 group:2 core:2 pu:1")[4] == 2);
  // Groups that hwloc itself has made are no boards.
  CHECK(counts(file("grouped.xml")) == Ints{4, 4, 4, 4, 4});
}

TEST_CASE("groups that the firmware reports are boards", "[machine][kinds]") {
  {
    const Edited reported("grouped.xml", {{"kind=\"900\"", "kind=\"10\""}});
    CHECK(counts(reported.path()) == Ints{4, 4, 4, 4, 2});
  }
  // The first group has one package, so it is no board.
  const Edited single("grouped.xml", {{"kind=\"900\"", "kind=\"10\""},
                                      {"type=\"Package\" os_index=\"1\"", "type=\"Group\""}});
  CHECK(kind(slots(single.path()), Kind::kBoard).object_of == Ints{-1, -1, -1, -1, 0, 0, 0, 0});
}

TEST_CASE("the smallest boards count if boards are nested", "[machine][kinds]") {
  const Machine machine = slots("group:2 group:2 pack:2 core:2 pu:1");
  CHECK(kind(machine, Kind::kBoard).slots_in == alike(4, 4));
  CHECK(obstacle_sizes(machine) ==
        std::vector<Ints>{alike(16, 1), alike(8, 2), alike(4, 4), alike(2, 8), {16}});
}

TEST_CASE("the smallest NUMA nodes count, and nodes with the same processors count once",
          "[machine][kinds]") {
  const Machine nested = slots("[numa] pack:2 [numa] core:2 pu:1");
  CHECK(kind(nested, Kind::kNuma).slots_in == Ints{2, 2});
  CHECK(nested.slots[3].numa == 1);
  CHECK(read_topology("[numa] pack:2 [numa] core:2 pu:1", {}).summary() ==
        "2 packages, 2 NUMA nodes, 4 cores, 4 processors");
  const Machine twice = slots("pack:2 [numa] [numa] core:2 pu:1");
  CHECK(kind(twice, Kind::kNuma).object_of == Ints{0, 0, 1, 1});
  CHECK(twice.slots[3].numa_row == 1);
  CHECK(twice.slots[3].numa == 2);  // hwloc's number of the first of the two nodes
  const Machine deep = slots("[numa] pack:2 [numa] l3:2 [numa] core:2 pu:1");
  CHECK(kind(deep, Kind::kNuma).slots_in == alike(4, 2));
}

TEST_CASE("obstacles are sorted, the smallest first", "[machine][kinds]") {
  CHECK(obstacle_sizes(slots(file("tigerton.xml"))) ==
        std::vector<Ints>{alike(16, 1), alike(8, 2), alike(4, 4), {16}});
  CHECK(obstacle_sizes(slots(file("barcelona.xml"))) ==
        std::vector<Ints>{alike(16, 1), alike(4, 4)});
  CHECK(obstacle_sizes(slots(file("scalemp.xml"))) ==
        std::vector<Ints>{alike(104, 1), alike(52, 2), alike(26, 4), alike(13, 8)});
  CHECK(obstacle_sizes(slots("pack:2 numa:2 core:3 pu:1")) ==
        std::vector<Ints>{alike(12, 1), alike(4, 3), alike(2, 6)});
  CHECK(obstacle_sizes(slots("numa:2 pack:2 core:3 pu:1")) ==
        std::vector<Ints>{alike(12, 1), alike(4, 3), alike(2, 6)});
  CHECK(obstacle_sizes(slots(file("nehalem-sun.xml"), {12})) ==
        std::vector<Ints>{{1, 2, 1, 2, 1, 2, 1, 2}, {6, 6}});
}

TEST_CASE("the order of obstacles does not depend on the mask", "[machine][kinds]") {
  const Machine machine = slots("pack:4 l2:2 core:4 pu:1", {}, Ints{0, 8, 9, 10, 11, 12});
  CHECK(obstacle_sizes(machine) == std::vector<Ints>{alike(6, 1), {1, 4, 1}, {1, 5}, {6}});
}

TEST_CASE("the summary has the number of each kind of object", "[machine][kinds]") {
  CHECK(read_topology(file("barcelona.xml"), {}).summary() ==
        "4 packages, 4 NUMA nodes, 16 cores, 16 processors");
  CHECK(read_topology(file("bielefeld.xml"), {}).summary() ==
        "15 boards, 30 packages, 30 NUMA nodes, 120 cores, 120 processors");
  CHECK(read_topology("core:1 pu:1", {}).summary() == "1 NUMA node, 1 core, 1 processor");
}

TEST_CASE("symbolic sizes count only the chosen kind of cores", "[machine][kinds]") {
  const Topology hybrid = read_topology(file("hybrid.xml"), std::nullopt);
  CHECK(hybrid.count(Kind::kCore) == 6);
  CHECK(hybrid.count(Kind::kCore, CoreChoice::kPerformance) == 2);
  CHECK(hybrid.count(Kind::kPu, CoreChoice::kPerformance) == 4);
  CHECK(hybrid.count(Kind::kCore, CoreChoice::kEfficient) == 4);
}

// A kind of cores, as hwloc writes it: the processors, and names with values.
std::string core_kind(const std::string& cpus, const std::string& rank,
                      const std::vector<std::pair<std::string, std::string>>& infos) {
  std::string xml = "<cpukind cpuset=\"" + cpus + "\" forced_efficiency=\"" + rank + "\">";
  for (const auto& [name, value] : infos) {
    xml += "<info name=\"" + name + "\" value=\"" + value + "\"/>";
  }
  return xml + "</cpukind>";
}

// Returns the numbers of fast cores, of slow cores, and of the cores that six threads use.
Ints cores_of(const std::string& machine, const std::string& kinds) {
  const Edited edited(machine, {{"</topology>", kinds + "</topology>"}});
  const Topology topology = read_topology(edited.path(), std::nullopt);
  std::set<int> used;
  for (const Slot& slot : topology.slots({6, 0}).slots) {
    used.insert(slot.core);
  }
  return {topology.count(Kind::kCore, CoreChoice::kPerformance),
          topology.count(Kind::kCore, CoreChoice::kEfficient), static_cast<int>(used.size())};
}

TEST_CASE("favoured cores are of the same kind as others of their design", "[machine][kinds]") {
  const auto mhz = [](const char* value) { return std::pair("FrequencyMaxMHz", value); };
  const auto design = [](const char* value) { return std::pair("CoreType", value); };
  // barcelona has 16 cores. Two of eight fast cores have a higher frequency.
  CHECK(
      cores_of("barcelona.xml", core_kind("0xff00", "0", {design("IntelAtom"), mhz("4300")}) +
                                    core_kind("0x00f3", "1", {design("IntelCore"), mhz("5500")}) +
                                    core_kind("0x000c", "2", {design("IntelCore"), mhz("5800")})) ==
      Ints{8, 8, 8});
  // The reported design counts, also if the slow cores have nearly the frequency of the fast ones.
  CHECK(
      cores_of("barcelona.xml", core_kind("0xff00", "0", {design("IntelAtom"), mhz("4600")}) +
                                    core_kind("0x00f3", "1", {design("IntelCore"), mhz("5400")}) +
                                    core_kind("0x000c", "2", {design("IntelCore"), mhz("5500")})) ==
      Ints{8, 8, 8});
  // Without a reported design, the base frequency tells slow cores from fast ones.
  const auto base = [](const char* value) { return std::pair("FrequencyBaseMHz", value); };
  CHECK(cores_of("barcelona.xml", core_kind("0xff00", "0", {mhz("3900"), base("1400")}) +
                                      core_kind("0x00f3", "1", {mhz("4800"), base("1900")}) +
                                      core_kind("0x000c", "2", {mhz("5000"), base("1900")})) ==
        Ints{8, 8, 8});
  // On a server with two favoured cores all cores are alike.
  CHECK(cores_of("barcelona.xml", core_kind("0xfffc", "0", {mhz("4600")}) +
                                      core_kind("0x0003", "1", {mhz("4800")})) == Ints{16, 16, 16});
}

TEST_CASE("a kind begins a quarter below the fastest core of a kind", "[machine][kinds]") {
  const auto mhz = [](const char* value) { return std::pair("FrequencyMaxMHz", value); };
  const auto kinds = [&](const char* slow, const char* middle, const char* fast) {
    return cores_of("barcelona.xml", core_kind("0xff00", "0", {mhz(slow)}) +
                                         core_kind("0x00f0", "1", {mhz(middle)}) +
                                         core_kind("0x000f", "2", {mhz(fast)}));
  };
  CHECK(kinds("3000", "3500", "4000") == Ints{8, 8, 8});  // 3000 is a quarter below 4000
  CHECK(kinds("3001", "3500", "4000") == Ints{16, 16, 16});
  CHECK(kinds("2900", "2999", "4000") == Ints{4, 12, 6});
  CHECK(kinds("2249", "2999", "4000") == Ints{4, 8, 6});
  // The order of hwloc's ranks does not count if frequencies are known.
  CHECK(kinds("4000", "3500", "2000") == Ints{12, 4, 12});
}

TEST_CASE("the capacity counts, if the system reports it", "[machine][kinds]") {
  const auto kind = [](const char* cpus, const char* rank, const char* capacity, const char* mhz) {
    return core_kind(cpus, rank, {{"LinuxCapacity", capacity}, {"FrequencyMaxMHz", mhz}});
  };
  // Like a GB10: ten fast and ten slow cores, with five values of the capacity. Here 6 and 10.
  CHECK(cores_of("barcelona.xml",
                 kind("0x001f", "0", "718", "2808") + kind("0x03e0", "1", "731", "2808") +
                     kind("0x1c00", "2", "997", "3900") + kind("0x6000", "3", "1017", "3900") +
                     kind("0x8000", "4", "1024", "3900")) == Ints{6, 10, 6});
  // Two designs with one frequency.
  CHECK(cores_of("barcelona.xml", kind("0xff00", "0", "400", "2400") +
                                      kind("0x00ff", "1", "1024", "2400")) == Ints{8, 8, 8});
}

TEST_CASE("hwloc's kinds count if it reports neither frequency nor capacity", "[machine][kinds]") {
  CHECK(cores_of("barcelona.xml", core_kind("0xff00", "0", {}) + core_kind("0x00f0", "1", {}) +
                                      core_kind("0x000f", "2", {})) == Ints{4, 8, 6});
}

}  // namespace
}  // namespace nestbind::machine::test
