// SPDX-License-Identifier: BSD-3-Clause
// The command's messages to its user on the standard error output, and its exit statuses.
#pragma once

#include <fmt/core.h>
#include <nestbind/nestbind.h>

#include <cerrno>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "cli/common/printable.hpp"

namespace nestbind::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;
inline constexpr int kStrict = NESTBIND_STRICT_STATUS;  // run --strict would bind nothing
inline constexpr int kCannotExecute = 126;
inline constexpr int kNotFound = 127;

// Parts from outside must already be printable.
inline void say_printable(const std::string& text) {
  // Writes the whole text at once, because other processes of a job may write to the same output.
  const std::string line = "nestbind: " + text + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

template <typename Arg>
auto to_be_shown(const Arg& arg) {
  if constexpr (std::convertible_to<const Arg&, std::string_view>) {
    return printable(arg);
  } else {
    return arg;
  }
}

template <typename... Shown>
std::string format_shown(fmt::string_view format, const Shown&... shown) {
  return fmt::vformat(format, fmt::make_format_args(shown...));
}

// Texts among the arguments become printable.
template <typename... Args>
std::string format_printable(fmt::format_string<Args...> format, Args&&... args) {
  return format_shown(format, to_be_shown(args)...);
}

template <typename... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  say_printable(format_printable(format, std::forward<Args>(args)...));
}

// Writes nothing if NESTBIND_QUIET=1.
template <typename... Args>
void remark(fmt::format_string<Args...> format, Args&&... args) {
  const char* quiet = std::getenv("NESTBIND_QUIET");
  if (quiet == nullptr || std::string_view(quiet) != "1") {
    say_printable(format_printable(format, std::forward<Args>(args)...));
  }
}

template <typename... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  remark("warning: {}", fmt::format(format, std::forward<Args>(args)...));
}

// If the output was not written, says so and returns kFailure.
inline int written(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return status;
  }
  say("cannot write: {}", std::strerror(errno));
  return kFailure;
}

}  // namespace nestbind::cli
