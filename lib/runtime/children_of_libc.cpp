// SPDX-License-Identifier: BSD-3-Clause
// Threads and processes that the C library creates inside a call, out of reach of our
// pthread_create: asynchronous I/O (MPI-IO rests on it), timers and queues that notify by a thread,
// look-ups, wordexp.
#include <aio.h>
#include <mqueue.h>
#include <netdb.h>
#include <signal.h>
#include <time.h>
#include <wordexp.h>

#include "interpose/next_function.hpp"
#include "runtime/children.hpp"
#include "runtime/widened.hpp"

using nestbind::NextFunction;
using nestbind::runtime::Widened;

namespace {

template <typename... Arguments>
int widened(NextFunction<int(Arguments...)>& next, Arguments... arguments) {
  const Widened while_it_creates;
  return next.get()(arguments...);
}

constinit NextFunction<int(aiocb*)> g_aio_read{"aio_read"};
constinit NextFunction<int(aiocb*)> g_aio_write{"aio_write"};
constinit NextFunction<int(int, aiocb*)> g_aio_fsync{"aio_fsync"};
constinit NextFunction<int(aiocb64*)> g_aio_read64{"aio_read64"};
constinit NextFunction<int(aiocb64*)> g_aio_write64{"aio_write64"};
constinit NextFunction<int(int, aiocb64*)> g_aio_fsync64{"aio_fsync64"};
constinit NextFunction<int(int, aiocb* const*, int, sigevent*)> g_lio_listio{"lio_listio"};
constinit NextFunction<int(int, aiocb64* const*, int, sigevent*)> g_lio_listio64{"lio_listio64"};
constinit NextFunction<int(clockid_t, sigevent*, timer_t*)> g_timer_create{"timer_create"};
constinit NextFunction<int(mqd_t, const sigevent*)> g_mq_notify{"mq_notify"};
constinit NextFunction<int(int, gaicb**, int, sigevent*)> g_getaddrinfo_a{"getaddrinfo_a"};
constinit NextFunction<int(const char*, wordexp_t*, int)> g_wordexp{"wordexp"};

__attribute__((constructor)) void begin() {
  find_early(g_aio_read, g_aio_write, g_aio_fsync, g_aio_read64, g_aio_write64, g_aio_fsync64,
             g_lio_listio, g_lio_listio64, g_timer_create, g_mq_notify, g_getaddrinfo_a, g_wordexp);
}

}  // namespace

NESTBIND_INTERPOSE int aio_read(aiocb* block) noexcept { return widened(g_aio_read, block); }

NESTBIND_INTERPOSE int aio_write(aiocb* block) noexcept { return widened(g_aio_write, block); }

NESTBIND_INTERPOSE int aio_fsync(int operation, aiocb* block) noexcept {
  return widened(g_aio_fsync, operation, block);
}

NESTBIND_INTERPOSE int aio_read64(aiocb64* block) noexcept { return widened(g_aio_read64, block); }

NESTBIND_INTERPOSE int aio_write64(aiocb64* block) noexcept {
  return widened(g_aio_write64, block);
}

NESTBIND_INTERPOSE int aio_fsync64(int operation, aiocb64* block) noexcept {
  return widened(g_aio_fsync64, operation, block);
}

NESTBIND_INTERPOSE int lio_listio(int mode, aiocb* const blocks[], int count,
                                  sigevent* event) noexcept {
  return widened(g_lio_listio, mode, blocks, count, event);
}

NESTBIND_INTERPOSE int lio_listio64(int mode, aiocb64* const blocks[], int count,
                                    sigevent* event) noexcept {
  return widened(g_lio_listio64, mode, blocks, count, event);
}

NESTBIND_INTERPOSE int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  return widened(g_timer_create, clock, event, timer);
}

NESTBIND_INTERPOSE int mq_notify(mqd_t queue, const sigevent* event) noexcept {
  return widened(g_mq_notify, queue, event);
}

NESTBIND_INTERPOSE int getaddrinfo_a(int mode, gaicb* list[], int count, sigevent* event) {
  return widened(g_getaddrinfo_a, mode, list, count, event);
}

NESTBIND_INTERPOSE int wordexp(const char* words, wordexp_t* out, int flags) {
  return widened(g_wordexp, words, out, flags);
}
