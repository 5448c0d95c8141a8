// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace nestbind::cli::inspect {

namespace {

constexpr std::size_t kMost = std::size_t{16} << 20;

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

// No program is larger than this limit. A sparse file may be larger than the address space.
constexpr off_t kMaxSize = off_t{1} << 34;

std::string fault_of(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) {
    return S_ISDIR(status.st_mode) ? "Is a directory" : "Not a regular file";
  }
  return status.st_size > kMaxSize ? "Larger than 16 GiB" : "";
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

MappedFile::MappedFile(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    error_ = errno;
  } else if (fault_ = fault_of(status); fault_.empty()) {
    // open() must not wait, because by now a pipe may have replaced the file.
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    error_ = file < 0 ? errno : 0;
    if (file >= 0) {
      map(file);
      close(file);
    }
  }
  if (error_ != 0) {
    fault_ = std::strerror(error_);
  }
}

void MappedFile::map(int file) {
  struct stat status{};
  if (fstat(file, &status) != 0) {
    error_ = errno;
    return;
  }
  fault_ = fault_of(status);
  if (!fault_.empty() || status.st_size == 0) {
    return;
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (data == MAP_FAILED) {
    error_ = errno;
    return;
  }
  data_ = static_cast<const char*>(data);
  size_ = size;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    munmap(const_cast<char*>(data_), size_);
  }
}

}  // namespace nestbind::cli::inspect
