// SPDX-License-Identifier: BSD-3-Clause
// What a thread sees of the system. The kernel gives only processes of one thread other users,
// times and memory: workers that wait are not in the way.
#include <sched.h>

#include "instrument/libc/followed_changes.hpp"
#include "interpose/next_function.hpp"
#include "workers/ending.hpp"

namespace {

// 0: any kind.
void be_alone_for(int kinds) {
  constexpr int kAlone = CLONE_NEWUSER | CLONE_NEWTIME | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM;
  if (kinds == 0 || (kinds & kAlone) != 0) {
    nestbind::workers::end_idle();
  }
}

}  // namespace

NESTBIND_INTERPOSE int unshare(int flags) noexcept {
  be_alone_for(flags);
  return nestbind::libc::changed_self(NESTBIND_NEXT_WHEN_CALLED(unshare)(flags));
}

NESTBIND_INTERPOSE int setns(int file, int kind) noexcept {
  be_alone_for(kind);
  return nestbind::libc::changed_self(NESTBIND_NEXT_WHEN_CALLED(setns)(file, kind));
}
