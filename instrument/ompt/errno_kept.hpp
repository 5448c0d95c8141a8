// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cerrno>

namespace nestbind::ompt {

// The program does not expect a parallel region to change errno.
class ErrnoKept {
 public:
  ErrnoKept() : kept_(errno) {}
  ~ErrnoKept() { errno = kept_; }
  ErrnoKept(const ErrnoKept&) = delete;
  ErrnoKept& operator=(const ErrnoKept&) = delete;

 private:
  const int kept_;
};

}  // namespace nestbind::ompt
