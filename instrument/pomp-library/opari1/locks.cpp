// SPDX-License-Identifier: BSD-3-Clause
// The entries that stand for calls of the OpenMP runtime, in C and in Fortran, where a lock is
// another type: without a library behind, the runtime's own is called.
#include "instrument/pomp/next.hpp"

using namespace nestbind::pomp;

extern "C" {
void omp_init_lock(void*);
void omp_destroy_lock(void*);
void omp_set_lock(void*);
void omp_unset_lock(void*);
int omp_test_lock(void*);
void omp_init_nest_lock(void*);
void omp_destroy_nest_lock(void*);
void omp_set_nest_lock(void*);
void omp_unset_nest_lock(void*);
int omp_test_nest_lock(void*);
void omp_init_lock_(void*);
void omp_destroy_lock_(void*);
void omp_set_lock_(void*);
void omp_unset_lock_(void*);
int omp_test_lock_(void*);
void omp_init_nest_lock_(void*);
void omp_destroy_nest_lock_(void*);
void omp_set_nest_lock_(void*);
void omp_unset_nest_lock_(void*);
int omp_test_nest_lock_(void*);
}

NESTBIND_POMP void pomp_init_lock(void* lock) {
  if (!hand_on<"pomp_init_lock">(lock)) {
    omp_init_lock(lock);
  }
}

NESTBIND_POMP void pomp_destroy_lock(void* lock) {
  if (!hand_on<"pomp_destroy_lock">(lock)) {
    omp_destroy_lock(lock);
  }
}

NESTBIND_POMP void pomp_set_lock(void* lock) {
  if (!hand_on<"pomp_set_lock">(lock)) {
    omp_set_lock(lock);
  }
}

NESTBIND_POMP void pomp_unset_lock(void* lock) {
  if (!hand_on<"pomp_unset_lock">(lock)) {
    omp_unset_lock(lock);
  }
}

NESTBIND_POMP int pomp_test_lock(void* lock) {
  auto* next = next_function<"pomp_test_lock", int(void*)>();
  return next != nullptr ? next(lock) : omp_test_lock(lock);
}

NESTBIND_POMP void pomp_init_nest_lock(void* lock) {
  if (!hand_on<"pomp_init_nest_lock">(lock)) {
    omp_init_nest_lock(lock);
  }
}

NESTBIND_POMP void pomp_destroy_nest_lock(void* lock) {
  if (!hand_on<"pomp_destroy_nest_lock">(lock)) {
    omp_destroy_nest_lock(lock);
  }
}

NESTBIND_POMP void pomp_set_nest_lock(void* lock) {
  if (!hand_on<"pomp_set_nest_lock">(lock)) {
    omp_set_nest_lock(lock);
  }
}

NESTBIND_POMP void pomp_unset_nest_lock(void* lock) {
  if (!hand_on<"pomp_unset_nest_lock">(lock)) {
    omp_unset_nest_lock(lock);
  }
}

NESTBIND_POMP int pomp_test_nest_lock(void* lock) {
  auto* next = next_function<"pomp_test_nest_lock", int(void*)>();
  return next != nullptr ? next(lock) : omp_test_nest_lock(lock);
}

NESTBIND_POMP void pomp_init_lock_(void* lock) {
  if (!hand_on<"pomp_init_lock_">(lock)) {
    omp_init_lock_(lock);
  }
}

NESTBIND_POMP void pomp_destroy_lock_(void* lock) {
  if (!hand_on<"pomp_destroy_lock_">(lock)) {
    omp_destroy_lock_(lock);
  }
}

NESTBIND_POMP void pomp_set_lock_(void* lock) {
  if (!hand_on<"pomp_set_lock_">(lock)) {
    omp_set_lock_(lock);
  }
}

NESTBIND_POMP void pomp_unset_lock_(void* lock) {
  if (!hand_on<"pomp_unset_lock_">(lock)) {
    omp_unset_lock_(lock);
  }
}

NESTBIND_POMP int pomp_test_lock_(void* lock) {
  auto* next = next_function<"pomp_test_lock_", int(void*)>();
  return next != nullptr ? next(lock) : omp_test_lock_(lock);
}

NESTBIND_POMP void pomp_init_nest_lock_(void* lock) {
  if (!hand_on<"pomp_init_nest_lock_">(lock)) {
    omp_init_nest_lock_(lock);
  }
}

NESTBIND_POMP void pomp_destroy_nest_lock_(void* lock) {
  if (!hand_on<"pomp_destroy_nest_lock_">(lock)) {
    omp_destroy_nest_lock_(lock);
  }
}

NESTBIND_POMP void pomp_set_nest_lock_(void* lock) {
  if (!hand_on<"pomp_set_nest_lock_">(lock)) {
    omp_set_nest_lock_(lock);
  }
}

NESTBIND_POMP void pomp_unset_nest_lock_(void* lock) {
  if (!hand_on<"pomp_unset_nest_lock_">(lock)) {
    omp_unset_nest_lock_(lock);
  }
}

NESTBIND_POMP int pomp_test_nest_lock_(void* lock) {
  auto* next = next_function<"pomp_test_nest_lock_", int(void*)>();
  return next != nullptr ? next(lock) : omp_test_nest_lock_(lock);
}
