// SPDX-License-Identifier: BSD-3-Clause
// Threads that are created: helpers of bound threads, and workers of OpenMP runtimes.
#include <pthread.h>
#include <threads.h>

#include "binding/new_thread.hpp"
#include "interpose/next_function.hpp"
#include "placement/expected_workers.hpp"
#include "workers/room.hpp"

using namespace nestbind;

namespace {

// Attributes with the same stack and state, and a mask. Returns false where that cannot be had.
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
  // Attributes without a mask answer with all processors.
  for (const unsigned long word : mask.bits) {
    if (word != ~0UL) {
      return true;
    }
  }
  return false;
}

auto* next_create() { return NESTBIND_NEXT(pthread_create); }

// A new worker begins where it is planned, if that is known.
int create_in_place(pthread_t* thread, const pthread_attr_t* attributes, workers::Start* start,
                    void* argument) {
  auto* create = next_create();
  const mask::CpuMask mask = placement::mask_for_new_worker();
  pthread_attr_t with_mask;
  if (mask.bits == nullptr || !attributes_with_mask(attributes, mask, with_mask)) {
    return create(thread, attributes, start, argument);
  }
  int result = create(thread, &with_mask, start, argument);
  pthread_attr_destroy(&with_mask);
  if (result != 0) {  // a processor has gone away, or a sandbox forbids masks
    result = create(thread, attributes, start, argument);
  }
  return result;
}

}  // namespace

namespace {

// All threads but those that lib/workers asks for, which makes room itself.
int create_thread(pthread_t* thread, const pthread_attr_t* attributes, workers::Start* function,
                  void* argument) {
  auto* create = next_create();
  return workers::with_room([&] { return create(thread, attributes, function, argument); },
                            workers::kReturnsError);
}

}  // namespace

NESTBIND_INTERPOSE int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                      void* (*function)(void*), void* argument) noexcept {
  if (placement::is_expected_worker(function)) {
    return placement::provide_worker({thread, attributes, function, argument}, create_in_place);
  }
  if (!binding::self_is_bound() || placement::is_worker(function) ||
      has_mask_of_its_own(attributes)) {
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
