// SPDX-License-Identifier: BSD-3-Clause
// What the command says to its user on the standard error output, and its exit statuses.
#pragma once

#include <fmt/core.h>
#include <nestbind/nestbind.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace nestbind::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;  // the machine or the library cannot be had; doctor: not bound
inline constexpr int kUsage = 2;    // arguments, variables or specification
inline constexpr int kStrict = NESTBIND_STRICT_STATUS;  // run --strict: it would not be bound
inline constexpr int kCannotExecute = 126;
inline constexpr int kNotFound = 127;

template <typename... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  // One write for the whole line: other processes of a job write to the same place.
  const std::string line = "nestbind: " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

// The same with "warning: " before it; NESTBIND_QUIET=1 leaves it out.
template <typename... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  const char* quiet = std::getenv("NESTBIND_QUIET");
  if (quiet == nullptr || std::string_view(quiet) != "1") {
    say("warning: {}", fmt::format(format, std::forward<Args>(args)...));
  }
}

}  // namespace nestbind::cli
