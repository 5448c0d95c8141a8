// SPDX-License-Identifier: BSD-3-Clause
// Where libnestbind is, and what LD_PRELOAD becomes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli {

inline constexpr char kLibraryFile[] = "libnestbind.so";

// The library: the file that is asked for, or if empty the one that belongs to this command,
// installed or in the build tree. None if it is not there, with a message.
std::optional<std::string> find_library(const std::string& asked);

// LD_PRELOAD with the library before all others, but behind the sanitizers' runtimes, which have to
// come first. `sanitizer` is one that the program needs besides; may be empty.
std::string preload_with(const std::string& before, const std::string& library,
                         const std::string& sanitizer);

// LD_PRELOAD without nestbind's library, whatever folder it is in.
std::string preload_without(const std::string& before);

// Whether a library is the run-time of a sanitizer that must be the first to be loaded.
bool is_sanitizer(const std::string& name);

// The first of a program's libraries that is one; empty if none is.
std::string needed_sanitizer(const std::vector<std::string>& needed);

}  // namespace nestbind::cli
