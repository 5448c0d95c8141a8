// SPDX-License-Identifier: BSD-3-Clause
// libnestbind-pomp.so: the entries of OPARI 1's library for Fortran. A region is its number in the
// program's pomp_rd_table.
#include "instrument/pomp-library/opari1/region.hpp"
#include "instrument/pomp/next.hpp"

using namespace nestbind::opari1;
using namespace nestbind::pomp;

extern "C" {
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

NESTBIND_POMP void pomp_finalize_() { hand_on<"pomp_finalize_">(); }

NESTBIND_POMP void pomp_init_() { hand_on<"pomp_init_">(); }

NESTBIND_POMP void pomp_off_() { hand_on<"pomp_off_">(); }

NESTBIND_POMP void pomp_on_() { hand_on<"pomp_on_">(); }

NESTBIND_POMP void pomp_parallel_begin_(int* region) {
  enter_region(region_of(*region));
  hand_on<"pomp_parallel_begin_">(region);
}

NESTBIND_POMP void pomp_parallel_end_(int* region) {
  hand_on<"pomp_parallel_end_">(region);
  leave_region(region_of(*region));
}

NESTBIND_POMP void pomp_parallel_fork_(int* region) { hand_on<"pomp_parallel_fork_">(region); }

NESTBIND_POMP void pomp_parallel_join_(int* region) { hand_on<"pomp_parallel_join_">(region); }

NESTBIND_POMP void pomp_atomic_enter_(int* region) { hand_on<"pomp_atomic_enter_">(region); }

NESTBIND_POMP void pomp_atomic_exit_(int* region) { hand_on<"pomp_atomic_exit_">(region); }

NESTBIND_POMP void pomp_barrier_enter_(int* region) { hand_on<"pomp_barrier_enter_">(region); }

NESTBIND_POMP void pomp_barrier_exit_(int* region) { hand_on<"pomp_barrier_exit_">(region); }

NESTBIND_POMP void pomp_flush_enter_(int* region) { hand_on<"pomp_flush_enter_">(region); }

NESTBIND_POMP void pomp_flush_exit_(int* region) { hand_on<"pomp_flush_exit_">(region); }

NESTBIND_POMP void pomp_critical_begin_(int* region) { hand_on<"pomp_critical_begin_">(region); }

NESTBIND_POMP void pomp_critical_end_(int* region) { hand_on<"pomp_critical_end_">(region); }

NESTBIND_POMP void pomp_critical_enter_(int* region) { hand_on<"pomp_critical_enter_">(region); }

NESTBIND_POMP void pomp_critical_exit_(int* region) { hand_on<"pomp_critical_exit_">(region); }

NESTBIND_POMP void pomp_do_enter_(int* region) { hand_on<"pomp_do_enter_">(region); }

NESTBIND_POMP void pomp_do_exit_(int* region) { hand_on<"pomp_do_exit_">(region); }

NESTBIND_POMP void pomp_master_begin_(int* region) { hand_on<"pomp_master_begin_">(region); }

NESTBIND_POMP void pomp_master_end_(int* region) { hand_on<"pomp_master_end_">(region); }

NESTBIND_POMP void pomp_section_begin_(int* region) { hand_on<"pomp_section_begin_">(region); }

NESTBIND_POMP void pomp_section_end_(int* region) { hand_on<"pomp_section_end_">(region); }

NESTBIND_POMP void pomp_sections_enter_(int* region) { hand_on<"pomp_sections_enter_">(region); }

NESTBIND_POMP void pomp_sections_exit_(int* region) { hand_on<"pomp_sections_exit_">(region); }

NESTBIND_POMP void pomp_single_begin_(int* region) { hand_on<"pomp_single_begin_">(region); }

NESTBIND_POMP void pomp_single_end_(int* region) { hand_on<"pomp_single_end_">(region); }

NESTBIND_POMP void pomp_single_enter_(int* region) { hand_on<"pomp_single_enter_">(region); }

NESTBIND_POMP void pomp_single_exit_(int* region) { hand_on<"pomp_single_exit_">(region); }

NESTBIND_POMP void pomp_workshare_enter_(int* region) { hand_on<"pomp_workshare_enter_">(region); }

NESTBIND_POMP void pomp_workshare_exit_(int* region) { hand_on<"pomp_workshare_exit_">(region); }

NESTBIND_POMP void pomp_begin_(int* region) { hand_on<"pomp_begin_">(region); }

NESTBIND_POMP void pomp_end_(int* region) { hand_on<"pomp_end_">(region); }

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
