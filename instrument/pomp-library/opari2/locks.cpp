// SPDX-License-Identifier: BSD-3-Clause
// The entries that stand for calls of the OpenMP runtime, in C and in Fortran, where a lock is
// another type: without a library behind, the runtime's own is called.
#include "instrument/pomp/next.hpp"

using namespace nestbind::pomp;

extern "C" {
void omp_init_lock(void*);
void omp_init_lock_(void*);
void omp_destroy_lock(void*);
void omp_destroy_lock_(void*);
void omp_set_lock(void*);
void omp_set_lock_(void*);
void omp_unset_lock(void*);
void omp_unset_lock_(void*);
int omp_test_lock(void*);
int omp_test_lock_(void*);
void omp_init_nest_lock(void*);
void omp_init_nest_lock_(void*);
void omp_destroy_nest_lock(void*);
void omp_destroy_nest_lock_(void*);
void omp_set_nest_lock(void*);
void omp_set_nest_lock_(void*);
void omp_unset_nest_lock(void*);
void omp_unset_nest_lock_(void*);
int omp_test_nest_lock(void*);
int omp_test_nest_lock_(void*);
}

NESTBIND_POMP void POMP2_Init_lock(void* lock) {
  if (!hand_on<"POMP2_Init_lock">(lock)) {
    omp_init_lock(lock);
  }
}

NESTBIND_POMP void pomp2_init_lock_(void* lock) {
  if (!hand_on<"pomp2_init_lock_">(lock)) {
    omp_init_lock_(lock);
  }
}

NESTBIND_POMP void POMP2_Destroy_lock(void* lock) {
  if (!hand_on<"POMP2_Destroy_lock">(lock)) {
    omp_destroy_lock(lock);
  }
}

NESTBIND_POMP void pomp2_destroy_lock_(void* lock) {
  if (!hand_on<"pomp2_destroy_lock_">(lock)) {
    omp_destroy_lock_(lock);
  }
}

NESTBIND_POMP void POMP2_Set_lock(void* lock) {
  if (!hand_on<"POMP2_Set_lock">(lock)) {
    omp_set_lock(lock);
  }
}

NESTBIND_POMP void pomp2_set_lock_(void* lock) {
  if (!hand_on<"pomp2_set_lock_">(lock)) {
    omp_set_lock_(lock);
  }
}

NESTBIND_POMP void POMP2_Unset_lock(void* lock) {
  if (!hand_on<"POMP2_Unset_lock">(lock)) {
    omp_unset_lock(lock);
  }
}

NESTBIND_POMP void pomp2_unset_lock_(void* lock) {
  if (!hand_on<"pomp2_unset_lock_">(lock)) {
    omp_unset_lock_(lock);
  }
}

NESTBIND_POMP int POMP2_Test_lock(void* lock) {
  auto* next = next_function<"POMP2_Test_lock", int(void*)>();
  return next != nullptr ? next(lock) : omp_test_lock(lock);
}

NESTBIND_POMP int pomp2_test_lock_(void* lock) {
  auto* next = next_function<"pomp2_test_lock_", int(void*)>();
  return next != nullptr ? next(lock) : omp_test_lock_(lock);
}

NESTBIND_POMP void POMP2_Init_nest_lock(void* lock) {
  if (!hand_on<"POMP2_Init_nest_lock">(lock)) {
    omp_init_nest_lock(lock);
  }
}

NESTBIND_POMP void pomp2_init_nest_lock_(void* lock) {
  if (!hand_on<"pomp2_init_nest_lock_">(lock)) {
    omp_init_nest_lock_(lock);
  }
}

NESTBIND_POMP void POMP2_Destroy_nest_lock(void* lock) {
  if (!hand_on<"POMP2_Destroy_nest_lock">(lock)) {
    omp_destroy_nest_lock(lock);
  }
}

NESTBIND_POMP void pomp2_destroy_nest_lock_(void* lock) {
  if (!hand_on<"pomp2_destroy_nest_lock_">(lock)) {
    omp_destroy_nest_lock_(lock);
  }
}

NESTBIND_POMP void POMP2_Set_nest_lock(void* lock) {
  if (!hand_on<"POMP2_Set_nest_lock">(lock)) {
    omp_set_nest_lock(lock);
  }
}

NESTBIND_POMP void pomp2_set_nest_lock_(void* lock) {
  if (!hand_on<"pomp2_set_nest_lock_">(lock)) {
    omp_set_nest_lock_(lock);
  }
}

NESTBIND_POMP void POMP2_Unset_nest_lock(void* lock) {
  if (!hand_on<"POMP2_Unset_nest_lock">(lock)) {
    omp_unset_nest_lock(lock);
  }
}

NESTBIND_POMP void pomp2_unset_nest_lock_(void* lock) {
  if (!hand_on<"pomp2_unset_nest_lock_">(lock)) {
    omp_unset_nest_lock_(lock);
  }
}

NESTBIND_POMP int POMP2_Test_nest_lock(void* lock) {
  auto* next = next_function<"POMP2_Test_nest_lock", int(void*)>();
  return next != nullptr ? next(lock) : omp_test_nest_lock(lock);
}

NESTBIND_POMP int pomp2_test_nest_lock_(void* lock) {
  auto* next = next_function<"pomp2_test_nest_lock_", int(void*)>();
  return next != nullptr ? next(lock) : omp_test_nest_lock_(lock);
}
