// SPDX-License-Identifier: BSD-3-Clause
// Reads the kernel's files, whose size is not known before their end.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <string>

namespace nestbind::memory::kernel {

// All of a file; empty if it cannot be read. Programs that are started meanwhile do not inherit the
// descriptor. Throws only std::bad_alloc.
inline std::string read_text(const std::string& name) {
  std::string text;
  const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return text;
  }
  char some[4096];
  try {
    for (ssize_t got = 0; (got = read(file, some, sizeof some)) > 0;) {
      text.append(some, static_cast<std::size_t>(got));
    }
  } catch (...) {
    close(file);
    throw;
  }
  close(file);
  return text;
}

}  // namespace nestbind::memory::kernel
