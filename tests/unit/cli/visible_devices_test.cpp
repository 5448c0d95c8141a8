// SPDX-License-Identifier: BSD-3-Clause
#include "cli/devices/visible_devices.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/unit/helpers/folder.hpp"
#include "variable.hpp"

using namespace nestbind::cli;
using namespace nestbind::machine;

namespace {

Device device_of(DeviceKind kind, int vendor, const char* uuid = "") {
  Device device;
  device.kind = kind;
  device.vendor = vendor;
  device.uuid = uuid;
  return device;
}

}  // namespace

TEST_CASE("a device may be opened if its file in /dev may", "[devices]") {
  const Folder root;
  Hardware hardware;
  hardware.devices = {device_of(DeviceKind::kGpu, kNvidia), device_of(DeviceKind::kGpu, kNvidia)};
  const auto seen = [&](bool is_here) { return pool_of(kFamilies[0], hardware, is_here).devices; };
  CHECK(seen(true) == std::vector<int>{0, 1});  // their files are not known
  // A file that is not there stands for one that a cgroup hides, because root may open everything
  // else.
  hardware.devices[0].file = root.path() + "/nvidia3";
  CHECK(seen(true) == std::vector<int>{1});
  CHECK(seen(false) == std::vector<int>{0, 1});
  std::ofstream(hardware.devices[0].file).put('a');
  CHECK(seen(true) == std::vector<int>{0, 1});
}

TEST_CASE("variables for other vendors' devices are left to them", "[devices]") {
  Hardware hardware;
  hardware.devices = {device_of(DeviceKind::kGpu, kAmd, "GPU-aa")};
  const Variable variable("CUDA_VISIBLE_DEVICES", "0");  // Slurm sets it on AMD's machines, too
  CHECK(pool_of(kFamilies[0], hardware, false).fault.empty());
}

TEST_CASE("values show the devices that they name", "[devices]") {
  Hardware hardware;
  hardware.devices = {device_of(DeviceKind::kGpu, kNvidia, "GPU-aa"),
                      device_of(DeviceKind::kGpu, kNvidia, "GPU-ab"),
                      device_of(DeviceKind::kGpu, kNvidia, "GPU-b")};
  const struct {
    const char* value;
    std::vector<int> devices;  // empty if the value is not understood
  } facts[] = {{"2,0", {2, 0}},
               {"GPU-b,GPU-ab", {2, 1}},
               {"0,0,GPU-aa", {0}},
               {"", {}},
               {"-1", {}},
               {"0,-1,1", {}},
               {"NoDevFiles", {}},
               {"3", {}},
               {"MIG-GPU-aa/1/0", {}},
               {"99999999999999", {}},
               {"GPU-", {}},
               {"0,x", {}}};
  for (const auto& [value, devices] : facts) {
    INFO(value);
    const Variable variable("CUDA_VISIBLE_DEVICES", value);
    const Pool pool = pool_of(kFamilies[0], hardware, false);
    CHECK(pool.is_set);
    CHECK(pool.devices == devices);
    CHECK(pool.fault.empty() != devices.empty());
  }
}
