! SPDX-License-Identifier: BSD-3-Clause
! Directives that depend on the preprocessor, on an include path, and on a definition in the command
! line.
#include "sizes.inc"
#ifndef INNER
#error INNER is not defined
#endif
program preprocessed
  use rows
  implicit none
  character(len=*), parameter :: text = "it's // not /* a comment */"
#ifdef NO_SUCH_MACRO
!$omp parallel num_threads(7)
#else
!$omp parallel num_threads(OUTER)
#endif
!$omp parallel num_threads(INNER)
  if (len(text) == 27) call show_row("row", 3)
!$omp end parallel
!$omp end parallel
end program preprocessed
