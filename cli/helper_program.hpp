// SPDX-License-Identifier: BSD-3-Clause
// Programs of ours that are asked in a process of their own, since a library in them may end it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli {

// One of this name, beside the modules of the library libnestbind.so; empty where it was not built.
std::string find_helper(const std::string& library, const std::string& name);

// What it answers to a text, in one thread: `count` numbers from 0 on, not above `most`, one in
// each line. None where it cannot be started, which is so without its own library, where it fails,
// and where it answers something else.
std::optional<std::vector<int>> ask_helper(const std::string& program, const std::string& input,
                                           std::size_t count, int most);

}  // namespace nestbind::cli
