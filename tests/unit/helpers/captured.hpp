// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>

namespace fresh {

// Captures the standard error output while this object exists.
class Captured {
 public:
  Captured() : file_(memfd_create("captured", MFD_CLOEXEC)), before_(dup(STDERR_FILENO)) {
    dup2(file_, STDERR_FILENO);
  }
  ~Captured() {
    dup2(before_, STDERR_FILENO);
    close(before_);
    close(file_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  std::string text() const {
    std::string all(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
    return pread(file_, all.data(), all.size(), 0) < 0 ? "?" : all;
  }

 private:
  int file_;
  int before_;
};

inline int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace fresh
