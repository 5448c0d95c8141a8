// SPDX-License-Identifier: BSD-3-Clause
#include "cli/processors.hpp"

#include <sched.h>

#include "mask/cpu_list.hpp"

namespace nestbind::cli {

std::optional<std::vector<int>> own_processors() {
  // The kernel refuses a mask that is shorter than its own.
  mask::MaskBuffer own{};
  if (sched_getaffinity(0, sizeof own.bits, reinterpret_cast<cpu_set_t*>(own.bits)) != 0) {
    return std::nullopt;
  }
  return mask::cpus_in(own.view());
}

}  // namespace nestbind::cli
