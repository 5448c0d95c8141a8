// SPDX-License-Identifier: BSD-3-Clause
// The entries of pomp2_user_lib.h: regions and switches that the user has written into the source.
#include <stddef.h>

#include "instrument/pomp/next.hpp"

using namespace nestbind::pomp;

NESTBIND_POMP void POMP2_Finalize() { hand_on<"POMP2_Finalize">(); }

NESTBIND_POMP void pomp2_finalize_() { hand_on<"pomp2_finalize_">(); }

NESTBIND_POMP void POMP2_Init() { hand_on<"POMP2_Init">(); }

NESTBIND_POMP void pomp2_init_() { hand_on<"pomp2_init_">(); }

NESTBIND_POMP void POMP2_Off() { hand_on<"POMP2_Off">(); }

NESTBIND_POMP void pomp2_off_() { hand_on<"pomp2_off_">(); }

NESTBIND_POMP void POMP2_On() { hand_on<"POMP2_On">(); }

NESTBIND_POMP void pomp2_on_() { hand_on<"pomp2_on_">(); }

NESTBIND_POMP void POMP2_Begin(void** handle, const char* ctc) {
  hand_on<"POMP2_Begin">(handle, ctc);
}

NESTBIND_POMP void pomp2_begin_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_begin_">(handle, ctc, length);
}

NESTBIND_POMP void POMP2_USER_Assign_handle(void** handle, const char* ctc) {
  hand_on<"POMP2_USER_Assign_handle">(handle, ctc);
}

NESTBIND_POMP void pomp2_user_assign_handle_(void** handle, const char* ctc, size_t length) {
  hand_on<"pomp2_user_assign_handle_">(handle, ctc, length);
}

NESTBIND_POMP void POMP2_End(void** handle) { hand_on<"POMP2_End">(handle); }

NESTBIND_POMP void pomp2_end_(void** handle) { hand_on<"pomp2_end_">(handle); }
