// SPDX-License-Identifier: BSD-3-Clause
#include "cli/devices/device_words.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "mask/cpu_list.hpp"

namespace nestbind::cli {

namespace {

using machine::Device;
using machine::Hardware;

// A name has no letters that JSON escapes.
std::string text_or_null(const std::string& text) {
  return text.empty() ? "null" : "\"" + text + "\"";
}

}  // namespace

std::string names_of(const Hardware& hardware, const std::vector<int>& devices, bool with_address) {
  std::string names;
  for (const int one : devices) {
    const Device& device = hardware.devices[one];
    names += (names.empty() ? "" : ", ") + device.name;
    names += with_address && !device.pci.empty() ? " (" + device.pci + ")" : "";
  }
  return names;
}

std::string table_of_devices(const Hardware& hardware) {
  std::string text = fmt::format("{:<5} {:<12} {:<13} {:>4}  {:<24} {}\n", "kind", "name", "PCI",
                                 "NUMA", "processors", "UUID");
  for (const Device& device : hardware.devices) {
    const int numa = machine::numa_of(hardware, device);
    const std::string cpus = mask::list(machine::cpus_beside(hardware, device));
    text += fmt::format("{:<5} {:<12} {:<13} {:>4}  {:<24} {}", machine::word_of(device.kind),
                        device.name, device.pci.empty() ? "-" : device.pci,
                        numa < 0 ? "-" : std::to_string(numa), cpus.empty() ? "none" : cpus,
                        device.uuid);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string json_of_devices(const Hardware& hardware, const std::vector<int>& devices,
                            const std::vector<int>& cpus) {
  std::string text;
  for (const int one : devices) {
    const Device& device = hardware.devices[one];
    const int numa = machine::numa_of(hardware, device);
    text += fmt::format(
        "{}{{\"kind\": \"{}\", \"name\": \"{}\", \"pci\": {}, \"uuid\": {}, \"numa\": {}, "
        "\"level\": {}, \"cpus\": [{}]}}",
        text.empty() ? "" : ", ", machine::word_of(device.kind), device.name,
        text_or_null(device.pci), text_or_null(device.uuid),
        numa < 0 ? "null" : std::to_string(numa), level_of(hardware, device, cpus),
        fmt::join(machine::cpus_beside(hardware, device), ", "));
  }
  return "[" + text + "]";
}

std::string why_no_devices(const std::string& source) {
  return source.empty() ? "hwloc finds no GPU, network card or NVMe disk on this machine"
         : access(source.c_str(), F_OK) == 0
             ? source + " has no devices: write it by lstopo --whole-io, without --no-io"
             : "a synthetic description has no devices";
}

}  // namespace nestbind::cli
