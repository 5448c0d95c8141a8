! SPDX-License-Identifier: BSD-3-Clause
! Teams of two in a team of two.
subroutine region(label) bind(c)
  use iso_c_binding
  use omp_lib
  implicit none
  character(kind=c_char), intent(in) :: label(*)
  integer :: outer
  interface
    subroutine tell(label, outer, inner) bind(c)
      use iso_c_binding
      character(kind=c_char), intent(in) :: label(*)
      integer(c_int), value :: outer, inner
    end subroutine
  end interface
!$omp parallel num_threads(2) private(outer)
  outer = omp_get_thread_num()
!$omp parallel num_threads(2)
  call tell(label, outer, omp_get_thread_num())
!$omp end parallel
!$omp end parallel
end subroutine
