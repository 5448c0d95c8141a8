// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nestbind::show {

// A text in lines of at most `columns`, broken at blanks; the lines after the first one begin with
// `indent` blanks. What has no blank stays whole. columns: 0 for no limit.
std::string wrapped(std::string text, int columns, int indent = 0);

}  // namespace nestbind::show
