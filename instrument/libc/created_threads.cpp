// SPDX-License-Identifier: BSD-3-Clause
// Hooks for the creation of threads: helper threads of bound threads, and workers of runtimes.
#include <aio.h>
#include <threads.h>
#include <time.h>

#include <atomic>

#include "binding/widened.hpp"
#include "interpose/next_function.hpp"
#include "omp/runtimes.hpp"
#include "placement/expected_workers.hpp"
#include "support/glibc.hpp"
#include "team/fork.hpp"
#include "workers/leaving.hpp"

using namespace nestbind;

namespace {

bool attributes_with_mask(const pthread_attr_t* attributes, const mask::CpuMask& mask,
                          pthread_attr_t& with_mask) {
  if (pthread_attr_init(&with_mask) != 0) {
    return false;
  }
  const auto* cpus = reinterpret_cast<const cpu_set_t*>(mask.bits);
  bool good = pthread_attr_setaffinity_np(&with_mask, mask.bytes, cpus) == 0;
  if (attributes != nullptr) {
    int state = 0;
    std::size_t size = 0;
    good = good && pthread_attr_getdetachstate(attributes, &state) == 0 &&
           pthread_attr_setdetachstate(&with_mask, state) == 0 &&
           pthread_attr_getstacksize(attributes, &size) == 0 &&
           pthread_attr_setstacksize(&with_mask, size) == 0 &&
           pthread_attr_getguardsize(attributes, &size) == 0 &&
           pthread_attr_setguardsize(&with_mask, size) == 0;
  }
  if (!good) {
    pthread_attr_destroy(&with_mask);
  }
  return good;
}

bool has_mask_of_its_own(const pthread_attr_t* attributes) {
  mask::MaskBuffer mask;
  if (attributes == nullptr ||
      pthread_attr_getaffinity_np(attributes, sizeof mask,
                                  reinterpret_cast<cpu_set_t*>(mask.bits)) != 0) {
    return false;
  }
  // Attributes without a mask report all processors.
  for (const unsigned long word : mask.bits) {
    if (word != ~0UL) {
      return true;
    }
  }
  return false;
}

constexpr int kMostStarts = 8;
constinit std::atomic<workers::Start*> g_starts[kMostStarts] = {};

// The thread's destructors run later, and may be the first code that forks.
template <int kStart>
void* run_worker(void* argument) {
  void* result = nullptr;
  // A runtime may also end the thread by pthread_exit.
  pthread_cleanup_push([](void*) { team::thread_ends(); }, nullptr);
  result = g_starts[kStart].load(std::memory_order_relaxed)(argument);
  pthread_cleanup_pop(1);
  return result;
}

template <int kStart = 0>
workers::Start* with_end(workers::Start* start) {
  if constexpr (kStart == kMostStarts) {
    return start;
  } else {
    workers::Start* present = g_starts[kStart].load(std::memory_order_relaxed);
    const bool is_its =
        present == start ||
        (present == nullptr &&
         (g_starts[kStart].compare_exchange_strong(present, start) || present == start));
    return is_its ? run_worker<kStart> : with_end<kStart + 1>(start);
  }
}

int create_worker(pthread_t* thread, const pthread_attr_t* attributes, workers::Start* start,
                  void* argument) {
  return NESTBIND_NEXT(pthread_create)(thread, attributes,
                                       support::is_glibc() ? with_end(start) : start, argument);
}

int create_in_place(pthread_t* thread, const pthread_attr_t* attributes, workers::Start* start,
                    void* argument) {
  const mask::CpuMask mask = placement::mask_for_new_worker();
  pthread_attr_t with_mask;
  if (mask.bits == nullptr || !attributes_with_mask(attributes, mask, with_mask)) {
    return create_worker(thread, attributes, start, argument);
  }
  int result = create_worker(thread, &with_mask, start, argument);
  pthread_attr_destroy(&with_mask);
  if (result != 0) {  // e.g. a processor is offline, or a sandbox forbids masks
    result = create_worker(thread, attributes, start, argument);
  }
  return result;
}

// False if the runtime is linked into the program.
bool is_worker(workers::Start* start) {
  return omp::is_in_runtime(reinterpret_cast<uintptr_t>(start));
}

int create_thread(pthread_t* thread, const pthread_attr_t* attributes, workers::Start* function,
                  void* argument) {
  auto* create = is_worker(function) ? create_worker : NESTBIND_NEXT(pthread_create);
  return workers::with_room([&] { return create(thread, attributes, function, argument); },
                            workers::kReturnsError);
}

}  // namespace

NESTBIND_INTERPOSE int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                      void* (*function)(void*), void* argument) noexcept {
  if (placement::is_expected_worker(function)) {
    return placement::provide_worker({thread, attributes, function, argument}, create_in_place);
  }
  if (!binding::self_is_bound() || is_worker(function) || has_mask_of_its_own(attributes)) {
    return create_thread(thread, attributes, function, argument);
  }
  return binding::create_free(function, argument, [&](auto* start, void* begun_with) {
    return create_thread(thread, attributes, start, begun_with);
  });
}

NESTBIND_INTERPOSE int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  return binding::create_free(function, argument, [&](auto* start, void* begun_with) {
    return workers::with_room(
        [&] { return NESTBIND_NEXT(thrd_create)(thread, start, begun_with); },
        [](int result) { return result == thrd_error || result == thrd_nomem; });
  });
}

// Hooks for calls with which the C library makes helper threads: asynchronous I/O (MPI-IO), timers.

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
