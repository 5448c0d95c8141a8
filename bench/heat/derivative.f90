! SPDX-License-Identifier: BSD-3-Clause
! One directional derivative. As in a program made by automatic differentiation, the temperature and
! its derivative are computed together.
module derivative
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use omp_lib, only: omp_get_num_threads, omp_get_thread_num, omp_get_wtime
  use c_library, only: processor
  use conjugate_gradients, only: solve
  use equations, only: set_matrix, set_properties, set_source, set_source_derivative
  use errors, only: measure_errors
  use outcome, only: check, first_touch, phases, result_of, set_up, set_up_s, solve_s, solve_t
  use placement, only: fix_work, placing
  use workspace, only: allocate_work, touch_alone, touch_first, work
  implicit none
  private
  public :: prepare, compute_derivative, use_before

contains

  subroutine prepare(n, place, w, result)
    integer, intent(in) :: n
    type(placing), intent(in) :: place
    type(work), intent(out), target :: w
    type(result_of), intent(inout) :: result
    real(dp) :: begin
    begin = omp_get_wtime()
    call allocate_work(w, n)
    if (place%serial) call touch_alone(w)
    !$omp parallel default(none) shared(w, result, place)
    call note_processor(result, first_touch)
    if (.not. place%serial) call touch_first(w)
    !$omp end parallel
    call fix_work(w, place%fix)
    result%seconds(first_touch) = omp_get_wtime() - begin
  end subroutine prepare

  ! Each solution is limited to some steps, so that the time is not much longer than `seconds`.
  subroutine use_before(w, a, seconds)
    type(work), intent(inout) :: w
    real(dp), intent(in) :: a(3)
    integer, intent(in) :: seconds
    integer, parameter :: steps = 20
    type(result_of) :: of_no_interest
    real(dp) :: begin
    begin = omp_get_wtime()
    do while (omp_get_wtime() - begin < seconds)
      call compute_derivative(w, a, steps, of_no_interest)
    end do
  end subroutine use_before

  subroutine compute_derivative(w, a, limit, result)
    type(work), intent(inout) :: w
    real(dp), intent(in) :: a(3)
    integer, intent(in) :: limit
    type(result_of), intent(inout) :: result
    real(dp) :: time(set_up:phases + 1)

    time(set_up) = omp_get_wtime()
    !$omp parallel default(none) shared(w, a, result)
    call note_processor(result, set_up)
    call set_properties(w%n, a, w%resistivity, w%resistivity_derivative)
    call set_matrix(w%n, w%resistivity, w%west, w%south, w%bottom, w%diagonal)
    call set_source(w%n, w%rhs)
    !$omp end parallel

    time(solve_t) = omp_get_wtime()
    !$omp parallel default(none) shared(w, limit, result)
    call note_processor(result, solve_t)
    call solve(w%n, w%west, w%south, w%bottom, w%diagonal, w%rhs, w%t, w%r, w%p, w%q, w%sums, &
               limit, result%iterations(1), result%residual(1))
    !$omp end parallel

    time(set_up_s) = omp_get_wtime()
    !$omp parallel default(none) shared(w, a, result)
    call note_processor(result, set_up_s)
    call set_source_derivative(w%n, a, w%resistivity, w%resistivity_derivative, w%t, w%rhs)
    !$omp end parallel

    time(solve_s) = omp_get_wtime()
    !$omp parallel default(none) shared(w, limit, result)
    call note_processor(result, solve_s)
    call solve(w%n, w%west, w%south, w%bottom, w%diagonal, w%rhs, w%s, w%r, w%p, w%q, w%sums, &
               limit, result%iterations(2), result%residual(2))
    !$omp end parallel

    time(check) = omp_get_wtime()
    !$omp parallel default(none) shared(w, a, result)
    call note_processor(result, check)
    call measure_errors(w%n, a, w%t, w%s, w%sums, result%error)
    !$omp end parallel

    time(phases + 1) = omp_get_wtime()
    result%seconds(set_up:) = time(set_up + 1:) - time(set_up:phases)
  end subroutine compute_derivative

  ! Each member of the inner team calls this procedure.
  subroutine note_processor(result, phase)
    type(result_of), intent(inout) :: result
    integer, intent(in) :: phase
    !$omp single
    if (.not. allocated(result%processors)) then
      allocate (result%processors(phases, 0:omp_get_num_threads() - 1))
      result%processors = -1
    end if
    !$omp end single
    if (omp_get_thread_num() <= ubound(result%processors, 2)) then
      result%processors(phase, omp_get_thread_num()) = processor()
    end if
  end subroutine note_processor

end module derivative
