// SPDX-License-Identifier: BSD-3-Clause
// Hooks for functions that change the calling thread's signal mask, and for jumps. A jump such as
// longjmp() may restore an earlier signal mask.
#undef _FORTIFY_SOURCE  // it replaces functions of the headers by other functions

#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include "instrument/libc/followed_changes.hpp"
#include "interpose/next_function.hpp"
#include "workers/quiet.hpp"

using nestbind::workers::note_mask;
using nestbind::workers::note_mask_change;

// NOLINTNEXTLINE(readability-identifier-naming): the C library's name
extern "C" [[noreturn]] void __longjmp_chk(__jmp_buf_tag* place, int value) noexcept;

namespace {

void note_mask_of(const __jmp_buf_tag* place) {
  if (place->__mask_was_saved != 0) {
    note_mask(&place->__saved_mask);
  }
}

}  // namespace

NESTBIND_INTERPOSE void siglongjmp(sigjmp_buf place, int value) noexcept {
  note_mask_of(place);
  NESTBIND_NEXT(siglongjmp)(place, value);
  __builtin_unreachable();
}

NESTBIND_INTERPOSE void longjmp(__jmp_buf_tag* place, int value) noexcept {
  note_mask_of(place);
  NESTBIND_NEXT(longjmp)(place, value);
  __builtin_unreachable();
}

NESTBIND_INTERPOSE void __longjmp_chk(__jmp_buf_tag* place, int value) noexcept {
  note_mask_of(place);
  NESTBIND_NEXT(__longjmp_chk)(place, value);
  __builtin_unreachable();
}

NESTBIND_INTERPOSE int setcontext(const ucontext_t* there) noexcept {
  note_mask(&there->uc_sigmask);
  return NESTBIND_NEXT(setcontext)(there);
}

// swapcontext() may return several times. A stack frame would be invalid at the second return.
NESTBIND_INTERPOSE NESTBIND_JUMPS int swapcontext(ucontext_t* here,
                                                  const ucontext_t* there) noexcept {
  note_mask(&there->uc_sigmask);
  NESTBIND_JUMP return NESTBIND_NEXT(swapcontext)(here, there);
}

NESTBIND_INTERPOSE int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (set != nullptr) {
    note_mask_change();
  }
  return NESTBIND_NEXT(pthread_sigmask)(how, set, old);
}

NESTBIND_INTERPOSE int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (set != nullptr) {
    note_mask_change();
  }
  return NESTBIND_NEXT(sigprocmask)(how, set, old);
}
