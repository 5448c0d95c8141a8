! SPDX-License-Identifier: BSD-3-Clause
! One thread has initialised two arrays, and a team uses them. Each thread of the team uses its own part of the
! array `grid`, and all threads read the whole array `table`.
!
!   include=$(pkg-config --variable=includedir nestbind)/nestbind
!   gfortran -O2 -fopenmp $include/nestbind.f90 $include/nestbind_memory.f90 \
!       memory_of_arrays.f90 $(pkg-config --libs nestbind) \
!       -Wl,-rpath,$(pkg-config --variable=libdir nestbind) -o memory_of_arrays_f
!
! nestbind memory -- ./program shows which arrays need such a call.
program memory_of_arrays
  use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_loc, c_null_ptr, c_ptr, c_size_t, c_sizeof
  use nestbind
  use nestbind_memory
  implicit none
  integer, parameter :: numbers = 2097152, entries = 65536, nodes = 8
  real(c_double), allocatable, target :: grid(:), table(:)
  real(c_double), pointer :: own(:)
  real(c_double) :: total
  integer(c_size_t) :: bytes, pages(nodes)
  type(c_ptr) :: copies
  integer :: i

  allocate (grid(numbers), table(entries))
  do i = 1, numbers
    grid(i) = i - 1 ! stands for reading a file; all pages are now on this thread's node
  end do
  do i = 1, entries
    table(i) = 1 / real(i, c_double)
  end do

  bytes = size(grid, kind=c_size_t) * c_sizeof(grid(1))
  call tell("grid", nestbind_memory_spread(c_loc(grid), bytes, nestbind_block))
  copies = c_null_ptr
  call tell("table", nestbind_memory_replicate(c_loc(table), entries * c_sizeof(table(1)), copies))

  total = 0
  !$omp parallel private(own) reduction(+:total)
  call c_f_pointer(nestbind_memory_local(copies), own, [entries])
  !$omp do schedule(static)
  do i = 1, numbers
    grid(i) = grid(i) * own(mod(i - 1, entries) + 1)
    total = total + grid(i)
  end do
  !$omp end do
  !$omp end parallel
  call tell("copies", nestbind_memory_release(copies))

  call tell("where", nestbind_memory_where(c_loc(grid), bytes, pages, nodes))
  do i = 1, nodes
    if (pages(i) > 0) print '(a, i0, a, i0, a)', "node ", i - 1, ": ", pages(i), " pages"
  end do
  print '(a, es10.3)', "sum ", total

contains

  subroutine tell(what, error)
    character(len=*), intent(in) :: what
    integer, intent(in) :: error
    if (error == nestbind_ok) return
    print '(3a)', what, ": ", nestbind_strerror(error)
    if (error /= nestbind_partly_placed) error stop
  end subroutine tell

end program memory_of_arrays
