! SPDX-License-Identifier: BSD-3-Clause
! The outer level: independent derivatives, distributed over the members of the outer team.
module derivatives
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use omp_lib, only: omp_get_num_threads, omp_get_thread_num, omp_get_wtime
  use analytic, only: direction
  use derivative, only: compute_derivative, prepare, use_before
  use outcome, only: first_touch, result_of
  use placement, only: placing
  use team_sizes, only: set_inner_size, set_outer_size
  use timed_part, only: begin_timed_part, end_timed_part, register_work
  use workspace, only: work
  implicit none
  private
  public :: compute_derivatives

contains

  ! `elapsed` is the time in seconds, without the first touch. If `counted` is true, the access
  ! counter counts the same part.
  subroutine compute_derivatives(outer, inner, n, limit, place, counted, results, elapsed)
    integer, intent(in) :: outer, inner, n, limit
    type(placing), intent(in) :: place
    logical, intent(in) :: counted
    type(result_of), intent(inout) :: results(:)
    real(dp), intent(out) :: elapsed
    real(dp) :: begin
    begin = 0
    call set_outer_size(outer)
    !$omp parallel default(none) shared(inner, n, limit, place, counted, results, begin)
    call compute_own(inner, n, limit, place, counted, results, begin)
    !$omp end parallel
    elapsed = omp_get_wtime() - begin
    if (counted) call end_timed_part()
  end subroutine compute_derivatives

  ! Each member of the outer team calls this procedure.
  subroutine compute_own(inner, n, limit, place, counted, results, begin)
    integer, intent(in) :: inner, n, limit
    type(placing), intent(in) :: place
    logical, intent(in) :: counted
    type(result_of), intent(inout) :: results(:)
    real(dp), intent(inout) :: begin
    type(work), target :: w
    type(result_of) :: own
    integer :: number
    call set_inner_size(inner)
    own%thread = omp_get_thread_num()
    own%outer = omp_get_num_threads()
    call prepare(n, place, w, own)
    if (counted) then
      call use_before(w, direction(1, size(results)), place%use)
      !$omp critical (registration)
      call register_work(w)
      !$omp end critical (registration)
    end if
    !$omp barrier
    !$omp master
    if (counted) call begin_timed_part()
    begin = omp_get_wtime()
    !$omp end master
    !$omp barrier
    !$omp do schedule(static)
    do number = 1, size(results)
      call compute_derivative(w, direction(number, size(results)), limit, own)
      results(number) = own
      own%seconds(first_touch) = 0
    end do
    !$omp end do
  end subroutine compute_own

end module derivatives
