// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace nestbind::cli::inspect {

MappedFile::MappedFile(const std::string& path) {
  // Without O_NONBLOCK a named pipe would wait for a writer.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status{};
  if (file < 0 || fstat(file, &status) != 0) {
    fault_ = std::strerror(errno);
  } else if (!S_ISREG(status.st_mode)) {
    fault_ = S_ISDIR(status.st_mode) ? "Is a directory" : "Not a regular file";
  } else if (status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) {
      fault_ = std::strerror(errno);
    } else {
      data_ = static_cast<const char*>(data);
      size_ = size;
    }
  }
  if (file >= 0) {
    close(file);
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    munmap(const_cast<char*>(data_), size_);
  }
}

}  // namespace nestbind::cli::inspect
