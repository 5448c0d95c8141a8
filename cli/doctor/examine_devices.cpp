// SPDX-License-Identifier: BSD-3-Clause
// Examines the devices beside this process, and the variables that choose devices.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/common/asked_machine.hpp"
#include "cli/common/preload.hpp"
#include "cli/devices/device_words.hpp"
#include "cli/devices/visible_devices.hpp"
#include "cli/doctor/doctor.hpp"
#include "machine/machine_topology.hpp"
#include "mask/cpu_list.hpp"
#include "ranks/launcher.hpp"

namespace nestbind::cli {

namespace {

using machine::Hardware;

void examine_gpus(const Pool& pool, const Hardware& hardware, const std::vector<int>& own,
                  Findings& findings) {
  const int ranks = ranks::told_in(options::variable).of;
  const char* const variable = pool.family->variable;
  const auto is_beside = [&](int one) {
    return machine::level_of(hardware, hardware.devices[one], own) == 0;
  };
  const bool lacks_uuids = !pool.is_set && pool.has_numbers && !pool.fault.empty();
  if (!pool.fault.empty() && !lacks_uuids) {
    findings.fact("devices", fmt::format("{} {}", variable, pool.fault));
  } else if (!pool.is_set && pool.devices.size() > 1 && ranks > 1) {
    findings.fact("devices",
                  fmt::format("{} is not set, so all {} ranks of this node would use the first "
                              "GPU{}",
                              variable, ranks,
                              lacks_uuids ? "; it " + pool.fault
                                          : ": nestbind run --devices=gpu gives each its own"));
  } else if (pool.is_set && !pool.devices.empty() &&
             std::ranges::none_of(pool.devices, is_beside)) {
    const auto& gpu = hardware.devices[pool.devices[0]];
    findings.fact("devices",
                  fmt::format("{} shows {}, which is beside processors {}, and not beside those of "
                              "this process: nestbind run --follow=gpu uses the processors there",
                              variable, gpu.name, mask::list(machine::cpus_beside(hardware, gpu))));
  }
}

}  // namespace

void examine_devices(Findings& findings) {
  const auto library = find_library("");
  const auto own = own_processors();
  if (!library || !own) {
    return;
  }
  try {
    const std::string machine = variable("NESTBIND_MACHINE");
    const Hardware hardware = read_machine(*library, machine, true);
    const std::vector<int> all = machine.empty() ? *own : hardware.cpus;
    std::vector<int> beside;
    std::vector<int> elsewhere;
    for (const Family& family : kFamilies) {
      for (const int one : machine::to_divide(hardware, family.kind, family.vendor)) {
        const bool is_beside = machine::level_of(hardware, hardware.devices[one], all) == 0;
        (is_beside ? beside : elsewhere).push_back(one);
      }
    }
    if (!beside.empty()) {
      findings.fact("devices", names_of(hardware, beside, true) + ": beside these processors");
    }
    if (!elsewhere.empty()) {
      findings.fact("devices", names_of(hardware, elsewhere, true) + ": not beside them");
    }
    for (const Family& family : kFamilies) {
      if (family.kind == machine::DeviceKind::kGpu) {
        examine_gpus(pool_of(family, hardware, machine.empty()), hardware, all, findings);
      }
    }
  } catch (const machine::Unreadable&) {
    return;  // examine_here says why the machine cannot be read
  }
}

}  // namespace nestbind::cli
