// SPDX-License-Identifier: BSD-3-Clause
// Which loops of a program NESTBIND_SCHEDULE can take.
#pragma once

#include "cli/findings.hpp"
#include "cli/inspect/verdict.hpp"

namespace nestbind::cli {

// Of a program whose forks are seen, and of its libraries.
void examine_loops(const inspect::Facts& facts, Findings& findings);

}  // namespace nestbind::cli
