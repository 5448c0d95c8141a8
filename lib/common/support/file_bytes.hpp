// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a file, by the kernel's own calls: nothing that others stand before, no point where
// a thread can be cancelled. A file that anybody may change meanwhile is read, not mapped.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "support/files.hpp"

namespace nestbind::support {

class File {
 public:
  // Of one that cannot be opened nothing can be read.
  explicit File(const char* name)
      : file_(system_call(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC)) {}

  // What comes next: how many bytes, at most `size`; 0 at its end, -1 where it cannot be read.
  long next(void* into, size_t size) const {
    return file_.is_open() ? system_call(SYS_read, file_.number(), into, size) : -1;
  }

  // How many bytes there are at this place, at most `size`; 0 also where it cannot be read.
  size_t some(uint64_t at, void* into, size_t size) const {
    const long got =
        file_.is_open() ? system_call(SYS_pread64, file_.number(), into, size, at) : -1;
    return got < 0 ? 0 : static_cast<size_t>(got);
  }

  // Whether all of an object is there.
  template <typename Object>
  bool get(uint64_t at, Object& object) const {
    return some(at, &object, sizeof object) == sizeof object;
  }

 private:
  const Descriptor file_;
};

}  // namespace nestbind::support
