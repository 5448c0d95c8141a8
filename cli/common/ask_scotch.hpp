// SPDX-License-Identifier: BSD-3-Clause
// Runs SCOTCH in another process (lib/planner/mapping/scotch), because SCOTCH may end its process.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli {

// library: libnestbind.so. Returns an empty path if SCOTCH was not built.
std::string find_scotch(const std::string& library);

// Returns SCOTCH's answer, which is `count` numbers from 0 to `most`. what: kMap or kDivide of
// scotch_border.hpp. Not set if the program cannot start (SCOTCH may be missing) or answers
// wrongly.
std::optional<std::vector<int>> ask_scotch(const std::string& program, const char* what,
                                           const std::string& problem, std::size_t count, int most);

}  // namespace nestbind::cli
