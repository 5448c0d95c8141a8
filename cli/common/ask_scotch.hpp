// SPDX-License-Identifier: BSD-3-Clause
// SCOTCH, which is asked in a process of its own (lib/planner/mapping/scotch), since it may end the
// one that it is in.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli {

// The program, beside the modules of the library libnestbind.so; empty where it was not built.
std::string find_scotch(const std::string& library);

// What it answers, in one thread: `count` numbers from 0 on, not above `most`. what: kMap or
// kDivide of mapping/scotch/scotch_border.hpp; problem: its text. None where it cannot be started,
// which is so without SCOTCH's own library, where it fails, and where it answers something else.
std::optional<std::vector<int>> ask_scotch(const std::string& program, const char* what,
                                           const std::string& problem, std::size_t count, int most);

}  // namespace nestbind::cli
