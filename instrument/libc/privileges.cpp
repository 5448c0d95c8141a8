// SPDX-License-Identifier: BSD-3-Clause
// What a thread may do, and what it sees of the system. (setuid and the like change all threads in
// the C library.)
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/personality.h>

#include "instrument/libc/changes.hpp"
#include "interpose/next_function.hpp"

using nestbind::libc::changed_self;
using nestbind::workers::note_change;

// These two tell no error.
NESTBIND_INTERPOSE int setfsuid(uid_t user) noexcept {
  note_change();
  return NESTBIND_NEXT_WHEN_CALLED(setfsuid)(user);
}

NESTBIND_INTERPOSE int setfsgid(gid_t group) noexcept {
  note_change();
  return NESTBIND_NEXT_WHEN_CALLED(setfsgid)(group);
}

// Of no header.
NESTBIND_INTERPOSE int capset(void* header, const void* capabilities) noexcept {
  return changed_self(NESTBIND_NEXT_WHEN_CALLED(capset)(header, capabilities));
}

NESTBIND_INTERPOSE int unshare(int flags) noexcept {
  nestbind::libc::be_alone_for(flags);
  return changed_self(NESTBIND_NEXT_WHEN_CALLED(unshare)(flags));
}

NESTBIND_INTERPOSE int setns(int file, int kind) noexcept {
  nestbind::libc::be_alone_for(kind);
  return changed_self(NESTBIND_NEXT_WHEN_CALLED(setns)(file, kind));
}

NESTBIND_INTERPOSE int personality(unsigned long persona) noexcept {
  constexpr unsigned long kAsk = 0xffffffff;
  const int result = NESTBIND_NEXT_WHEN_CALLED(personality)(persona);
  return persona == kAsk ? result : changed_self(result);
}

NESTBIND_INTERPOSE int pkey_alloc(unsigned flags, unsigned rights) noexcept {
  return changed_self(NESTBIND_NEXT_WHEN_CALLED(pkey_alloc)(flags, rights));
}

NESTBIND_INTERPOSE int pkey_set(int key, unsigned rights) noexcept {
  return changed_self(NESTBIND_NEXT_WHEN_CALLED(pkey_set)(key, rights));
}

#if defined(__x86_64__)
#include <sys/io.h>

NESTBIND_INTERPOSE int iopl(int level) noexcept {
  return changed_self(NESTBIND_NEXT_WHEN_CALLED(iopl)(level));
}

NESTBIND_INTERPOSE int ioperm(unsigned long from, unsigned long count, int on) noexcept {
  return changed_self(NESTBIND_NEXT_WHEN_CALLED(ioperm)(from, count, on));
}
#endif
