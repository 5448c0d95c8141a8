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
  int vendor;              // 0 for all
  const char* order = "";  // with this variable, numbers follow the PCI addresses
  const char* by_address = "";
};
inline constexpr Family kFamilies[] = {
    {"CUDA_VISIBLE_DEVICES", machine::DeviceKind::kGpu, machine::kNvidia, "CUDA_DEVICE_ORDER",
     "PCI_BUS_ID"},
    {"ROCR_VISIBLE_DEVICES", machine::DeviceKind::kGpu, machine::kAmd},
    {"ZE_AFFINITY_MASK", machine::DeviceKind::kGpu, machine::kIntel,
     "ZE_ENABLE_PCI_ID_DEVICE_ORDER", "1"},
    {"UCX_NET_DEVICES", machine::DeviceKind::kNic, 0},
};

// The devices of a family that this process sees.
struct Pool {
  const Family* family = nullptr;
  bool is_set = false;             // whether the variable was set before
  std::vector<int> devices;        // indices into Hardware::devices
  std::vector<std::string> words;  // what names each device in the variable
  bool has_numbers = false;        // whether the words need Family::order
  // Why the variable stays as it is; otherwise empty. If the value is not understood, there are no
  // devices.
  std::string fault;
};

// is_here: whether the hardware is this machine. Then only devices that this process may open
// count, and a runtime numbers only these.
Pool pool_of(const Family& family, const machine::Hardware& hardware, bool is_here);

}  // namespace nestbind::cli
