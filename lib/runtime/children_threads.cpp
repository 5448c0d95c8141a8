// SPDX-License-Identifier: BSD-3-Clause
// Helper threads: pthread_create and thrd_create.
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

#include "interpose/next_function.hpp"
#include "runtime/children.hpp"
#include "runtime/masks.hpp"
#include "runtime/runtimes.hpp"
#include "runtime/thread.hpp"
#include "workers/crew.hpp"

namespace nestbind::runtime {

namespace {

using Start = void*(void*);

constinit NextFunction<int(pthread_t*, const pthread_attr_t*, Start*, void*)> g_pthread_create{
    "pthread_create"};
constinit NextFunction<decltype(thrd_create)> g_thrd_create{"thrd_create"};

__attribute__((constructor)) void begin() { find_early(g_pthread_create, g_thrd_create); }

// A new thread's own beginning, and the mask that it inherits from its creator.
template <typename Function>
struct Beginning {
  Function* function;
  void* argument;
  CpuMask inherited;
};

template <typename Result>
Result begin_free(void* memory) {
  const Beginning<Result(void*)> beginning = *static_cast<Beginning<Result(void*)>*>(memory);
  free(memory);
  // Another mask than the creator's was given on purpose.
  if (kernel_mask_is(beginning.inherited)) {
    set_kernel_mask(process_mask());
  }
  return beginning.function(beginning.argument);
}

template <typename Result>
Beginning<Result(void*)>* beginning_of(Result (*function)(void*), void* argument) {
  auto* beginning =
      static_cast<Beginning<Result(void*)>*>(malloc(sizeof(Beginning<Result(void*)>)));
  if (beginning != nullptr) {
    *beginning = {function, argument, bound_mask()};
  }
  return beginning;
}

// Whether a thread that begins there is an OpenMP runtime's worker: it is bound when it joins a
// team. A runtime linked into the program itself cannot be told from the program.
bool is_worker(Start* function) { return is_in_runtime(reinterpret_cast<uintptr_t>(function)); }

// Attributes with the same stack and state, and a mask. Returns false where that cannot be had.
bool attributes_with_mask(const pthread_attr_t* attributes, const CpuMask& mask,
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

// A worker of an OpenMP runtime begins where it is planned, if that is known. It is the one that
// was counted last.
int create_in_place(pthread_t* thread, const pthread_attr_t* attributes, Start* function,
                    void* argument) {
  auto* next = g_pthread_create.get();
  const CpuMask mask = masks_are_recorded() ? CpuMask{} : worker_mask(t_thread.expected_number - 1);
  pthread_attr_t with_mask;
  if (mask.bits == nullptr || !attributes_with_mask(attributes, mask, with_mask)) {
    return next(thread, attributes, function, argument);
  }
  int result = next(thread, &with_mask, function, argument);
  pthread_attr_destroy(&with_mask);
  if (result != 0) {  // a processor has gone away, or a sandbox forbids masks
    result = next(thread, attributes, function, argument);
  }
  return result;
}

// A worker for the team that the calling thread is forking.
int provide_worker(pthread_t* thread, const pthread_attr_t* attributes, Start* function,
                   void* argument) {
  ++t_thread.expected_number;
  if (workers::Crew* crew = t_thread.crew) {
    return workers::hire(*crew, {thread, attributes, function, argument}, create_in_place);
  }
  return create_in_place(thread, attributes, function, argument);
}

bool has_mask_of_its_own(const pthread_attr_t* attributes) {
  MaskBuffer mask;
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

}  // namespace

}  // namespace nestbind::runtime

using namespace nestbind::runtime;

NESTBIND_INTERPOSE int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                      void* (*function)(void*), void* argument) noexcept {
  auto* next = g_pthread_create.get();
  const bool is_forking = t_thread.expected_parent != nullptr || t_thread.crew != nullptr;
  if (is_forking && is_worker(function)) {
    return provide_worker(thread, attributes, function, argument);
  }
  if (!self_is_bound() || is_worker(function) || has_mask_of_its_own(attributes)) {
    return next(thread, attributes, function, argument);
  }
  auto* beginning = beginning_of(function, argument);
  if (beginning == nullptr) {
    return next(thread, attributes, function, argument);
  }
  const int result = next(thread, attributes, begin_free<void*>, beginning);
  if (result != 0) {
    free(beginning);
  }
  return result;
}

NESTBIND_INTERPOSE int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  auto* next = g_thrd_create.get();
  auto* beginning = !self_is_bound() ? nullptr : beginning_of(function, argument);
  if (beginning == nullptr) {
    return next(thread, function, argument);
  }
  const int result = next(thread, begin_free<int>, beginning);
  if (result != thrd_success) {
    free(beginning);
  }
  return result;
}
