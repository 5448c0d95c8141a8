// SPDX-License-Identifier: BSD-3-Clause
#include "process/refuse.hpp"

#include <nestbind/nestbind.h>
#include <unistd.h>

#include "process/message.hpp"

namespace nestbind::process {

void refuse() {
  say(Severity::kError, "the program is stopped (NESTBIND_STRICT=1)");
  _exit(NESTBIND_STRICT_STATUS);
}

}  // namespace nestbind::process
