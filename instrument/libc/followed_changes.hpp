// SPDX-License-Identifier: BSD-3-Clause
// Whose change it is that a call has made, from what it was given. Results go through; a call that
// has failed has changed nothing.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include "placement/purpose.hpp"
#include "workers/changes.hpp"

namespace nestbind::libc {

// Of the calling thread, and of what it creates from now on.
template <typename Result>
Result changed_self(Result result) {
  if (result >= 0) {
    workers::note_change();
  }
  return result;
}

// Of the calling thread alone.
template <typename Result>
Result changed_own(Result result) {
  if (result >= 0) {
    workers::note_own_change();
  }
  return result;
}

// Of the thread with this identifier; 0: the calling one.
template <typename Result, typename Identifier>
Result changed(Result result, Identifier thread) {
  if (result >= 0) {
    workers::note_change_of(static_cast<pid_t>(thread));
  }
  return result;
}

// Of a thread's mask, by set(); `code` is behind the call.
template <typename Set, typename Identifier>
auto change_mask(Set set, Identifier thread, const void* code) {
  const bool by_runtime = placement::runtime_sets_mask(code);
  const auto result = set();
  if (result >= 0) {
    placement::note_mask_set(static_cast<pid_t>(thread), by_runtime);
  }
  return changed(result, thread);
}

// Of the thread with this handle; such calls return an error, or 0.
inline int changed_handle(int error, pthread_t thread) {
  if (error == 0) {
    workers::note_change_of_handle(thread);
  }
  return error;
}

}  // namespace nestbind::libc
