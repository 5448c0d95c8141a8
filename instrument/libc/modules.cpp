// SPDX-License-Identifier: BSD-3-Clause
// Hook for dlclose. Kept workers end first, because the library may contain their destructors.
#include "interpose/module.hpp"
#include "interpose/next_function.hpp"
#include "support/glibc.hpp"
#include "workers/ending.hpp"

namespace {

// The number of libraries that the calling thread is closing now. If the number is not 0, the
// thread has the loader's lock. We must not wait for workers then, because a worker's destructor
// may wait for the lock.
constinit thread_local int t_closing __attribute__((tls_model("initial-exec"))) = 0;

// True for the handle of the program (dlopen(nullptr)). Always true on musl, because musl unloads
// no library.
bool is_never_unloaded(const void* handle) {
  return !nestbind::support::is_glibc() || handle == _r_debug.r_map;
}

}  // namespace

NESTBIND_INTERPOSE int dlclose(void* handle) noexcept {
  if (is_never_unloaded(handle)) {
    return nestbind::interpose::close_module(handle);
  }
  nestbind::workers::end_all(t_closing == 0);
  nestbind::interpose::tell_closes();
  ++t_closing;
  const int result = nestbind::interpose::close_module(handle);
  --t_closing;
  nestbind::interpose::tell_closed();
  return result;
}
