// SPDX-License-Identifier: BSD-3-Clause
// Which options of prctl leave the calling thread as it is. A new one is taken for a change.
#include <sys/prctl.h>

#include "instrument/libc/changes.hpp"

namespace nestbind::libc {

namespace {

// Newer than many a header.
constexpr int kSetWriteExecute = 65;
constexpr int kGetWriteExecute = 66;
constexpr int kSetMemoryMerge = 67;
constexpr int kGetMemoryMerge = 68;
constexpr int kGetAuxiliary = 0x41555856;

}  // namespace

bool is_change_by_prctl(int option, long second) {
  switch (option) {
    // These ask.
    case PR_GET_PDEATHSIG:
    case PR_GET_DUMPABLE:
    case PR_GET_UNALIGN:
    case PR_GET_KEEPCAPS:
    case PR_GET_FPEMU:
    case PR_GET_FPEXC:
    case PR_GET_TIMING:
    case PR_GET_NAME:
    case PR_GET_ENDIAN:
    case PR_GET_SECCOMP:
    case PR_CAPBSET_READ:
    case PR_GET_TSC:
    case PR_GET_SECUREBITS:
    case PR_GET_TIMERSLACK:
    case PR_MCE_KILL_GET:
    case PR_GET_CHILD_SUBREAPER:
    case PR_GET_NO_NEW_PRIVS:
    case PR_GET_TID_ADDRESS:
    case PR_GET_THP_DISABLE:
    case PR_GET_FP_MODE:
    case PR_SVE_GET_VL:
    case PR_GET_SPECULATION_CTRL:
    case PR_GET_TAGGED_ADDR_CTRL:
    case PR_GET_IO_FLUSHER:
    case kGetWriteExecute:
    case kGetMemoryMerge:
    case kGetAuxiliary:
    // These change the process, or its memory; allocators name theirs.
    case PR_SET_DUMPABLE:
    case PR_TASK_PERF_EVENTS_DISABLE:
    case PR_TASK_PERF_EVENTS_ENABLE:
    case PR_SET_MM:
    case PR_SET_PTRACER:
    case PR_SET_CHILD_SUBREAPER:
    case PR_SET_THP_DISABLE:
    case PR_SET_VMA:
    case kSetWriteExecute:
    case kSetMemoryMerge:
      return false;
    case PR_CAP_AMBIENT:
      return second != PR_CAP_AMBIENT_IS_SET;
    default:
      return true;
  }
}

}  // namespace nestbind::libc
