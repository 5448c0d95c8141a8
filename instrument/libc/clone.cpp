// SPDX-License-Identifier: BSD-3-Clause
// Hook for the C library's clone. A child with its own memory runs our code first. Other children
// do not run our code, because they may have no thread-local variables of their own. Such a child
// inherits the creator's mask. So the creator has the process's mask until clone returns.
#include <sched.h>
#include <stdarg.h>

#include "binding/widened.hpp"
#include "interpose/next_function.hpp"
#include "placement/placement_start.hpp"
#include "workers/leaving.hpp"

namespace {

using nestbind::workers::kSetsErrno;
using nestbind::workers::with_room;

struct CloneBeginning {
  int (*function)(void*);
  void* argument;
};

int begin_free(void* memory) {
  const CloneBeginning beginning = *static_cast<CloneBeginning*>(memory);
  nestbind::placement::free_child();
  return beginning.function(beginning.argument);
}

template <typename Clone>
int create(Clone* next, CloneBeginning beginning, void* stack, int flags, va_list& more) {
  void* const parent_id = va_arg(more, void*);
  void* const thread_local_area = va_arg(more, void*);
  void* const child_id = va_arg(more, void*);
  const bool is_good = beginning.function != nullptr && stack != nullptr;
  if (is_good && (flags & (CLONE_VM | CLONE_SETTLS)) == 0) {
    return with_room(
        [&] {
          return next(begin_free, stack, flags, &beginning, parent_id, thread_local_area, child_id);
        },
        kSetsErrno);
  }
  const nestbind::binding::Widened while_it_creates;
  return with_room(
      [&] {
        return next(beginning.function, stack, flags, beginning.argument, parent_id,
                    thread_local_area, child_id);
      },
      kSetsErrno);
}

}  // namespace

NESTBIND_INTERPOSE int clone(int (*function)(void*), void* stack, int flags, void* argument,
                             ...) noexcept {
  va_list more;
  va_start(more, argument);
  const int child = create(NESTBIND_NEXT(clone), {function, argument}, stack, flags, more);
  va_end(more);
  return child;
}
