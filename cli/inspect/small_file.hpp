// SPDX-License-Identifier: BSD-3-Clause
// Files of /proc and /sys, whose sizes are not known before they are read.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli::inspect {

// The whole file, of at most 16 MB; nothing, with errno, where it cannot be read.
std::optional<std::string> read_file(const std::string& name);

// The whole of a file that a user names: nothing, with why, where it cannot be read, is no regular
// file (which others could let one wait for), or has more than 16 MB.
std::optional<std::string> read_regular_file(const std::string& name, std::string& fault);

// The same as read_file; empty where it cannot be read.
inline std::string read_small_file(const std::string& name) { return read_file(name).value_or(""); }

}  // namespace nestbind::cli::inspect
