// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "support/files.hpp"

namespace nestbind::cli::inspect {

namespace {

// No program is larger than this limit. A sparse file may be larger than the address space.
constexpr off_t kMaxSize = off_t{1} << 34;

std::string fault_of(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) {
    return S_ISDIR(status.st_mode) ? "Is a directory" : "Not a regular file";
  }
  return status.st_size > kMaxSize ? "Larger than 16 GiB" : "";
}

}  // namespace

// The test by stat() is first, because opening a device may have an effect.
MappedFile::MappedFile(const std::string& path) {
  struct stat status{};
  bool is_good = stat(path.c_str(), &status) == 0;
  fault_ = is_good ? fault_of(status) : std::strerror(errno);
  if (!fault_.empty()) {
    return;
  }
  // open() must not wait, because by now a pipe may have replaced the file.
  const support::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  is_good = file.is_open() && fstat(file.number(), &status) == 0;
  fault_ = is_good ? fault_of(status) : std::strerror(errno);
  if (!fault_.empty() || status.st_size == 0) {
    return;
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (data == MAP_FAILED) {
    fault_ = std::strerror(errno);
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
