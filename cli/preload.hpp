// SPDX-License-Identifier: BSD-3-Clause
// Where libnestbind is, and what LD_PRELOAD becomes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/preload_list.hpp"

namespace nestbind::cli {

using support::is_sanitizer;
using support::kLibraryFile;
using support::preload_with;
using support::preload_without;

// The library: the file that is asked for, or if empty the one that belongs to this command,
// installed or in the build tree. None if it is not there, with a message.
std::optional<std::string> find_library(const std::string& asked);

// The first of a program's libraries that is one; empty if none is.
std::string needed_sanitizer(const std::vector<std::string>& needed);

}  // namespace nestbind::cli
