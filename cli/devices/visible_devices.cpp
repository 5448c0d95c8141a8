// SPDX-License-Identifier: BSD-3-Clause
#include "cli/devices/visible_devices.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "cli/inspect/text.hpp"
#include "support/decimal.hpp"

namespace nestbind::cli {

namespace {

using machine::Device;
using machine::Hardware;

// Returns -1 if the word is no number of a device.
int number_in(const std::string& word) {
  const bool is_number =
      !word.empty() && word.size() < 5 && std::ranges::all_of(word, support::is_digit);
  return is_number ? std::atoi(word.c_str()) : -1;
}

// Returns -1 if there is no such device.
int at(const std::vector<int>& devices, int number) {
  return number >= 0 && number < std::ssize(devices) ? devices[number] : -1;
}

// What the numbers in a variable count. If a cgroup hides devices, the runtime numbers the others.
// If the process may open all, but Slurm has given other numbers to the step, the numbers count the
// step's devices.
std::vector<int> numbered(const std::vector<int>& all, const std::vector<int>& seen,
                          const std::vector<std::string>& words) {
  const std::vector<std::string> step = inspect::split(inspect::variable("SLURM_STEP_GPUS"), ",");
  const auto is_of_step = [&](const std::string& word) { return inspect::contains(step, word); };
  if (seen.size() < all.size() || step.empty() || std::ranges::all_of(words, is_of_step)) {
    return seen;
  }
  std::vector<int> of_step;
  std::ranges::transform(step, std::back_inserter(of_step),
                         [&](const std::string& word) { return at(all, number_in(word)); });
  return of_step;
}

// Returns -1 if there is none.
int named(const std::string& word, const std::vector<int>& seen, const Hardware& hardware,
          bool is_gpu) {
  const std::string name = is_gpu ? word : word.substr(0, word.find(':'));
  for (const int one : seen) {
    const Device& device = hardware.devices[one];
    // A UUID may be shortened.
    if (is_gpu ? name.size() > 4 && device.uuid.starts_with(name) : device.name == name) {
      return one;
    }
  }
  return -1;
}

void read_value(const std::string& value, const Hardware& hardware, const std::vector<int>& all,
                const std::vector<int>& seen, Pool& pool) {
  const bool is_gpu = pool.family->kind == machine::DeviceKind::kGpu;
  const std::vector<std::string> words = inspect::split(value, ",");
  const auto hides = [](const std::string& word) {
    return word == "-1" || word == "NoDevFiles" || word == "none";
  };
  if (words.empty() || hides(words[0])) {
    pool.fault = "hides all devices";
    return;
  }
  std::vector<std::string> in_numbers = words;
  std::erase_if(in_numbers, [](const std::string& word) { return number_in(word) < 0; });
  const std::vector<int> counted = numbered(all, seen, in_numbers);
  for (const std::string& word : words) {
    if (word.starts_with("MIG-") || (is_gpu && word.find('.') != std::string::npos)) {
      pool.fault = "names parts of GPUs, which nestbind does not know";
      return;
    }
    const int number = is_gpu ? number_in(word) : -1;
    const int found = number < 0 ? named(word, seen, hardware, is_gpu) : at(counted, number);
    if (found < 0) {
      pool.fault = "names " + word + ", which is not there";
      return;
    }
    // CUDA shows no GPU at all if one comes twice.
    if (std::ranges::count(pool.devices, found) == 0) {
      pool.devices.push_back(found);
      pool.words.push_back(word);
    }
  }
}

// HIP and OpenCL number what ROCR_VISIBLE_DEVICES leaves, so it must not be changed if these
// variables have other numbers. Slurm sets them all alike.
std::string other_variable(const Family& family) {
  for (const char* other : {"HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "CUDA_VISIBLE_DEVICES"}) {
    const std::string value = inspect::variable(other);
    if (family.vendor == machine::kAmd && !value.empty() &&
        value != inspect::variable(family.variable)) {
      return other;
    }
  }
  return "";
}

}  // namespace

std::vector<int> devices_of(const Family& family, const Hardware& hardware) {
  std::vector<int> devices = machine::to_divide(hardware, family.kind);
  std::erase_if(devices, [&](int one) {
    return family.vendor != 0 && hardware.devices[one].vendor != family.vendor;
  });
  return devices;
}

bool may_open(const Device& device, const std::string& root) {
  namespace fs = std::filesystem;
  std::string file;
  std::error_code unknown;
  if (device.kind == machine::DeviceKind::kGpu && device.vendor == machine::kNvidia) {
    std::ifstream facts(root + "/proc/driver/nvidia/gpus/" + device.pci + "/information");
    for (std::string line; std::getline(facts, line);) {
      if (line.starts_with("Device Minor:")) {
        const std::size_t at = line.find_first_of("0123456789");
        file = at == std::string::npos ? "" : "/dev/nvidia" + line.substr(at);
      }
    }
  } else {
    const bool is_gpu = device.kind == machine::DeviceKind::kGpu;
    const std::string folder =
        root + "/sys/bus/pci/devices/" + device.pci + (is_gpu ? "/drm" : "/infiniband_verbs");
    for (const auto& entry : fs::directory_iterator(folder, unknown)) {
      const std::string name = entry.path().filename();
      if (name.starts_with(is_gpu ? "renderD" : "uverbs")) {
        file = (is_gpu ? "/dev/dri/" : "/dev/infiniband/") + name;
      }
    }
  }
  return file.empty() || access((root + file).c_str(), R_OK | W_OK) == 0;
}

Pool pool_of(const Family& family, const Hardware& hardware, bool is_here) {
  Pool pool;
  pool.family = &family;
  const std::vector<int> all = devices_of(family, hardware);
  std::vector<int> seen = all;
  std::erase_if(seen, [&](int one) { return is_here && !may_open(hardware.devices[one], ""); });
  pool.numbered = seen;
  const char* const value = std::getenv(family.variable);
  pool.is_set = value != nullptr && std::string(value) != "all";
  if (pool.is_set) {
    read_value(value, hardware, all, seen, pool);
  } else {
    pool.devices = seen;
  }
  if (!pool.fault.empty()) {
    pool.devices.clear();
  }
  return pool;
}

std::string value_for(const Pool& pool, const Hardware& hardware, const std::vector<int>& chosen,
                      std::string& fault) {
  const auto has_uuid = [&](int one) { return !hardware.devices[one].uuid.empty(); };
  const bool have_uuids = std::ranges::all_of(chosen, has_uuid);
  const int vendor = pool.family->vendor;
  const std::string other = other_variable(*pool.family);
  if (!pool.is_set && vendor == machine::kAmd && !have_uuids) {
    fault = "is not set, because the UUIDs of the GPUs are not known";
  } else if (!other.empty()) {
    fault = "is left alone, because " + other + " is set";
  }
  if (!fault.empty()) {
    return "";
  }
  std::string value;
  bool has_numbers = false;
  for (const int one : chosen) {
    const Device& device = hardware.devices[one];
    std::string word;
    if (pool.is_set) {
      word = pool.words[std::ranges::find(pool.devices, one) - pool.devices.begin()];
    } else if (pool.family->kind == machine::DeviceKind::kNic) {
      word = device.name + (device.choice == 2 ? ":1" : "");
    } else if (have_uuids && vendor != machine::kIntel) {
      word = device.uuid;
    } else {
      word = std::to_string(std::ranges::find(pool.numbered, one) - pool.numbered.begin());
      has_numbers = true;
    }
    value += (value.empty() ? "" : ",") + word;
  }
  if (has_numbers && vendor == machine::kIntel) {
    setenv("ZE_ENABLE_PCI_ID_DEVICE_ORDER", "1", 1);
  } else if (has_numbers) {
    setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
  }
  return value;
}

}  // namespace nestbind::cli
