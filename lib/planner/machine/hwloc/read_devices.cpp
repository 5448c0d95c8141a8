// SPDX-License-Identifier: BSD-3-Clause
#include "machine/hwloc/read_devices.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <ranges>
#include <tuple>

#include "machine/devices.hpp"

namespace nestbind::machine::hwloc {
namespace {

using Pci = hwloc_obj_attr_u::hwloc_pcidev_attr_s;

std::string as_name(std::string text) {
  constexpr std::size_t kMost = 63;
  text.resize(std::min(text.size(), kMost));
  std::ranges::replace_if(
      text,
      [](unsigned char c) {
        return c > 0x7f || (std::isalnum(c) == 0 && std::strchr(".:_-", c) == nullptr);
      },
      '_');
  return text;
}

const char* info(hwloc_obj_t object, const char* name) {
  const char* const value = hwloc_obj_get_info_by_name(object, name);
  return value == nullptr ? "" : value;
}

hwloc_obj_t pci_around(hwloc_obj_t object) {
  while (object != nullptr && object->type != HWLOC_OBJ_PCI_DEVICE) {
    object = object->parent;
  }
  return object;
}

std::string address_of(const Pci& pci) {
  char text[32];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.%01x", pci.domain, pci.bus, pci.dev, pci.func);
  return text;
}

bool is_gpu(const Pci& pci) {
  constexpr unsigned kDisplay = 0x03;
  constexpr unsigned kAccelerator = 0x12;
  const unsigned group = pci.class_id >> 8U;
  const int vendor = pci.vendor_id;
  return (group == kDisplay || group == kAccelerator) &&
         (vendor == kNvidia || vendor == kAmd || vendor == kIntel);
}

// Of the names that hwloc has for a GPU, the vendor's is preferred.
int rank_of_name(const std::string& name) {
  static constexpr const char* kNames[] = {"opencl", "nvml", "ze", "rsmi", "cuda"};
  for (int i = 4; i >= 0; --i) {
    if (name.starts_with(kNames[i])) {
      return i;
    }
  }
  return -1;
}

class Reader {
 public:
  Reader(hwloc_topology_t topology, const Hardware& hardware, bool is_here)
      : topology_(topology), hardware_(hardware), is_here_(is_here) {}

  void add_pci(hwloc_obj_t object) {
    const Pci& pci = object->attr->pcidev;
    if (is_gpu(pci)) {
      Device& gpu = device_at(object, DeviceKind::kGpu);
      gpu.uuid = is_here_ ? uuid_of_gpu(gpu.vendor, gpu.pci, "") : "";
    }
  }

  void add_interface(hwloc_obj_t object) {
    const auto kind = object->attr->osdev.type;
    const hwloc_obj_t pci = pci_around(object);
    if (kind == HWLOC_OBJ_OSDEV_GPU || kind == HWLOC_OBJ_OSDEV_COPROC) {
      if (const auto gpu = found_.find(pci); pci != nullptr && gpu != found_.end()) {
        add_to_gpu(object, gpu->second);
      }
    } else if ((kind == HWLOC_OBJ_OSDEV_NETWORK || kind == HWLOC_OBJ_OSDEV_OPENFABRICS) &&
               pci != nullptr) {
      add_to_nic(object, device_at(pci, DeviceKind::kNic));
    } else if (kind == HWLOC_OBJ_OSDEV_BLOCK && std::strncmp(object->name, "nvme", 4) == 0) {
      device_at(pci == nullptr ? object : pci, DeviceKind::kNvme).name = as_name(object->name);
    }
  }

  std::vector<Device> devices() const {
    const auto found = std::views::values(found_);
    std::vector<Device> all(found.begin(), found.end());
    std::ranges::sort(all, {}, [](const Device& one) {
      return std::tuple(one.kind, one.pci.size(), one.pci, one.name);
    });
    int gpus = 0;
    for (Device& one : all) {
      if (one.kind == DeviceKind::kGpu) {
        one.name = one.name.empty() ? "gpu" + std::to_string(gpus) : one.name;
        ++gpus;
      }
    }
    all.resize(std::min<std::size_t>(all.size(), kMostDevices));
    return all;
  }

 private:
  Device& device_at(hwloc_obj_t object, DeviceKind kind) {
    const auto [at, is_new] = found_.try_emplace(object);
    Device& device = at->second;
    if (is_new) {
      device.kind = kind;
      if (object->type == HWLOC_OBJ_PCI_DEVICE) {
        device.vendor = object->attr->pcidev.vendor_id;
        device.pci = address_of(object->attr->pcidev);
      }
      const hwloc_obj_t place = hwloc_get_non_io_ancestor_obj(topology_, object);
      for (std::size_t p = 0; p < hardware_.cpus.size(); ++p) {
        if (hwloc_bitmap_isset(place->cpuset, static_cast<unsigned>(hardware_.cpus[p])) != 0) {
          device.processors.push_back(static_cast<int>(p));
        }
      }
    }
    return device;
  }

  static void add_to_gpu(hwloc_obj_t object, Device& gpu) {
    const std::string name = as_name(object->name);
    if (rank_of_name(name) > rank_of_name(gpu.name)) {
      gpu.name = name;
    }
    const std::string amd = info(object, "AMDUUID");
    constexpr std::size_t kDigits = 16;
    const std::string uuid =
        amd.empty() ? std::string(info(object, "NVIDIAUUID")) + info(object, "LevelZeroUUID")
                    : "GPU-" + std::string(kDigits - std::min(kDigits, amd.size()), '0') + amd;
    gpu.uuid = uuid.empty() ? gpu.uuid : as_name(uuid);
  }

  static void add_to_nic(hwloc_obj_t object, Device& nic) {
    const std::string name = as_name(object->name);
    const bool is_fabric = object->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS;
    if (is_fabric || nic.name.empty()) {
      nic.name = name;
      nic.choice = is_fabric ? 2 : name.starts_with("hs") || name.starts_with("ib") ? 1 : 0;
    }
  }

  hwloc_topology_t topology_;
  const Hardware& hardware_;
  bool is_here_;
  std::map<hwloc_obj_t, Device> found_;
};

}  // namespace

std::string uuid_of_gpu(int vendor, const std::string& pci, const std::string& root) {
  std::string line;
  if (vendor == kNvidia) {
    std::ifstream file(root + "/proc/driver/nvidia/gpus/" + pci + "/information");
    while (std::getline(file, line)) {
      const std::size_t at = line.find("GPU-");
      if (line.starts_with("GPU UUID") && at != std::string::npos &&
          line.find('?') == std::string::npos) {  // the driver has not read it yet
        return as_name(line.substr(at));
      }
    }
    return "";
  }
  std::ifstream file(root + "/sys/bus/pci/devices/" + pci + "/unique_id");
  constexpr std::size_t kDigits = 16;
  return vendor == kAmd && file >> line && line.size() == kDigits ? "GPU-" + as_name(line) : "";
}

void read_devices(hwloc_topology* topology, bool is_here, Hardware& hardware) {
  Reader reader(topology, hardware, is_here);
  for (hwloc_obj_t pci = nullptr; (pci = hwloc_get_next_pcidev(topology, pci)) != nullptr;) {
    reader.add_pci(pci);
  }
  for (hwloc_obj_t one = nullptr; (one = hwloc_get_next_osdev(topology, one)) != nullptr;) {
    reader.add_interface(one);
  }
  hardware.has_read_devices = true;
  hardware.devices = reader.devices();
}

}  // namespace nestbind::machine::hwloc
