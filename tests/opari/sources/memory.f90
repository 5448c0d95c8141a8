! SPDX-License-Identifier: BSD-3-Clause
! The module's functions for memory placement. Each must succeed or return its error, and no number
! of the array may change.
program memory
  use, intrinsic :: iso_c_binding
  use nestbind
  use nestbind_memory
  implicit none
  integer, parameter :: count = 300000
  integer(c_size_t), parameter :: bytes = 8_c_size_t * count
  real(c_double), allocatable, target :: numbers(:)
  real(c_double), pointer :: own(:)
  integer(c_size_t) :: pages(64)
  type(c_ptr) :: copies
  integer :: i, wrong
  integer(c_size_t) :: found

  allocate(numbers(count))
  numbers = [(real(i, c_double), i = 1, count)]
  call tell("block", nestbind_memory_spread(c_loc(numbers), bytes, nestbind_block), nestbind_ok)
  call tell("interleave", nestbind_memory_spread(c_loc(numbers), bytes, nestbind_interleave), nestbind_ok)
  call tell("local", nestbind_memory_spread(c_loc(numbers), bytes, nestbind_local), nestbind_ok)
  call tell("no such way", nestbind_memory_spread(c_loc(numbers), bytes, 4_c_int), nestbind_bad_argument)
  call tell("nothing there", nestbind_memory_spread(c_null_ptr, bytes, nestbind_block), nestbind_bad_argument)
  print '(a,f0.0)', "sum ", sum(numbers)
  call tell("where", nestbind_memory_where(c_loc(numbers), bytes, pages, 64_c_int), nestbind_ok)
  found = sum(pages)
  print '(a,l1)', "all pages ", found >= bytes / 65536 .and. found <= bytes / 4096 + 1
  copies = c_null_ptr
  call tell("replicate", nestbind_memory_replicate(c_loc(numbers), bytes, copies), nestbind_ok)
  wrong = 0
!$omp parallel num_threads(3) private(own) reduction(+:wrong)
  call c_f_pointer(nestbind_memory_local(copies), own, [count])
  if (any(own /= numbers)) wrong = wrong + 1
!$omp end parallel
  print '(a,i0)', "wrong copies ", wrong
  call tell("release", nestbind_memory_release(copies), nestbind_ok)
  print '(a)', nestbind_strerror(nestbind_not_mapped)
contains
  subroutine tell(what, error, wanted)
    character(len=*), intent(in) :: what
    integer(c_int), intent(in) :: error
    integer, intent(in) :: wanted
    if (error == wanted) then
      print '(2a)', what, " good"
    else
      print '(2a,i0)', what, " error ", error
    end if
  end subroutine tell
end program memory
