// SPDX-License-Identifier: BSD-3-Clause
// The C library's own way to have something done when the calling thread ends, or calls exit():
// before the functions of atexit, and before the destructors of static objects. It takes the
// loader's lock: who waits for it while a constructor's region waits for its worker waits for ever.
#pragma once

#include "support/glibc.hpp"

namespace nestbind::workers {

// Returns whether it will be called.
inline bool at_thread_end(void (*function)(void*), void* object) {
  return __cxa_thread_atexit_impl(function, object, static_cast<void*>(&__dso_handle)) == 0;
}

}  // namespace nestbind::workers
