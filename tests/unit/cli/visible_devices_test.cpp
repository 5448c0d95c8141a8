// SPDX-License-Identifier: BSD-3-Clause
#include "cli/devices/visible_devices.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/unit/helpers/folder.hpp"
#include "variable.hpp"

using namespace nestbind::cli;
using namespace nestbind::machine;

namespace {

namespace fs = std::filesystem;

constexpr const char* kPci = "0000:04:00.0";

void put(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << text;
}

Device device_of(DeviceKind kind, int vendor, const char* uuid = "") {
  Device device;
  device.kind = kind;
  device.vendor = vendor;
  device.pci = kPci;
  device.uuid = uuid;
  return device;
}

// Whether the device may be opened after its file in /dev was made or removed. A file that is not
// there stands for one that a cgroup hides, because root may open everything else.
void check_opening(const std::string& root, const Device& device, const std::string& file) {
  INFO(file);
  CHECK_FALSE(may_open(device, root));
  put(root + file, "");
  CHECK(may_open(device, root));
  fs::remove(root + file);
  CHECK_FALSE(may_open(device, root));
}

}  // namespace

TEST_CASE("a device may be opened if its file in /dev may", "[devices]") {
  const Folder root;
  const Device nvidia = device_of(DeviceKind::kGpu, kNvidia);
  const Device amd = device_of(DeviceKind::kGpu, kAmd);
  const Device nic = device_of(DeviceKind::kNic, 0x15b3);
  for (const Device& device : {nvidia, amd, nic}) {
    CHECK(may_open(device, root.path()));  // its file is not known
  }
  put(root.path() + "/proc/driver/nvidia/gpus/" + kPci + "/information",
      "Model: \t\t NVIDIA H200\nGPU UUID: \t GPU-1\nDevice Minor: \t 3\n");
  check_opening(root.path(), nvidia, "/dev/nvidia3");
  const std::string pci = root.path() + "/sys/bus/pci/devices/" + kPci;
  for (const char* folder : {"/drm/card1", "/drm/renderD129", "/infiniband_verbs/uverbs2"}) {
    fs::create_directories(pci + folder);
  }
  check_opening(root.path(), amd, "/dev/dri/renderD129");
  check_opening(root.path(), nic, "/dev/infiniband/uverbs2");
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
