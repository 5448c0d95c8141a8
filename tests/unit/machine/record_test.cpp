// SPDX-License-Identifier: BSD-3-Clause
#include "machine/cache/record.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "helpers.hpp"
#include "machine/hardware.hpp"

using namespace nestbind::machine;
using namespace nestbind::machine::test;
using cache::decode;
using cache::encode;

namespace {

std::vector<std::string> all_machines() {
  std::vector<std::string> machines = {"pack:2 numa:2 core:4 pu:1", "pu:3", "core:2 pu:4",
                                       "group:2 pack:2 numa:2 l2:2 core:2 pu:2"};
  for (const std::string& folder : {file(""), real_folder()}) {
    if (!std::filesystem::is_directory(folder)) {
      WARN("not here, so not read: " << folder);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".xml") {
        machines.push_back(entry.path().string());
      }
    }
  }
  return machines;
}

// A sanitizer reports any access that is out of bounds.
void use(Hardware hardware) {
  REQUIRE(broken_invariant(hardware) == nullptr);
  const Topology topology = Topology::of(std::move(hardware), "damaged", {});
  for (const int wanted : {1, 5, 100}) {
    const Machine machine = topology.slots({wanted, 0, CoreChoice::kAuto});
    REQUIRE(!machine.slots.empty());
    for (const Node& node : machine.nodes) {
      REQUIRE(node.begin <= node.end);
      REQUIRE(node.end <= static_cast<int>(machine.slots.size()));
    }
  }
}

}  // namespace

TEST_CASE("hardware does not change if it is written and read") {
  int machines = 0;
  for (const std::string& name : all_machines()) {
    INFO(name);
    const Hardware hardware = read_hardware(name);
    const auto again = decode(encode(hardware));
    REQUIRE(again);
    CHECK(*again == hardware);
    CHECK(text(Topology::of(*again, name, {}).slots({}).slots) == slot_text(name));
    ++machines;
  }
  CHECK(machines >= 14);
}

TEST_CASE("a record that is too short or too long is rejected") {
  const std::string bytes = encode(read_hardware(file("nehalem-sun.xml")));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    INFO(length);
    REQUIRE(!decode(bytes.substr(0, length)));
  }
  CHECK(!decode(bytes + '\0'));
  CHECK(!decode(bytes + bytes));
  CHECK(!decode(std::string(1000, '\xff')));
}

TEST_CASE("a record with changed numbers is rejected or harmless") {
  std::mt19937 random(1);
  int accepted = 0;
  for (const char* name : {"nehalem-sun.xml", "hybrid.xml", "numa16.xml"}) {
    const std::string bytes = encode(read_hardware(file(name)));
    const std::size_t numbers = bytes.size() / 4;
    for (int round = 0; round < 4000; ++round) {
      std::string damaged = bytes;
      for (unsigned change = 0; change <= random() % 3; ++change) {
        const std::int32_t values[] = {-1, 0, 1, static_cast<std::int32_t>(random() % 40),
                                       static_cast<std::int32_t>(random())};
        std::memcpy(damaged.data() + 4 * (random() % numbers), &values[random() % 5], 4);
      }
      if (auto hardware = decode(damaged)) {
        ++accepted;
        use(std::move(*hardware));
      }
    }
  }
  CHECK(accepted > 100);
}
