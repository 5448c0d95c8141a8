// SPDX-License-Identifier: BSD-3-Clause
// Hooks for calls with which the C library makes helper threads: asynchronous I/O (MPI-IO), timers.
#include <aio.h>
#include <time.h>

#include "binding/widened.hpp"
#include "interpose/next_function.hpp"

using nestbind::binding::widened;

#define NESTBIND_AIO(width)                                                                   \
  NESTBIND_INTERPOSE int aio_read##width(aiocb##width* block) noexcept {                      \
    return widened(NESTBIND_NEXT(aio_read##width), block);                                    \
  }                                                                                           \
  NESTBIND_INTERPOSE int aio_write##width(aiocb##width* block) noexcept {                     \
    return widened(NESTBIND_NEXT(aio_write##width), block);                                   \
  }                                                                                           \
  NESTBIND_INTERPOSE int aio_fsync##width(int operation, aiocb##width* block) noexcept {      \
    return widened(NESTBIND_NEXT(aio_fsync##width), operation, block);                        \
  }                                                                                           \
  NESTBIND_INTERPOSE int lio_listio##width(int mode, aiocb##width* const blocks[], int count, \
                                           sigevent* event) noexcept {                        \
    return widened(NESTBIND_NEXT(lio_listio##width), mode, blocks, count, event);             \
  }
NESTBIND_AIO()
NESTBIND_AIO(64)

NESTBIND_INTERPOSE int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  return widened(NESTBIND_NEXT(timer_create), clock, event, timer);
}
