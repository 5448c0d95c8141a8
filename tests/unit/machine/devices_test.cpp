// SPDX-License-Identifier: BSD-3-Clause
// Tests which devices ranks get. The facts of another tool are from the expected files of mpibind's
// tests (LLNL, MIT): the cores of each rank, and the GPUs that mpibind gives it.
#include "machine/devices.hpp"

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "helpers.hpp"
#include "machine/cache/record.hpp"
#include "machine/hwloc/read_devices.hpp"
#include "mask/cpu_list.hpp"
#include "tests/unit/helpers/folder.hpp"

using namespace nestbind::machine;
using namespace nestbind::machine::test;

namespace {

using Lists = std::vector<std::vector<int>>;

// GPUs beside these NUMA nodes, in this order.
Hardware with_gpus(const std::string& description, const std::vector<int>& nodes) {
  Hardware hardware = read_hardware(description);
  for (const int node : nodes) {
    Device& gpu = hardware.devices.emplace_back();
    gpu.vendor = kNvidia;
    gpu.name = "cuda" + std::to_string(hardware.devices.size() - 1);
    gpu.processors = hardware.numa_processors[static_cast<std::size_t>(node)];
  }
  hardware.has_read_devices = true;
  return hardware;
}

Lists lists_in(const std::string& text) {
  Lists lists;
  std::istringstream in(text);
  for (std::string list; std::getline(in, list, ';');) {
    lists.push_back(list.empty() ? std::vector<int>() : *nestbind::mask::parse_list(list));
  }
  return lists;
}

std::vector<int> all_of(const Hardware& hardware) { return to_divide(hardware, DeviceKind::kGpu); }

int level(const Hardware& hardware, int gpu, const std::vector<int>& cpus) {
  return level_of(hardware, hardware.devices[static_cast<std::size_t>(gpu)], cpus);
}

}  // namespace

TEST_CASE("levels count the objects between a processor and a device") {
  const Hardware hardware = with_gpus("pack:2 numa:2 l3:1 core:2 pu:1", {1});
  CHECK(level(hardware, 0, {2}) == 0);
  CHECK(level(hardware, 0, {0, 3}) == 0);
  CHECK(level(hardware, 0, {0}) > 0);
  CHECK(level(hardware, 0, {4}) > level(hardware, 0, {0, 4}));
  CHECK(level(hardware, 0, {}) == -1);
  CHECK(numa_of(hardware, hardware.devices[0]) == 1);
  CHECK(cpus_beside(hardware, hardware.devices[0]) == std::vector<int>{2, 3});
}

TEST_CASE("ranks are at least as near to their GPUs as under mpibind") {
  const Hardware corona = with_gpus("pack:2 numa:4 core:6 pu:1", {1, 2, 5, 7});
  const Hardware lassen = with_gpus("numa:2 pack:1 core:20 pu:1", {0, 0, 1, 1});
  const struct {
    const Hardware& hardware;
    const char* cores;
    const char* gpus;
  } facts[] = {
      {corona,
       "6;6;7;7;8;8;9;9;10;10;11;11;12;12;13;13;14;14;15;15;16;16;17;17;30;30;31;31;32;32;33;33;34;"
       "34;35;35;42;42;43;43;44;44;45;45;46;46;47;47",
       "0;0;0;0;0;0;0;0;0;0;0;0;1;1;1;1;1;1;1;1;1;1;1;1;2;2;2;2;2;2;2;2;2;2;2;2;3;3;3;3;3;3;3;3;3;"
       "3;3;3"},
      {corona, "0-47", "0,1,2,3"},
      {corona, "0-23;24-47", "0,1;2,3"},
      {corona, "0-11;12-17;18-23;24-29;30-35;36-41;42-47", "0;1;;;2;;3"},
      {corona, "0-5;6-11;12-17;18-23;24-29;30-35;36-41;42-47", ";0;1;;;2;;3"},
      {corona, "6-8;9-11;12-14;15-17;30-32;33-35;42-44;45-47", "0;0;1;1;2;2;3;3"},
      {lassen,
       "0;1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;27;28;29;30;31;32;"
       "33;34;35;36;37;38;39",
       "0;0;0;0;0;0;0;0;0;0;1;1;1;1;1;1;1;1;1;1;2;2;2;2;2;2;2;2;2;2;3;3;3;3;3;3;3;3;3;3"},
      {lassen, "0-39", "0,1,2,3"},
      {lassen, "0-19;20-39", "0,1;2,3"},
      {lassen, "0;0;0;0", "0;0;1;1"},
      {lassen, "0-9;10-19", "0;1"},
      {lassen, "0;0;0;0;0;0;0;0", "0;0;0;0;1;1;1;1"},
  };
  for (const auto& fact : facts) {
    CAPTURE(fact.cores);
    const Lists ranks = lists_in(fact.cores);
    const Lists theirs = lists_in(fact.gpus);
    const Lists ours = divide_devices(fact.hardware, all_of(fact.hardware), ranks);
    int of_theirs = 0;
    int of_ours = 0;
    for (std::size_t rank = 0; rank < theirs.size(); ++rank) {
      REQUIRE(!ours[rank].empty());
      REQUIRE(ours[rank].size() >= theirs[rank].size());
      for (std::size_t i = 0; i < theirs[rank].size(); ++i) {
        of_theirs += level(fact.hardware, theirs[rank][i], ranks[rank]);
        of_ours += level(fact.hardware, ours[rank][i], ranks[rank]);
      }
    }
    CHECK(of_ours <= of_theirs);
  }
}

