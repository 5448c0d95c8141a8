// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <errno.h>

namespace nestbind::support {

// Restores errno at the end of its scope: the program does not expect our code to change errno.
class ErrnoKept {
 public:
  [[gnu::always_inline]] ErrnoKept() : kept_(errno) {}
  [[gnu::always_inline]] ~ErrnoKept() { errno = kept_; }
  ErrnoKept(const ErrnoKept&) = delete;
  ErrnoKept& operator=(const ErrnoKept&) = delete;

 private:
  const int kept_;
};

}  // namespace nestbind::support
