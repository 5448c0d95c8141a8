! SPDX-License-Identifier: BSD-3-Clause
! Prints the tables.
module output
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use outcome, only: phase_names, phases, result_of
  use verdict, only: order
  implicit none
  private
  public :: print_times, print_times_as_csv, print_results, print_processors

contains

  subroutine extremes(results, longest, shortest)
    type(result_of), intent(in) :: results(:)
    real(dp), intent(out) :: longest(phases), shortest(phases)
    real(dp) :: of_thread(phases)
    integer :: thread, i
    longest = 0
    shortest = huge(1.0_dp)
    do thread = 0, maxval(results%thread)
      if (.not. any(results%thread == thread)) cycle
      of_thread = 0
      do i = 1, size(results)
        if (results(i)%thread == thread) of_thread = of_thread + results(i)%seconds
      end do
      longest = max(longest, of_thread)
      shortest = min(shortest, of_thread)
    end do
  end subroutine extremes

  subroutine print_times(results, elapsed)
    type(result_of), intent(in) :: results(:)
    real(dp), intent(in) :: elapsed
    real(dp) :: longest(phases), shortest(phases)
    integer :: phase
    call extremes(results, longest, shortest)
    print '(a17, 2a14)', 'phase', 'slowest, s', 'fastest, s'
    do phase = 1, phases
      print '(a17, 2f14.6)', adjustr(phase_names(phase)), longest(phase), shortest(phase)
    end do
    print '(a17, f14.6)', 'elapsed', elapsed
  end subroutine print_times

  subroutine print_times_as_csv(results, elapsed)
    type(result_of), intent(in) :: results(:)
    real(dp), intent(in) :: elapsed
    real(dp) :: longest(phases), shortest(phases)
    integer :: phase
    call extremes(results, longest, shortest)
    print '(a)', 'phase,slowest_s,fastest_s'
    do phase = 1, phases
      print '(a, 2('','', es12.6))', trim(phase_names(phase)), longest(phase), shortest(phase)
    end do
    print '(a, 2('','', es12.6))', 'elapsed', elapsed, elapsed
  end subroutine print_times_as_csv

  subroutine print_results(results, n, coarse, coarse_n)
    type(result_of), intent(in) :: results(:), coarse(:)
    integer, intent(in) :: n, coarse_n
    real(dp) :: orders(2)
    integer :: i, field
    character(len=*), parameter :: fields(2) = ['T ', 'dT']
    print '(/, a10, a8, a6, a7, a11, 2a10, a7)', 'derivative', 'thread', 'team', 'field', &
      'iterations', 'residual', 'error', 'order'
    do i = 1, size(results)
      orders = order(results(i)%error, n, coarse(i)%error, coarse_n)
      do field = 1, 2
        print '(i10, i8, i6, a7, i11, 2es10.2, f7.2)', i, results(i)%thread, &
          size(results(i)%processors, 2), fields(field), results(i)%iterations(field), &
          results(i)%residual(field), results(i)%error(field), orders(field)
      end do
    end do
  end subroutine print_results

  subroutine print_processors(results)
    type(result_of), intent(in) :: results(:)
    character(len=16) :: thread
    integer :: i, member
    print '(/, a10, a10, a)', 'derivative', 'thread', '  processor at the begin of each phase'
    do i = 1, size(results)
      do member = 0, ubound(results(i)%processors, 2)
        write (thread, '(i0, ''.'', i0)') results(i)%thread, member
        print '(i10, a10, 2x, *(i5))', i, trim(thread), results(i)%processors(:, member)
      end do
    end do
  end subroutine print_processors

end module output
