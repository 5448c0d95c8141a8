! SPDX-License-Identifier: BSD-3-Clause
! Sets another schedule of loops for each phase.
!
!   gfortran -O2 -fopenmp $(pkg-config --variable=includedir nestbind)/nestbind/nestbind.f90 \
!       schedule_of_loops.f90 $(pkg-config --libs nestbind) \
!       -Wl,-rpath,$(pkg-config --variable=libdir nestbind) -o schedule_of_loops_f
program schedule_of_loops
  use nestbind
  implicit none
  integer, parameter :: rows = 2000
  real :: total(rows)
  character(len=40) :: text
  integer :: error

  call nestbind_set_schedule("hybrid", error)
  if (error /= nestbind_ok) print *, nestbind_strerror(error)
  call triangle()
  ! The rows differ so much that only a small part of the loop can be static.
  call nestbind_set_schedule("hybrid,f=0.25,chunk=8")
  call triangle()
  call nestbind_get_schedule(text)
  print '(3a, es10.3)', "with ", trim(text), ":", sum(total)

contains

  ! Each row takes more time than the row before.
  subroutine triangle()
    integer :: row, column
    !$omp parallel do schedule(runtime) private(column)
    do row = 1, rows
      total(row) = 0
      do column = 1, row
        total(row) = total(row) + 1.0 / real(row + column)
      end do
    end do
    !$omp end parallel do
  end subroutine triangle

end program schedule_of_loops
