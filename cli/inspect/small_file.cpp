// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/small_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace nestbind::cli::inspect {

namespace {

constexpr std::size_t kMost = std::size_t{16} << 20;

// What can be read of an open file, of at most `most`; nothing, with errno, at a fault. Closes it.
std::optional<std::string> read_open(int file, std::size_t most) {
  std::string text;
  char part[4096];
  ssize_t count = 0;
  while (text.size() < most && (count = read(file, part, sizeof part)) > 0) {
    text.append(part, static_cast<std::size_t>(count));
  }
  const int fault = errno;
  close(file);
  errno = fault;
  return count < 0 ? std::nullopt : std::optional(text);
}

}  // namespace

std::optional<std::string> read_file(const std::string& name) {
  const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  return file < 0 ? std::nullopt : read_open(file, kMost);
}

std::optional<std::string> read_regular_file(const std::string& name, std::string& fault) {
  const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat state{};
  if (file >= 0 && fstat(file, &state) == 0 && !S_ISREG(state.st_mode)) {
    close(file);
    fault = "no regular file";
    return std::nullopt;
  }
  auto text = file < 0 ? std::nullopt : read_open(file, kMost + 1);
  fault = text ? "" : std::strerror(errno);
  if (text && text->size() > kMost) {
    fault = "more than 16 MB";
    text.reset();
  }
  return text;
}

}  // namespace nestbind::cli::inspect
