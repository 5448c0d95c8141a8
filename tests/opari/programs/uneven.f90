! SPDX-License-Identifier: BSD-3-Clause
! Every outer thread repeatedly forks a team of another size, in a region inside another region.
! (OPARI2 keeps the size in a variable that the outer threads share.)
program uneven
  use rows
  use omp_lib
  implicit none
  integer :: i, wrong
  wrong = 0
!$omp parallel num_threads(3) private(i) reduction(+:wrong)
  do i = 1, 200
!$omp parallel num_threads(omp_get_thread_num() + 1)
!$omp master
    if (omp_get_num_threads() /= omp_get_ancestor_thread_num(1) + 1) then
      print '(a)', "a team of another size"
    end if
!$omp end master
    if (i == 200) call show_row("row", 3)
!$omp end parallel
  end do
!$omp end parallel
end program uneven
