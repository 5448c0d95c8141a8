// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/tier.hpp"

#include <errno.h>

#include <cstring>

namespace nestbind::memory {

namespace {

constexpr long kUsersMayNot = 3;  // perf_event_paranoid, as Debian has it

std::string refused(const Circumstances& here) {
  const std::string only = "only where pages are is known, not who touches them: ";
  if (here.paranoid >= kUsersMayNot && here.refusal == EACCES) {  // EPERM is none of that setting
    return only + "kernel.perf_event_paranoid is " + std::to_string(here.paranoid) +
           "; an administrator changes that by: sysctl kernel.perf_event_paranoid=2";
  }
  if (here.refusal == EACCES || here.refusal == EPERM) {
    return only +
           "perf_event_open is refused, by a sandbox (a container's seccomp filter, say), or since "
           "kernel.perf_event_mlock_kb is used up";
  }
  return only + "perf_event_open: " + std::strerror(here.refusal);
}

}  // namespace

MeasurementLevel measurement_level(const Circumstances& here) {
  if (here.refusal != 0) {
    return MeasurementLevel::kPages;
  }
  return here.nodes > 1 && here.is_balanced ? MeasurementLevel::kHints : MeasurementLevel::kTouches;
}

const char* name(MeasurementLevel level) {
  constexpr const char* kNames[] = {"pages", "touches", "hints"};
  return kNames[static_cast<int>(level)];
}

std::string line_of(const Circumstances& here) {
  const std::string one_node = here.nodes == 1 ? "nothing to mend: this machine has one node" : "";
  if (here.refusal != 0) {
    return one_node + (one_node.empty() ? "" : "; ") + refused(here);
  }
  if (here.nodes == 1) {
    return one_node + "; who touched its memory first is sampled all the same";
  }
  if (!here.is_balanced) {
    return "first touches are sampled; who uses pages later is not known: kernel.numa_balancing is "
           "0; an administrator changes that by: sysctl kernel.numa_balancing=1";
  }
  return "first touches are sampled, and who uses pages later by the kernel's NUMA hint faults: a "
         "fault for each page and scan, not for each access";
}

}  // namespace nestbind::memory
