// SPDX-License-Identifier: BSD-3-Clause
// Threads that the C library creates inside a call, out of reach of our pthread_create:
// asynchronous I/O (MPI-IO rests on it), timers that notify by a thread.
#include <aio.h>
#include <time.h>

#include "binding/widened.hpp"
#include "interpose/next_function.hpp"

using nestbind::binding::widened;

NESTBIND_INTERPOSE int aio_read(aiocb* block) noexcept {
  return widened(NESTBIND_NEXT(aio_read), block);
}

NESTBIND_INTERPOSE int aio_write(aiocb* block) noexcept {
  return widened(NESTBIND_NEXT(aio_write), block);
}

NESTBIND_INTERPOSE int aio_fsync(int operation, aiocb* block) noexcept {
  return widened(NESTBIND_NEXT(aio_fsync), operation, block);
}

NESTBIND_INTERPOSE int aio_read64(aiocb64* block) noexcept {
  return widened(NESTBIND_NEXT(aio_read64), block);
}

NESTBIND_INTERPOSE int aio_write64(aiocb64* block) noexcept {
  return widened(NESTBIND_NEXT(aio_write64), block);
}

NESTBIND_INTERPOSE int aio_fsync64(int operation, aiocb64* block) noexcept {
  return widened(NESTBIND_NEXT(aio_fsync64), operation, block);
}

NESTBIND_INTERPOSE int lio_listio(int mode, aiocb* const blocks[], int count,
                                  sigevent* event) noexcept {
  return widened(NESTBIND_NEXT(lio_listio), mode, blocks, count, event);
}

NESTBIND_INTERPOSE int lio_listio64(int mode, aiocb64* const blocks[], int count,
                                    sigevent* event) noexcept {
  return widened(NESTBIND_NEXT(lio_listio64), mode, blocks, count, event);
}

NESTBIND_INTERPOSE int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  return widened(NESTBIND_NEXT(timer_create), clock, event, timer);
}
