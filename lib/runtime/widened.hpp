// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <errno.h>

#include "runtime/masks.hpp"

namespace nestbind::runtime {

// The calling thread has the process's mask while this lives: what is created in between inherits
// it.
class Widened {
 public:
  Widened() : bound_(bound_mask()) { unbind_self(); }
  ~Widened() {
    if (bound_.bits != nullptr) {
      const int saved = errno;
      bind_self(bound_);
      errno = saved;
    }
  }
  Widened(const Widened&) = delete;
  Widened& operator=(const Widened&) = delete;

 private:
  CpuMask bound_;
};

}  // namespace nestbind::runtime
