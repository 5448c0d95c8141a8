// SPDX-License-Identifier: BSD-3-Clause
// The entries of pomp2_lib.h for Fortran that are only handed on: all by reference, and a text's
// length behind the arguments.
#include <stdint.h>

#include "instrument/pomp/next.hpp"

using namespace nestbind::pomp;

NESTBIND_POMP void pomp2_atomic_enter_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_atomic_enter_">(handle, ctc, length);
}

NESTBIND_POMP void pomp2_flush_enter_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_flush_enter_">(handle, ctc, length);
}

NESTBIND_POMP void pomp2_critical_enter_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_critical_enter_">(handle, ctc, length);
}

NESTBIND_POMP void pomp2_do_enter_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_do_enter_">(handle, ctc, length);
}

NESTBIND_POMP void pomp2_master_begin_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_master_begin_">(handle, ctc, length);
}

NESTBIND_POMP void pomp2_section_begin_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_section_begin_">(handle, ctc, length);
}

NESTBIND_POMP void pomp2_sections_enter_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_sections_enter_">(handle, ctc, length);
}

NESTBIND_POMP void pomp2_single_enter_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_single_enter_">(handle, ctc, length);
}

NESTBIND_POMP void pomp2_workshare_enter_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_workshare_enter_">(handle, ctc, length);
}

NESTBIND_POMP void pomp2_ordered_enter_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_ordered_enter_">(handle, ctc, length);
}

NESTBIND_POMP void pomp2_atomic_exit_(void** handle) { hand_on<"pomp2_atomic_exit_">(handle); }

NESTBIND_POMP void pomp2_flush_exit_(void** handle) { hand_on<"pomp2_flush_exit_">(handle); }

NESTBIND_POMP void pomp2_critical_begin_(void** handle) {
  hand_on<"pomp2_critical_begin_">(handle);
}

NESTBIND_POMP void pomp2_critical_end_(void** handle) { hand_on<"pomp2_critical_end_">(handle); }

NESTBIND_POMP void pomp2_critical_exit_(void** handle) { hand_on<"pomp2_critical_exit_">(handle); }

NESTBIND_POMP void pomp2_do_exit_(void** handle) { hand_on<"pomp2_do_exit_">(handle); }

NESTBIND_POMP void pomp2_master_end_(void** handle) { hand_on<"pomp2_master_end_">(handle); }

NESTBIND_POMP void pomp2_section_end_(void** handle) { hand_on<"pomp2_section_end_">(handle); }

NESTBIND_POMP void pomp2_sections_exit_(void** handle) { hand_on<"pomp2_sections_exit_">(handle); }

NESTBIND_POMP void pomp2_single_begin_(void** handle) { hand_on<"pomp2_single_begin_">(handle); }

NESTBIND_POMP void pomp2_single_end_(void** handle) { hand_on<"pomp2_single_end_">(handle); }

NESTBIND_POMP void pomp2_single_exit_(void** handle) { hand_on<"pomp2_single_exit_">(handle); }

NESTBIND_POMP void pomp2_workshare_exit_(void** handle) {
  hand_on<"pomp2_workshare_exit_">(handle);
}

NESTBIND_POMP void pomp2_ordered_begin_(void** handle) { hand_on<"pomp2_ordered_begin_">(handle); }

NESTBIND_POMP void pomp2_ordered_end_(void** handle) { hand_on<"pomp2_ordered_end_">(handle); }

NESTBIND_POMP void pomp2_ordered_exit_(void** handle) { hand_on<"pomp2_ordered_exit_">(handle); }

NESTBIND_POMP void pomp2_task_end_(void** handle) { hand_on<"pomp2_task_end_">(handle); }

NESTBIND_POMP void pomp2_untied_task_end_(void** handle) {
  hand_on<"pomp2_untied_task_end_">(handle);
}

NESTBIND_POMP void pomp2_barrier_enter_(void** handle, int64_t* old_task, const char* ctc,
                                        size_t length) {
  *old_task = 0;
  hand_on<"pomp2_barrier_enter_">(handle, old_task, ctc, length);
}

NESTBIND_POMP void pomp2_barrier_exit_(void** handle, int64_t* task) {
  hand_on<"pomp2_barrier_exit_">(handle, task);
}

NESTBIND_POMP void pomp2_implicit_barrier_enter_(void** handle, int64_t* old_task) {
  *old_task = 0;
  hand_on<"pomp2_implicit_barrier_enter_">(handle, old_task);
}

NESTBIND_POMP void pomp2_implicit_barrier_exit_(void** handle, int64_t* task) {
  hand_on<"pomp2_implicit_barrier_exit_">(handle, task);
}

NESTBIND_POMP void pomp2_task_create_begin_(void** handle, int64_t* new_task, int64_t* old_task,
                                            int* condition, const char* ctc, size_t length) {
  *new_task = 0;
  *old_task = 0;
  hand_on<"pomp2_task_create_begin_">(handle, new_task, old_task, condition, ctc, length);
}

NESTBIND_POMP void pomp2_task_create_end_(void** handle, int64_t* task) {
  hand_on<"pomp2_task_create_end_">(handle, task);
}

NESTBIND_POMP void pomp2_task_begin_(void** handle, int64_t* task) {
  hand_on<"pomp2_task_begin_">(handle, task);
}

NESTBIND_POMP void pomp2_untied_task_create_begin_(void** handle, int64_t* new_task,
                                                   int64_t* old_task, int* condition,
                                                   const char* ctc, size_t length) {
  *new_task = 0;
  *old_task = 0;
  hand_on<"pomp2_untied_task_create_begin_">(handle, new_task, old_task, condition, ctc, length);
}

NESTBIND_POMP void pomp2_untied_task_create_end_(void** handle, int64_t* task) {
  hand_on<"pomp2_untied_task_create_end_">(handle, task);
}

NESTBIND_POMP void pomp2_untied_task_begin_(void** handle, int64_t* task) {
  hand_on<"pomp2_untied_task_begin_">(handle, task);
}

NESTBIND_POMP void pomp2_taskwait_begin_(void** handle, int64_t* old_task, const char* ctc,
                                         size_t length) {
  *old_task = 0;
  hand_on<"pomp2_taskwait_begin_">(handle, old_task, ctc, length);
}

NESTBIND_POMP void pomp2_taskwait_end_(void** handle, int64_t* task) {
  hand_on<"pomp2_taskwait_end_">(handle, task);
}
