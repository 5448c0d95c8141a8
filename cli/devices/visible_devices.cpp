// SPDX-License-Identifier: BSD-3-Clause
#include "cli/devices/visible_devices.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/inspect/text.hpp"
#include "support/decimal.hpp"

namespace nestbind::cli {

namespace {

using machine::Device;
using machine::DeviceKind;
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
std::vector<int> numbered(const std::vector<std::string>& words, const std::vector<int>& all,
                          const std::vector<int>& seen) {
  const std::vector<std::string> step = inspect::split(inspect::variable("SLURM_STEP_GPUS"), ",");
  const auto is_other = [&](const std::string& word) {
    return number_in(word) >= 0 && !inspect::contains(step, word);
  };
  if (seen.size() < all.size() || step.empty() || std::ranges::none_of(words, is_other)) {
    return seen;
  }
  std::vector<int> of_step(step.size());
  std::ranges::transform(step, of_step.begin(),
                         [&](const std::string& word) { return at(all, number_in(word)); });
  return of_step;
}

// A UUID may be shortened, and a network card's name has a port behind ':'.
bool names(const std::string& word, const Device& device) {
  return device.kind == DeviceKind::kGpu ? word.size() > 4 && device.uuid.starts_with(word)
                                         : device.name == word.substr(0, word.find(':'));
}

void read_value(const std::string& value, const Hardware& hardware, const std::vector<int>& all,
                const std::vector<int>& seen, Pool& pool) {
  const std::vector<std::string> words = inspect::split(value, ",");
  if (words.empty() || inspect::contains({"-1", "NoDevFiles", "none"}, words[0])) {
    pool.fault = "hides all devices";
    return;
  }
  const std::vector<int> counted = numbered(words, all, seen);
  for (const std::string& word : words) {
    int found = pool.family->kind == DeviceKind::kGpu ? at(counted, number_in(word)) : -1;
    for (const int one : seen) {
      found = found < 0 && names(word, hardware.devices[one]) ? one : found;
    }
    if (found < 0) {
      pool.fault = "names " + word + ", which is no whole device that this process may use";
      pool.devices.clear();
      return;
    }
    // CUDA shows no GPU at all if one comes twice.
    if (std::ranges::count(pool.devices, found) == 0) {
      pool.devices.push_back(found);
      pool.words.push_back(word);
    }
  }
}

void choose_words(const Hardware& hardware, Pool& pool) {
  pool.has_numbers =
      pool.family->kind == DeviceKind::kGpu &&
      (pool.family->vendor == machine::kIntel || !std::ranges::all_of(pool.devices, [&](int one) {
         return !hardware.devices[one].uuid.empty();
       }));
  for (const int one : pool.devices) {
    const Device& device = hardware.devices[one];
    pool.words.push_back(pool.has_numbers ? std::to_string(pool.words.size())
                         : device.kind == DeviceKind::kGpu
                             ? device.uuid
                             : device.name + (device.choice == 2 ? ":1" : ""));
  }
  if (pool.has_numbers && pool.family->vendor == machine::kAmd) {
    pool.fault = "cannot be set, because the UUIDs of the GPUs are not known";
  }
}

// HIP and OpenCL number what ROCR_VISIBLE_DEVICES leaves, so it must not be changed if these
// variables have other numbers. Slurm sets them all alike.
std::string fault_of_others(const Family& family) {
  for (const char* other : {"HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "CUDA_VISIBLE_DEVICES"}) {
    const std::string value = inspect::variable(other);
    if (family.vendor == machine::kAmd && !value.empty() &&
        value != inspect::variable(family.variable)) {
      return std::string("is left alone, because ") + other + " is set";
    }
  }
  return "";
}

}  // namespace

Pool pool_of(const Family& family, const Hardware& hardware, bool is_here) {
  Pool pool;
  pool.family = &family;
  const std::vector<int> all = machine::to_divide(hardware, family.kind, family.vendor);
  if (all.empty()) {
    return pool;
  }
  std::vector<int> seen = all;
  std::erase_if(seen, [&](int one) {
    const std::string& file = hardware.devices[one].file;
    return is_here && !file.empty() && access(file.c_str(), R_OK | W_OK) != 0;
  });
  const char* const value = std::getenv(family.variable);
  // UCX_NET_DEVICES=all is UCX's default.
  pool.is_set =
      value != nullptr && (family.kind != machine::DeviceKind::kNic || std::string(value) != "all");
  if (pool.is_set) {
    read_value(value, hardware, all, seen, pool);
  } else {
    pool.devices = seen;
    choose_words(hardware, pool);
  }
  pool.fault += pool.fault.empty() && !pool.devices.empty() ? fault_of_others(family) : "";
  return pool;
}

}  // namespace nestbind::cli
