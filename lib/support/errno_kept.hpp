// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <errno.h>

namespace nestbind::support {

// The program does not expect what we do in between to change errno.
class ErrnoKept {
 public:
  ErrnoKept() = default;
  ~ErrnoKept() { errno = kept_; }
  ErrnoKept(const ErrnoKept&) = delete;
  ErrnoKept& operator=(const ErrnoKept&) = delete;

 private:
  const int kept_ = errno;
};

}  // namespace nestbind::support
