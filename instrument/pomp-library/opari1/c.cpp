// SPDX-License-Identifier: BSD-3-Clause
// libnestbind-pomp.so: the entries of OPARI 1's pomp_lib.h for C and C++.
#include "instrument/pomp-library/opari1/region.hpp"
#include "instrument/pomp/next.hpp"

using namespace nestbind::opari1;
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
}

// Programs may look at it; OPARI 1's library sets it while it records.
extern "C" __attribute__((visibility("default"))) int pomp_tracing;
int pomp_tracing = 0;

NESTBIND_POMP void pomp_finalize() { hand_on<"pomp_finalize">(); }

NESTBIND_POMP void pomp_init() { hand_on<"pomp_init">(); }

NESTBIND_POMP void pomp_off() { hand_on<"pomp_off">(); }

NESTBIND_POMP void pomp_on() { hand_on<"pomp_on">(); }

NESTBIND_POMP void pomp_parallel_begin(ompregdescr* region) {
  enter_region(region);
  hand_on<"pomp_parallel_begin">(region);
}

NESTBIND_POMP void pomp_parallel_end(ompregdescr* region) {
  hand_on<"pomp_parallel_end">(region);
  leave_region(region);
}

NESTBIND_POMP void pomp_parallel_fork(ompregdescr* region) {
  hand_on<"pomp_parallel_fork">(region);
}

NESTBIND_POMP void pomp_parallel_join(ompregdescr* region) {
  hand_on<"pomp_parallel_join">(region);
}

NESTBIND_POMP void pomp_atomic_enter(ompregdescr* region) { hand_on<"pomp_atomic_enter">(region); }

NESTBIND_POMP void pomp_atomic_exit(ompregdescr* region) { hand_on<"pomp_atomic_exit">(region); }

NESTBIND_POMP void pomp_barrier_enter(ompregdescr* region) {
  hand_on<"pomp_barrier_enter">(region);
}

NESTBIND_POMP void pomp_barrier_exit(ompregdescr* region) { hand_on<"pomp_barrier_exit">(region); }

NESTBIND_POMP void pomp_flush_enter(ompregdescr* region) { hand_on<"pomp_flush_enter">(region); }

NESTBIND_POMP void pomp_flush_exit(ompregdescr* region) { hand_on<"pomp_flush_exit">(region); }

NESTBIND_POMP void pomp_critical_begin(ompregdescr* region) {
  hand_on<"pomp_critical_begin">(region);
}

NESTBIND_POMP void pomp_critical_end(ompregdescr* region) { hand_on<"pomp_critical_end">(region); }

NESTBIND_POMP void pomp_critical_enter(ompregdescr* region) {
  hand_on<"pomp_critical_enter">(region);
}

NESTBIND_POMP void pomp_critical_exit(ompregdescr* region) {
  hand_on<"pomp_critical_exit">(region);
}

NESTBIND_POMP void pomp_for_enter(ompregdescr* region) { hand_on<"pomp_for_enter">(region); }

NESTBIND_POMP void pomp_for_exit(ompregdescr* region) { hand_on<"pomp_for_exit">(region); }

NESTBIND_POMP void pomp_master_begin(ompregdescr* region) { hand_on<"pomp_master_begin">(region); }

NESTBIND_POMP void pomp_master_end(ompregdescr* region) { hand_on<"pomp_master_end">(region); }

NESTBIND_POMP void pomp_section_begin(ompregdescr* region) {
  hand_on<"pomp_section_begin">(region);
}

NESTBIND_POMP void pomp_section_end(ompregdescr* region) { hand_on<"pomp_section_end">(region); }

NESTBIND_POMP void pomp_sections_enter(ompregdescr* region) {
  hand_on<"pomp_sections_enter">(region);
}

NESTBIND_POMP void pomp_sections_exit(ompregdescr* region) {
  hand_on<"pomp_sections_exit">(region);
}

NESTBIND_POMP void pomp_single_begin(ompregdescr* region) { hand_on<"pomp_single_begin">(region); }

NESTBIND_POMP void pomp_single_end(ompregdescr* region) { hand_on<"pomp_single_end">(region); }

NESTBIND_POMP void pomp_single_enter(ompregdescr* region) { hand_on<"pomp_single_enter">(region); }

NESTBIND_POMP void pomp_single_exit(ompregdescr* region) { hand_on<"pomp_single_exit">(region); }

NESTBIND_POMP void pomp_workshare_enter(ompregdescr* region) {
  hand_on<"pomp_workshare_enter">(region);
}

NESTBIND_POMP void pomp_workshare_exit(ompregdescr* region) {
  hand_on<"pomp_workshare_exit">(region);
}

NESTBIND_POMP void pomp_begin(ompregdescr* region) { hand_on<"pomp_begin">(region); }

NESTBIND_POMP void pomp_end(ompregdescr* region) { hand_on<"pomp_end">(region); }

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
