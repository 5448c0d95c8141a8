! SPDX-License-Identifier: BSD-3-Clause
! Calls the library without the module, as subroutines and as functions.
program external
  implicit none
  integer, external :: omp_set_nesting_info, nestbind_set_schedule
  character(len=60) :: text
  integer :: error
  text = "2,scatter,2,subcompact"
  error = omp_set_nesting_info(text)
  print '(a,i0)', "set ", error
  call get
  error = omp_set_nesting_info("2,scatter,")
  print '(a,i0)', "bad ", error
  error = nestbind_set_schedule("hybrid,f=0.5 ")
  print '(a,i0)', "schedule ", error
  call get_schedule
contains
  subroutine get
    integer, external :: omp_get_nesting_info
    character(len=60) :: now
    character(len=4) :: short
    print '(a,i0)', "length ", omp_get_nesting_info(now)
    print '(3a)', "<", trim(now), ">"
    print '(a,i0,3a)', "length ", omp_get_nesting_info(short), " <", short, ">"
  end subroutine get
  subroutine get_schedule
    integer, external :: nestbind_get_schedule
    character(len=20) :: now
    character(len=4) :: short
    print '(a,i0)', "length ", nestbind_get_schedule(now)
    print '(3a)', "<", now, ">"
    print '(a,i0,3a)', "length ", nestbind_get_schedule(short), " <", short, ">"
  end subroutine get_schedule
end program external
