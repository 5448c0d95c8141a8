! SPDX-License-Identifier: BSD-3-Clause
! For each thread of a team, prints the other threads, the nearest first. The number in brackets is
! the number of hops.
!
!   include=$(pkg-config --variable=includedir nestbind)/nestbind
!   gfortran -O2 -fopenmp $include/nestbind.f90 $include/nestbind_topology.f90 \
!       nearest_thread.f90 $(pkg-config --libs nestbind) \
!       -Wl,-rpath,$(pkg-config --variable=libdir nestbind) -o nearest_thread_f
!   OMP_NESTING_TEAM_SIZE=6,scatter ./nearest_thread_f
!
! With NESTBIND_MACHINE=FILE.xml before the command, the program shows the threads on another machine.
program nearest_thread
  use, intrinsic :: iso_c_binding, only: c_int
  use omp_lib
  use nestbind
  use nestbind_topology
  implicit none
  integer, parameter :: most = 64
  integer(c_int) :: slots(most), order(most), sizes(8), dimensions, threads
  integer :: thread, i

  dimensions = nestbind_topology_dims(sizes, 8)
  write (*, '(i0, a)', advance="no") nestbind_topology_slots(), " slots"
  if (dimensions > 0) write (*, '(a, i0)', advance="no") ": ", sizes(1)
  print '(7(a, i0))', (" x ", sizes(i), i = 2, dimensions)
  !$omp parallel private(thread)
  thread = omp_get_thread_num()
  if (thread < most) slots(thread + 1) = nestbind_get_slot()
  !$omp single
  threads = min(omp_get_num_threads(), most)
  !$omp end single
  !$omp end parallel

  do thread = 1, threads
    if (nestbind_topology_sort(slots(thread), slots, threads, order) /= nestbind_ok) then
      print '(a, i0, a)', "thread ", thread - 1, " has no slot: is a specification in force?"
      cycle
    end if
    write (*, '(a, i0, a, i0, a)', advance="no") "thread ", thread - 1, " on slot ", slots(thread), ":"
    do i = 1, threads
      if (order(i) == thread - 1) cycle  ! if threads share a slot, this thread may not come first
      write (*, '(1x, i0, a, i0, a)', advance="no") order(i), " (", &
        nestbind_topology_hops(slots(thread), slots(order(i) + 1)), ")"
    end do
    print '(a)', ""
  end do
end program nearest_thread
