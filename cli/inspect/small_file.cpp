// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/small_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace nestbind::cli::inspect {

std::optional<std::string> read_file(const std::string& name) {
  constexpr std::size_t kMost = std::size_t{16} << 20;
  const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return std::nullopt;
  }
  std::string text;
  char part[4096];
  ssize_t count = 0;
  while (text.size() < kMost && (count = read(file, part, sizeof part)) > 0) {
    text.append(part, static_cast<std::size_t>(count));
  }
  const int fault = errno;
  close(file);
  errno = fault;
  return count < 0 ? std::nullopt : std::optional(text);
}

}  // namespace nestbind::cli::inspect
