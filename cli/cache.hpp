// SPDX-License-Identifier: BSD-3-Clause
// NESTBIND_CACHE, as the processes of this user would use it.
#pragma once

#include "cli/findings.hpp"

namespace nestbind::cli {

// Where the machine is kept for the next process, or why it is not. Makes nothing.
void examine_cache(Findings& findings);

}  // namespace nestbind::cli
