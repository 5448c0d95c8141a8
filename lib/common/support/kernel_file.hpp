// SPDX-License-Identifier: BSD-3-Clause
// Reads the kernel's files, whose size is not known before their end. Needs libstdc++.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "support/file_bytes.hpp"

namespace nestbind::support {

// Reads at least `most` bytes of a longer file. Not set if the file cannot be read (see errno).
inline std::optional<std::string> read_kernel_file(const std::string& name,
                                                   std::size_t most = std::size_t{64} << 20) {
  const File file(name.c_str());
  std::string text;
  char some[4096];
  long got = 1;
  while (text.size() < most && (got = file.next(some, sizeof some)) > 0) {
    text.append(some, static_cast<std::size_t>(got));
  }
  return got < 0 ? std::nullopt : std::optional(std::move(text));
}

inline std::string kernel_text(const std::string& name) {
  return read_kernel_file(name).value_or("");
}

}  // namespace nestbind::support
