// SPDX-License-Identifier: BSD-3-Clause
#include "placement/outside.hpp"

namespace nestbind::placement {

bool is_outside_regions() {
  leave_untracked(binding::t_thread);
  return own_place() == nullptr;
}

}  // namespace nestbind::placement
