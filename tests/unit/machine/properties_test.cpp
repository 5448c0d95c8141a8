// SPDX-License-Identifier: BSD-3-Clause
// Invariants for every machine, mask and choice of cores.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <random>
#include <set>

#include "helpers.hpp"

namespace nestbind::machine::test {
namespace {

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> sources() {
  std::vector<std::string> all = files_in(NESTBIND_SOURCE_DIR "/tests/machines");
  if (std::filesystem::is_directory(real_folder())) {
    const auto real = files_in(real_folder());
    all.insert(all.end(), real.begin(), real.end());
  } else {
    std::cout << "machine: real machines left out, there is no " << real_folder() << '\n';
  }
  for (const char* synthetic :
       {"pu:1", "core:3 pu:4", "pack:2 pu:3", "pack:2 numa:2 core:4 pu:1",
        "numa:2 pack:2 l3:2 core:3 pu:2", "[numa] pack:3 [numa] l2:2 core:2 pu:2",
        "group:2 group:3 [numa] pack:2 [numa] die:2 l3:1 l2:2 core:2 pu:1",
        "pack:2 core:3 pu:2(indexes=2*6:1*2)"}) {
    all.emplace_back(synthetic);
  }
  return all;
}

void check_partition(const Partition& partition, std::size_t slots) {
  REQUIRE(partition.object_of.size() == slots);
  Ints counted(partition.slots_in.size(), 0);
  int next = 0;
  for (int object : partition.object_of) {
    REQUIRE(object >= -1);
    REQUIRE(object <= next);
    next += object == next ? 1 : 0;
    if (object >= 0) {
      ++counted.at(object);
    }
  }
  REQUIRE(counted == partition.slots_in);
}

void check_tree(const Machine& machine, int index) {
  const Node& node = machine.nodes.at(index);
  REQUIRE(node.begin < node.end);
  REQUIRE(node.children.size() != 1);
  int next = node.begin;
  for (int child : node.children) {
    REQUIRE(machine.nodes.at(child).begin == next);
    check_tree(machine, child);
    next = machine.nodes[child].end;
  }
  if (node.children.empty()) {  // a core
    for (int slot = node.begin; slot < node.end; ++slot) {
      REQUIRE(machine.slots[slot].core == machine.slots[node.begin].core);
    }
  } else {
    REQUIRE(next == node.end);
  }
}

void check_machine(const Topology& topology, const Machine& machine, const Mask& mask) {
  const std::size_t count = machine.slots.size();
  REQUIRE(count > 0);
  std::set<int> cpus;
  std::set<int> cores;
  for (const Slot& slot : machine.slots) {
    REQUIRE_FALSE(slot.cpus.empty());
    for (int cpu : slot.cpus) {
      REQUIRE(cpus.insert(cpu).second);
      REQUIRE(cpu < topology.cpu_limit());
      REQUIRE((!mask || std::count(mask->begin(), mask->end(), cpu) > 0));
    }
    cores.insert(slot.core);
    REQUIRE(slot.numa_row < topology.count(Kind::kNuma));
  }
  // Processors without a core have no core index.
  REQUIRE((cores.count(-1) == 0 || cores.size() == 1));
  REQUIRE(std::is_sorted(machine.slots.begin(), machine.slots.end(),
                         [](const Slot& a, const Slot& b) { return a.core < b.core; }));
  REQUIRE(machine.nodes.at(0).begin == 0);
  REQUIRE(machine.nodes[0].end == static_cast<int>(count));
  check_tree(machine, 0);
  for (const Partition& partition : machine.kinds) {
    check_partition(partition, count);
    REQUIRE_FALSE(partition.slots_in.empty());
  }
  for (int k = 1; k < kKinds; ++k) {
    REQUIRE(static_cast<int>(machine.kinds[k].slots_in.size()) <=
            topology.count(static_cast<Kind>(k)));
  }
  for (const Partition& partition : machine.obstacles) {
    check_partition(partition, count);
    REQUIRE_FALSE(partition.slots_in.empty());
  }
  check_partition(machine.topmost, count);
  REQUIRE(machine.topmost.slots_in.size() != 1);
  for (const auto& row : machine.numa_distance) {
    REQUIRE(row.size() == machine.numa_distance.size());
  }
  if (!machine.numa_distance.empty()) {
    REQUIRE(static_cast<int>(machine.numa_distance.size()) == topology.count(Kind::kNuma));
  }
}

Ints all_cpus(const Machine& machine) {
  Ints cpus;
  for (const Slot& slot : machine.slots) {
    cpus.insert(cpus.end(), slot.cpus.begin(), slot.cpus.end());
  }
  return cpus;
}

TEST_CASE("slots and objects are consistent on every machine, with every mask and choice",
          "[machine][properties]") {
  std::mt19937 random(20100614);
  for (const std::string& source : sources()) {
    INFO(source);
    const Ints whole = all_cpus(slots(source, {1, 0, CoreChoice::kAll}));
    for (int round = 0; round < 12; ++round) {
      Mask mask;
      if (round > 0) {
        mask.emplace(1, whole[random() % whole.size()]);
        for (int cpu : whole) {
          if (random() % 12 < static_cast<unsigned>(round)) {
            mask->push_back(cpu);
          }
        }
      }
      const Topology topology = read_topology(source, mask);
      Choice choice{1 + static_cast<long>(random() % (2 * whole.size())),
                    random() % 3 == 0 ? static_cast<int>(1 + random() % 3) : 0,
                    static_cast<CoreChoice>(random() % 4)};
      check_machine(topology, topology.slots(choice), mask);

      choice = {choice.wanted, 0, CoreChoice::kAll};
      const Machine machine = topology.slots(choice);
      check_machine(topology, machine, mask);
      // There are at least as many slots as cores, and at most as many as processors.
      const long cores = topology.count(Kind::kCore);
      const long processors = topology.count(Kind::kPu);
      REQUIRE(static_cast<long>(machine.slots.size()) ==
              std::max(cores, std::min(choice.wanted, processors)));
      const Ints left = all_cpus(machine);
      Ints expected;
      std::copy_if(whole.begin(), whole.end(), std::back_inserter(expected), [&](int cpu) {
        return !mask || std::count(mask->begin(), mask->end(), cpu) > 0;
      });
      REQUIRE(left == expected);
    }
  }
}

TEST_CASE("real machines have the known objects", "[machine][properties]") {
  if (!std::filesystem::is_directory(real_folder())) {
    std::cout << "machine: real machines left out, there is no " << real_folder() << '\n';
    return;
  }
  const auto real = [](const std::string& name) { return real_folder() + "/" + name; };

  const Topology lassen = read_topology(real("coral-lassen.xml"), {});
  CHECK(lassen.summary() == "2 packages, 2 NUMA nodes, 40 cores, 160 processors");
  CHECK(lassen.cpu_limit() == 176);
  CHECK(lassen.count(Kind::kL3) == 20);
  CHECK(lassen.slots({}).slots[0].cpus == Ints{8, 9, 10, 11});
  CHECK(lassen.slots({1, 2}).slots[1].cpus == Ints{10, 11});
  CHECK(lassen.slots({}).slots[20].cpus == Ints{96, 97, 98, 99});
  CHECK(lassen.slots({}).numa_distance == std::vector<std::vector<unsigned>>{{10, 40}, {40, 10}});
  CHECK(lassen.slots({}).topmost.slots_in == Ints{20, 20});

  const Topology tioga = read_topology(real("eas-tioga.xml"), {});
  CHECK(tioga.summary() == "1 package, 4 NUMA nodes, 64 cores, 128 processors");
  CHECK(tioga.count(Kind::kL3) == 8);
  CHECK(tioga.count(Kind::kBoard) == 1);
  CHECK(tioga.slots({}).topmost.slots_in == alike(4, 16));
  CHECK(tioga.slots({}).slots[63].cpus == Ints{63, 127});
  CHECK(tioga.slots({}).numa_distance.size() == 4);

  const std::string hybrid = real("20em64t-hybrid-1p6c2t+2ca4co1t.xml");
  CHECK(slot_text(hybrid, {4}) == "{0,1} {2,3} {4,5} {6,7} {8,9} {10,11}");
  CHECK(slot_text(hybrid, {8}) == "{0,1} {2,3} {4,5} {6,7} {8,9} {10,11} 12 13");
  CHECK(slot_text(hybrid, {1, 0, CoreChoice::kEfficient}) == "12 13 14 15 16 17 18 19");
  CHECK(kind(slots(hybrid, {14}), Kind::kL2).slots_in == Ints{1, 1, 1, 1, 1, 1, 4, 4});

  const std::string offline = real("16em64t-4s2c2t-offlines.xml");
  CHECK(slot_text(offline) == "{0,8} {4,12} {1,9} {3,11} {7,15} 6 10");
  CHECK(slots(offline).topmost.slots_in == Ints{2, 1, 2, 2});

  const Topology bulldozer = read_topology(real("64amd64-4s2n4ca2co.xml"), {});
  CHECK(bulldozer.summary() == "4 packages, 8 NUMA nodes, 64 cores, 64 processors");
  CHECK(bulldozer.slots({}).topmost.slots_in == alike(4, 16));
  CHECK(bulldozer.slots({}).numa_distance[0][3] == 22);
  CHECK(obstacle_sizes(bulldozer.slots({})) ==
        std::vector<Ints>{alike(64, 1), alike(32, 2), alike(8, 8), alike(4, 16)});
}

TEST_CASE("large machines have all their slots", "[machine][properties]") {
  const Topology topology = read_topology("pack:32 [numa] l3:8 l2:8 core:1 pu:2", {});
  CHECK(topology.slots({64}).slots.size() == 2048);
  const Machine machine = topology.slots({64 * 64});
  CHECK(machine.slots.size() == 4096);
  CHECK(machine.nodes.size() == 1 + 32 + 256 + 2048);
  CHECK(kind(machine, Kind::kL3).slots_in == alike(256, 16));
}

}  // namespace
}  // namespace nestbind::machine::test
