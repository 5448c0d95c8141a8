// SPDX-License-Identifier: BSD-3-Clause
// The variables by which runtimes of GPUs and networks see only some of a machine's devices.
#pragma once

#include <string>
#include <vector>

#include "machine/devices.hpp"

namespace nestbind::cli {

// The devices that one variable is about.
struct Family {
  const char* variable;
  machine::DeviceKind kind;
  int vendor;  // 0 for all
};
inline constexpr Family kFamilies[] = {
    {"CUDA_VISIBLE_DEVICES", machine::DeviceKind::kGpu, machine::kNvidia},
    {"ROCR_VISIBLE_DEVICES", machine::DeviceKind::kGpu, machine::kAmd},
    {"ZE_AFFINITY_MASK", machine::DeviceKind::kGpu, machine::kIntel},
    {"UCX_NET_DEVICES", machine::DeviceKind::kNic, 0},
};

// The devices of a family that ranks may divide, as indices into Hardware::devices.
std::vector<int> devices_of(const Family& family, const machine::Hardware& hardware);

// The devices of a family that this process sees.
struct Pool {
  const Family* family = nullptr;
  bool is_set = false;             // whether the variable was set before
  std::vector<int> numbered;       // what the numbers of a runtime count, if it is not set
  std::vector<int> devices;        // indices into Hardware::devices
  std::vector<std::string> words;  // the value's word for each device, if it is set
  // Why the devices of the value are not known, or why the variable is left alone; otherwise empty.
  std::string fault;
};

// is_here: whether the hardware is this machine. Then only devices that this process may open
// count, and a runtime numbers only these.
Pool pool_of(const Family& family, const machine::Hardware& hardware, bool is_here);

// False if the device's file below `root` is known, and this process may not open it.
bool may_open(const machine::Device& device, const std::string& root);

// The text that shows these devices to a runtime. Sets variables about the order of numbers, too.
// Returns "" and sets `fault` if the runtime cannot be told.
std::string value_for(const Pool& pool, const machine::Hardware& hardware,
                      const std::vector<int>& chosen, std::string& fault);

}  // namespace nestbind::cli
