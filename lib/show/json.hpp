// SPDX-License-Identifier: BSD-3-Clause
// A layout as JSON for programs.
#pragma once

#include "show/layout.hpp"

namespace nestbind::show {

// {"spec", "slots", "warnings", "threads": [{"path", "cpus", "core", "package", "numa", "share"}]}
std::string json_of(const Layout& layout);

}  // namespace nestbind::show
