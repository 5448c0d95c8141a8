// SPDX-License-Identifier: BSD-3-Clause
#include "machine/hwloc/read_devices.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <string_view>
#include <tuple>

#include "machine/devices.hpp"
#include "support/files.hpp"

namespace nestbind::machine::hwloc {
namespace {

using Found = std::map<hwloc_obj_t, Device>;  // by the PCI device, or by an interface without one

std::string as_name(std::string text) {
  text.resize(std::min(text.size(), kMostLetters));
  std::ranges::replace_if(text, [](char c) { return !is_of_name(c); }, '_');
  return text;
}

std::string info(hwloc_obj_t object, const char* name) {
  const char* const value = hwloc_obj_get_info_by_name(object, name);
  return value == nullptr ? "" : as_name(value);
}

bool is_gpu(hwloc_obj_t pci) {
  constexpr unsigned kDisplay = 0x03;
  constexpr unsigned kAccelerator = 0x12;
  const unsigned group = pci->attr->pcidev.class_id >> 8U;
  const int vendor = pci->attr->pcidev.vendor_id;
  return (group == kDisplay || group == kAccelerator) &&
         (vendor == kNvidia || vendor == kAmd || vendor == kIntel);
}

// Of the names that hwloc has for a GPU, the vendor's is preferred.
std::size_t place_of_name(const std::string& name) {
  static constexpr std::string_view kNames = "cuda rsmi ze nvml opencl";
  return name.empty() ? kNames.npos : kNames.find(name.substr(0, name.find_first_of("0123456789")));
}

void add_to_gpu(hwloc_obj_t object, Device& gpu) {
  const std::string name = as_name(object->name);
  if (gpu.name.empty() || place_of_name(name) < place_of_name(gpu.name)) {
    gpu.name = name;
  }
  const std::string amd = info(object, "AMDUUID");
  constexpr std::size_t kDigits = 16;
  gpu.uuid += !gpu.uuid.empty() ? ""
              : amd.empty()
                  ? info(object, "NVIDIAUUID") + info(object, "LevelZeroUUID")
                  : "GPU-" + std::string(kDigits - std::min(kDigits, amd.size()), '0') + amd;
}

void add_interface(hwloc_obj_t object, Found& found) {
  const auto kind = object->attr->osdev.type;
  const bool is_fabric = kind == HWLOC_OBJ_OSDEV_OPENFABRICS;
  const std::string name = as_name(object->name);
  hwloc_obj_t pci = object;
  while (pci != nullptr && pci->type != HWLOC_OBJ_PCI_DEVICE) {
    pci = pci->parent;
  }
  if (kind == HWLOC_OBJ_OSDEV_GPU || kind == HWLOC_OBJ_OSDEV_COPROC) {
    if (const auto gpu = found.find(pci); gpu != found.end()) {
      add_to_gpu(object, gpu->second);
    }
  } else if ((kind == HWLOC_OBJ_OSDEV_NETWORK || is_fabric) && pci != nullptr) {
    Device& nic = found[pci];
    nic.kind = DeviceKind::kNic;
    if (is_fabric || nic.name.empty()) {
      nic.name = name;
      nic.choice = is_fabric ? 2 : name.starts_with("hs") || name.starts_with("ib") ? 1 : 0;
    }
  } else if (kind == HWLOC_OBJ_OSDEV_BLOCK && name.starts_with("nvme")) {
    Device& disk = found[pci == nullptr ? object : pci];
    disk.kind = DeviceKind::kNvme;
    disk.name = name;
  }
}

}  // namespace

void ask_kernel(const std::string& root, Device& device) {
  const std::string folder = root + "/sys/bus/pci/devices/" + device.pci;
  std::string line;
  if (device.kind == DeviceKind::kGpu && device.vendor == kNvidia) {
    std::ifstream facts(root + "/proc/driver/nvidia/gpus/" + device.pci + "/information");
    while (std::getline(facts, line)) {
      const std::string word = line.substr(line.find_last_of(" \t") + 1);
      if (line.starts_with("Device Minor:")) {
        device.file = "/dev/nvidia" + word;
      } else if (line.starts_with("GPU UUID") && word.find('?') == std::string::npos) {
        device.uuid = as_name(word);  // "GPU-?" before the driver has read it
      }
    }
    return;
  }
  const bool is_gpu = device.kind == DeviceKind::kGpu;
  constexpr std::size_t kDigits = 16;
  if (std::ifstream file(folder + "/unique_id");
      is_gpu && device.vendor == kAmd && file >> line && line.size() == kDigits) {
    device.uuid = "GPU-" + as_name(line);
  }
  const support::Descriptor files(
      support::open_folder((folder + (is_gpu ? "/drm" : "/infiniband_verbs")).c_str()));
  constexpr int kMostReads = 16;
  if (files.is_open()) {
    support::each_name_in(files.number(), kMostReads, [&](const char* text) {
      const std::string name = text;
      if (name.starts_with(is_gpu ? "renderD" : "uverbs")) {
        device.file = (is_gpu ? "/dev/dri/" : "/dev/infiniband/") + name;
      }
    });
  }
}

void read_devices(hwloc_topology* topology, bool is_here, Hardware& hardware) {
  Found found;
  for (hwloc_obj_t pci = nullptr; (pci = hwloc_get_next_pcidev(topology, pci)) != nullptr;) {
    if (is_gpu(pci)) {
      found[pci].kind = DeviceKind::kGpu;
    }
  }
  for (hwloc_obj_t one = nullptr; (one = hwloc_get_next_osdev(topology, one)) != nullptr;) {
    add_interface(one, found);
  }
  std::vector<Device>& devices = hardware.devices;
  for (auto& [object, device] : found) {
    if (object->type == HWLOC_OBJ_PCI_DEVICE) {
      const auto& pci = object->attr->pcidev;
      char text[32];
      std::snprintf(text, sizeof text, "%04x:%02x:%02x.%01x", pci.domain, pci.bus, pci.dev,
                    pci.func);
      device.vendor = pci.vendor_id;
      device.pci = text;
    }
    if (is_here) {
      ask_kernel("", device);
    }
    const hwloc_obj_t place = hwloc_get_non_io_ancestor_obj(topology, object);
    for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
      if (hwloc_bitmap_iszero(place->cpuset) != 0 ||  // beside a node without processors
          hwloc_bitmap_isset(place->cpuset, static_cast<unsigned>(hardware.cpus[p])) != 0) {
        device.processors.push_back(static_cast<int>(p));
      }
    }
    devices.push_back(device);
  }
  std::ranges::sort(devices, {}, [](const Device& one) {
    return std::tuple(one.kind, one.pci.size(), one.pci, one.name);
  });
  devices.resize(std::min<std::size_t>(devices.size(), kMostDevices));
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].name.empty()) {
      devices[i].name = "gpu" + std::to_string(i);  // only a GPU may have no name; GPUs are first
    }
  }
  hardware.has_read_devices = true;
}

}  // namespace nestbind::machine::hwloc
