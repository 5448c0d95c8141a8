// SPDX-License-Identifier: BSD-3-Clause
// Reads the bytes of a file by system calls, which have no hooks and are no cancellation points.
// The file is not mapped into memory, because another process may change it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "support/files.hpp"

namespace nestbind::support {

class File {
 public:
  explicit File(const char* name)
      : file_(system_call(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC)) {}

  bool is_open() const { return file_.is_open(); }

  // Returns the number of bytes, 0 at the file's end, or -1 for an error.
  long next(void* into, size_t size) const {
    return file_.is_open() ? system_call(SYS_read, file_.number(), into, size) : -1;
  }

  // Returns the number of bytes, at most `size`, or 0 after an error.
  size_t some(uint64_t at, void* into, size_t size) const {
    const long got =
        file_.is_open() ? system_call(SYS_pread64, file_.number(), into, size, at) : -1;
    return got < 0 ? 0 : static_cast<size_t>(got);
  }

  template <typename Object>
  bool get(uint64_t at, Object& object) const {
    return some(at, &object, sizeof object) == sizeof object;
  }

 private:
  const Descriptor file_;
};

}  // namespace nestbind::support
