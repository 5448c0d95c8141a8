// SPDX-License-Identifier: BSD-3-Clause
// The entries of pomp2_lib.h for C and C++ that are only handed on.
#include <stdint.h>

#include "instrument/pomp/next.hpp"

using namespace nestbind::pomp;

// A new task's handle, where no library behind gives one: different for each.
NESTBIND_POMP int64_t POMP2_Get_new_task_handle() {
  if (auto* next = next_function<"POMP2_Get_new_task_handle", int64_t()>()) {
    return next();
  }
  static constinit std::atomic<int64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

NESTBIND_POMP void POMP2_Atomic_enter(void** handle, const char* ctc) {
  hand_on<"POMP2_Atomic_enter">(handle, ctc);
}

NESTBIND_POMP void POMP2_Flush_enter(void** handle, const char* ctc) {
  hand_on<"POMP2_Flush_enter">(handle, ctc);
}

NESTBIND_POMP void POMP2_Critical_enter(void** handle, const char* ctc) {
  hand_on<"POMP2_Critical_enter">(handle, ctc);
}

NESTBIND_POMP void POMP2_For_enter(void** handle, const char* ctc) {
  hand_on<"POMP2_For_enter">(handle, ctc);
}

NESTBIND_POMP void POMP2_Master_begin(void** handle, const char* ctc) {
  hand_on<"POMP2_Master_begin">(handle, ctc);
}

NESTBIND_POMP void POMP2_Section_begin(void** handle, const char* ctc) {
  hand_on<"POMP2_Section_begin">(handle, ctc);
}

NESTBIND_POMP void POMP2_Sections_enter(void** handle, const char* ctc) {
  hand_on<"POMP2_Sections_enter">(handle, ctc);
}

NESTBIND_POMP void POMP2_Single_enter(void** handle, const char* ctc) {
  hand_on<"POMP2_Single_enter">(handle, ctc);
}

NESTBIND_POMP void POMP2_Workshare_enter(void** handle, const char* ctc) {
  hand_on<"POMP2_Workshare_enter">(handle, ctc);
}

NESTBIND_POMP void POMP2_Ordered_enter(void** handle, const char* ctc) {
  hand_on<"POMP2_Ordered_enter">(handle, ctc);
}

NESTBIND_POMP void POMP2_Atomic_exit(void** handle) { hand_on<"POMP2_Atomic_exit">(handle); }

NESTBIND_POMP void POMP2_Flush_exit(void** handle) { hand_on<"POMP2_Flush_exit">(handle); }

NESTBIND_POMP void POMP2_Critical_begin(void** handle) { hand_on<"POMP2_Critical_begin">(handle); }

NESTBIND_POMP void POMP2_Critical_end(void** handle) { hand_on<"POMP2_Critical_end">(handle); }

NESTBIND_POMP void POMP2_Critical_exit(void** handle) { hand_on<"POMP2_Critical_exit">(handle); }

NESTBIND_POMP void POMP2_For_exit(void** handle) { hand_on<"POMP2_For_exit">(handle); }

NESTBIND_POMP void POMP2_Master_end(void** handle) { hand_on<"POMP2_Master_end">(handle); }

NESTBIND_POMP void POMP2_Section_end(void** handle) { hand_on<"POMP2_Section_end">(handle); }

NESTBIND_POMP void POMP2_Sections_exit(void** handle) { hand_on<"POMP2_Sections_exit">(handle); }

NESTBIND_POMP void POMP2_Single_begin(void** handle) { hand_on<"POMP2_Single_begin">(handle); }

NESTBIND_POMP void POMP2_Single_end(void** handle) { hand_on<"POMP2_Single_end">(handle); }

NESTBIND_POMP void POMP2_Single_exit(void** handle) { hand_on<"POMP2_Single_exit">(handle); }

NESTBIND_POMP void POMP2_Workshare_exit(void** handle) { hand_on<"POMP2_Workshare_exit">(handle); }

NESTBIND_POMP void POMP2_Ordered_begin(void** handle) { hand_on<"POMP2_Ordered_begin">(handle); }

NESTBIND_POMP void POMP2_Ordered_end(void** handle) { hand_on<"POMP2_Ordered_end">(handle); }

NESTBIND_POMP void POMP2_Ordered_exit(void** handle) { hand_on<"POMP2_Ordered_exit">(handle); }

NESTBIND_POMP void POMP2_Task_end(void** handle) { hand_on<"POMP2_Task_end">(handle); }

NESTBIND_POMP void POMP2_Untied_task_end(void** handle) {
  hand_on<"POMP2_Untied_task_end">(handle);
}

NESTBIND_POMP void POMP2_Barrier_enter(void** handle, int64_t* old_task, const char* ctc) {
  *old_task = 0;
  hand_on<"POMP2_Barrier_enter">(handle, old_task, ctc);
}

NESTBIND_POMP void POMP2_Barrier_exit(void** handle, int64_t task) {
  hand_on<"POMP2_Barrier_exit">(handle, task);
}

NESTBIND_POMP void POMP2_Implicit_barrier_enter(void** handle, int64_t* old_task) {
  *old_task = 0;
  hand_on<"POMP2_Implicit_barrier_enter">(handle, old_task);
}

NESTBIND_POMP void POMP2_Implicit_barrier_exit(void** handle, int64_t task) {
  hand_on<"POMP2_Implicit_barrier_exit">(handle, task);
}

NESTBIND_POMP void POMP2_Task_create_begin(void** handle, int64_t* new_task, int64_t* old_task,
                                           int condition, const char* ctc) {
  *new_task = 0;
  *old_task = 0;
  hand_on<"POMP2_Task_create_begin">(handle, new_task, old_task, condition, ctc);
}

NESTBIND_POMP void POMP2_Task_create_end(void** handle, int64_t task) {
  hand_on<"POMP2_Task_create_end">(handle, task);
}

NESTBIND_POMP void POMP2_Task_begin(void** handle, int64_t task) {
  hand_on<"POMP2_Task_begin">(handle, task);
}

NESTBIND_POMP void POMP2_Untied_task_create_begin(void** handle, int64_t* new_task,
                                                  int64_t* old_task, int condition,
                                                  const char* ctc) {
  *new_task = 0;
  *old_task = 0;
  hand_on<"POMP2_Untied_task_create_begin">(handle, new_task, old_task, condition, ctc);
}

NESTBIND_POMP void POMP2_Untied_task_create_end(void** handle, int64_t task) {
  hand_on<"POMP2_Untied_task_create_end">(handle, task);
}

NESTBIND_POMP void POMP2_Untied_task_begin(void** handle, int64_t task) {
  hand_on<"POMP2_Untied_task_begin">(handle, task);
}

NESTBIND_POMP void POMP2_Taskwait_begin(void** handle, int64_t* old_task, const char* ctc) {
  *old_task = 0;
  hand_on<"POMP2_Taskwait_begin">(handle, old_task, ctc);
}

NESTBIND_POMP void POMP2_Taskwait_end(void** handle, int64_t task) {
  hand_on<"POMP2_Taskwait_end">(handle, task);
}
