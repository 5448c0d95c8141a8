// SPDX-License-Identifier: BSD-3-Clause
// The libraries that the loader loads before those that a program needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli::inspect {

// The names in LD_PRELOAD.
std::vector<std::string> names_in_preload(std::string_view variable);

// The names in a file such as /etc/ld.so.preload, where "#" begins a comment.
std::vector<std::string> names_in_preload_file(std::string_view text);

// All of a process, in the loader's order.
std::vector<std::string> preloads(const std::string& variable);

}  // namespace nestbind::cli::inspect