TEST_CASE("random ranks and devices are divided evenly, and no exchange makes both local") {
  std::mt19937 random(1);
  const auto below = [&](int limit) {
    return static_cast<int>(random() % static_cast<unsigned>(limit));
  };
  for (int i = 0; i < 2000; ++i) {
    std::vector<int> nodes(static_cast<std::size_t>(1 + below(10)));
    for (int& node : nodes) {
      node = below(4);
    }
    const Hardware hardware = with_gpus("pack:1 numa:4 core:3 pu:1", nodes);
    Lists ranks(static_cast<std::size_t>(1 + below(12)));
    for (auto& cpus : ranks) {
      for (int cpu = below(12), count = 1 + below(5); count > 0 && cpu < 12; --count, ++cpu) {
        cpus.push_back(cpu);
      }
    }
    const Lists given = divide_devices(hardware, all_of(hardware), ranks);
    std::vector<int> users(nodes.size(), 0);
    std::size_t most = 0;
    std::size_t fewest = nodes.size();
    for (const auto& own : given) {
      most = std::max(most, own.size());
      fewest = std::min(fewest, own.size());
      for (const int gpu : own) {
        ++users[static_cast<std::size_t>(gpu)];
      }
    }
    CHECK(most - fewest <= 1);
    const auto [least_used, most_used] = std::ranges::minmax(users);
    CHECK(least_used >= 1);
    CHECK(most_used - least_used <= 1);
    bool is_better = false;
    for (std::size_t a = 0; a < ranks.size(); ++a) {
      for (std::size_t b = 0; b < ranks.size(); ++b) {
        for (const int mine : given[a]) {
          for (const int other : given[b]) {
            is_better = is_better || (level(hardware, mine, ranks[a]) > 0 &&
                                      level(hardware, other, ranks[a]) == 0 &&
                                      level(hardware, mine, ranks[b]) == 0);
          }
        }
      }
    }
    CHECK(!is_better);
  }
}

TEST_CASE("devices of packages that no rank uses are left to others, unless there are none") {
  const Hardware hardware = with_gpus("numa:2 pack:1 core:2 pu:1", {0, 1});
  CHECK(divide_devices(hardware, all_of(hardware), {{0}, {1}}) == Lists{{0}, {0}});
  const Hardware far = with_gpus("numa:2 pack:1 core:2 pu:1", {1, 1});
  CHECK(divide_devices(far, all_of(far), {{0}, {1}}) == Lists{{0}, {1}});
}

TEST_CASE("the kernel's files say the UUIDs of GPUs, and the files of devices") {
  const Folder root;
  namespace fs = std::filesystem;
  const auto put = [&](const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root.path() + path).parent_path());
    std::ofstream(root.path() + path) << text;
  };
  const auto asked = [&](DeviceKind kind, int vendor) {
    Device device;
    device.kind = kind;
    device.vendor = vendor;
    device.pci = "0000:04:00.0";
    hwloc::ask_kernel(root.path(), device);
    return device.uuid + " " + device.file;
  };
  const auto gpu = [&](int vendor) { return asked(DeviceKind::kGpu, vendor); };
  CHECK(gpu(kNvidia) == " ");
  CHECK(gpu(kAmd) == " ");
  const std::string nvidia = "/proc/driver/nvidia/gpus/0000:04:00.0/information";
  put(nvidia, "Model: \t NVIDIA H200\nGPU UUID: \t GPU-0a1b-2c\nDevice Minor: \t 3\n");
  CHECK(gpu(kNvidia) == "GPU-0a1b-2c /dev/nvidia3");
  put(nvidia, "GPU UUID: \t GPU-?-?\n");  // the driver has not read it yet
  CHECK(gpu(kNvidia) == " ");
  const std::string pci = "/sys/bus/pci/devices/0000:04:00.0";
  for (const char* folder : {"/drm/card1", "/drm/renderD129", "/infiniband_verbs/uverbs2"}) {
    fs::create_directories(root.path() + pci + folder);
  }
  put(pci + "/unique_id", "4a7c19da329a2b80\n");
  CHECK(gpu(kAmd) == "GPU-4a7c19da329a2b80 /dev/dri/renderD129");
  CHECK(gpu(kIntel) == " /dev/dri/renderD129");
  CHECK(asked(DeviceKind::kNic, 0x15b3) == " /dev/infiniband/uverbs2");
  put(pci + "/unique_id", "0\n");
  CHECK(gpu(kAmd) == " /dev/dri/renderD129");
}

TEST_CASE("a record keeps devices, and refuses bad ones") {
  Hardware hardware = with_gpus("numa:2 pack:1 core:2 pu:1", {0, 1});
  hardware.devices[1].uuid = "GPU-1";
  hardware.devices[1].file = "/dev/nvidia1";
  CHECK(nestbind::machine::cache::decode(nestbind::machine::cache::encode(hardware)) == hardware);
  hardware.devices[1].name = "a\"b";
  CHECK(broken_invariant(hardware) != nullptr);
  hardware.devices[1].name = "a";
  hardware.devices[1].processors = {7};
  CHECK(broken_invariant(hardware) != nullptr);
}
