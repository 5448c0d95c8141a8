// SPDX-License-Identifier: BSD-3-Clause
// Reads the kernel's files, whose size is not known before their end.
#pragma once

#include <cstddef>
#include <string>

#include "support/file_bytes.hpp"

namespace nestbind::memory::kernel {

inline std::string read_text(const std::string& name) {
  const support::File file(name.c_str());
  std::string text;
  char some[4096];
  for (long got = 0; (got = file.next(some, sizeof some)) > 0;) {
    text.append(some, static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace nestbind::memory::kernel
