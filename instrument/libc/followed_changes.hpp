// SPDX-License-Identifier: BSD-3-Clause
// Notes that a call has changed a thread, unless the call failed.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include "owner/purpose.hpp"
#include "process/original_mask.hpp"
#include "workers/changes.hpp"

// With these macros a hook jumps to the next function. Such a hook has no stack frame.
#if defined(__clang__)
#define NESTBIND_JUMPS
#define NESTBIND_JUMP [[clang::musttail]]
#else
#define NESTBIND_JUMPS __attribute__((optimize("O2")))
#define NESTBIND_JUMP
#endif

namespace nestbind::libc {

// Notes a change that new threads inherit.
template <typename Result>
Result changed_self(Result result) {
  if (result >= 0) {
    workers::note_change();
  }
  return result;
}

// Notes a change that new threads do not inherit.
template <typename Result>
Result changed_own(Result result) {
  if (result >= 0) {
    workers::note_own_change();
  }
  return result;
}

// thread: 0 means the calling thread.
template <typename Result, typename Identifier>
Result changed(Result result, Identifier thread) {
  if (result >= 0) {
    workers::note_change_of(static_cast<pid_t>(thread));
  }
  return result;
}

// code: the return address of the program's call.
template <typename Set, typename Identifier>
auto change_mask(Set set, Identifier thread, const void* code) {
  process::learn_original_mask();  // a library's constructor may run before ours
  const bool by_runtime = placement::runtime_sets_mask(code);
  const auto result = set();
  if (result >= 0) {
    placement::note_mask_set(static_cast<pid_t>(thread), by_runtime, code);
  }
  return changed(result, thread);
}

// error: 0, or an error of the call.
inline int changed_handle(int error, pthread_t thread) {
  if (error == 0) {
    workers::note_change_of_handle(thread);
  }
  return error;
}

}  // namespace nestbind::libc
