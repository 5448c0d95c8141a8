// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nestbind::show {

// Breaks a text at blanks into lines of at most `columns` (0: no limit). All lines except the first
// begin with `indent` blanks.
std::string wrapped(std::string text, int columns, int indent = 0);

}  // namespace nestbind::show
