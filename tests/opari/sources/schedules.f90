! SPDX-License-Identifier: BSD-3-Clause
! Calls the module's procedures for schedules of loops, also with bad texts.
! Then nestbind shares out a loop.
program schedules
  use nestbind
  implicit none
  character(len=40) :: text
  character(len=6) :: short
  integer :: error, length, i, total

  call nestbind_get_schedule(text, length)
  print '(3a,i0)', "<", trim(text), "> ", length
  call expect(" ", nestbind_bad_schedule)
  call expect("dynamic", nestbind_bad_schedule)
  call expect("hybrid,g=1", nestbind_bad_option)
  call expect("hybrid,taper,taper", nestbind_bad_option)
  call expect("hybrid,f=1.5", nestbind_bad_value)
  call expect("hybrid;taper", nestbind_bad_separator)
  call nestbind_set_schedule(" Hybrid, F=0.75, chunk=8  ", error)
  print '(a,i0)', "good ", error
  call nestbind_get_schedule(text, length)
  call nestbind_get_schedule(short)
  print '(3a,i0,3a)', "<", trim(text), "> ", length, " <", short, ">"
  total = 0
!$omp parallel do schedule(runtime) reduction(+:total) num_threads(3)
  do i = 1, 1000
    total = total + i
  end do
!$omp end parallel do
  print '(a,i0)', "loop ", total
  call nestbind_set_schedule("native", error)
  print '(a,i0)', "native ", error
  call nestbind_get_schedule(text)
  print '(3a)', "<", trim(text), ">"
contains
  subroutine expect(schedule, wanted)
    character(len=*), intent(in) :: schedule
    integer, intent(in) :: wanted
    integer :: got
    call nestbind_set_schedule(schedule, got)
    if (got /= wanted) print '(a,i0,a,i0,2a)', "error ", got, ", not ", wanted, ": ", schedule
  end subroutine expect
end program schedules
