// SPDX-License-Identifier: BSD-3-Clause
// Functions that only glibc has. The references are weak, because a program for musl may inherit
// LD_PRELOAD.
#pragma once

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <pthread.h>

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the C library's names
extern "C" int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* library);
extern "C" int __register_atfork(void (*before)(), void (*behind)(), void (*in_child)(),
                                 void* library) noexcept;
extern "C" __attribute__((visibility("hidden"))) void* __dso_handle;
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

#pragma weak __cxa_thread_atexit_impl
#pragma weak __pthread_register_cancel
#pragma weak __pthread_unregister_cancel
#pragma weak __register_atfork
#pragma weak _r_debug
#pragma weak dladdr1
#pragma weak gnu_get_libc_version
#pragma weak pthread_attr_getaffinity_np
#pragma weak pthread_attr_setaffinity_np

namespace nestbind::support {

inline bool is_glibc() { return &gnu_get_libc_version != nullptr; }

// Does the same as pthread_atfork, which glibc links statically into a library.
inline int at_fork(void (*before)(), void (*behind)(), void (*in_child)()) {
  return __register_atfork(before, behind, in_child, static_cast<void*>(&__dso_handle));
}

// Makes the calling thread call `function` when the thread ends or calls exit(). The call comes
// before the functions of atexit and the destructors of static objects. Takes the loader's lock. A
// worker must not call at_thread_end(). The loader holds this lock while it runs a library's
// constructors, and a constructor may wait for the worker.
inline bool at_thread_end(void (*function)(void*), void* object) {
  return __cxa_thread_atexit_impl(function, object, static_cast<void*>(&__dso_handle)) == 0;
}

}  // namespace nestbind::support
