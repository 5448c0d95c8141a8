// SPDX-License-Identifier: BSD-3-Clause
// A layout as text for people and as JSON for programs.
#pragma once

#include <string>

#include "cli/layout.hpp"

namespace nestbind::cli {

// A line on the machine, then for each level a table with a row for each team.
std::string format_text(const Layout& layout);

// {"spec", "slots", "warnings", "threads": [{"path", "cpus", "core", "package", "numa", "share"}]}
std::string format_json(const Layout& layout);

}  // namespace nestbind::cli
