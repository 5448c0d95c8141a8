// SPDX-License-Identifier: BSD-3-Clause
// What the doctor says of the library that nestbind run would preload.
#pragma once

#include <string>

#include "cli/findings.hpp"

namespace nestbind::cli {

// Returns whether there is one: the file that is asked for, or if empty this command's own. Without
// it no program is bound, except for one that loads such a library by itself.
bool examine_library(const std::string& asked, bool program_has_one, Findings& findings);

}  // namespace nestbind::cli
