! SPDX-License-Identifier: BSD-3-Clause
! The errors: the differences between the computed and the exact solutions.
module errors
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use analytic, only: temperature, temperature_derivative
  use equations, only: centre
  implicit none
  private
  public :: measure_errors

contains

  ! All members of the inner team call this procedure. error(1) is the error of the temperature t,
  ! and error(2) is the error of its derivative s in direction a. The errors are relative 2-norms
  ! over the cells. `error` is shared, and one member writes it.
  subroutine measure_errors(n, a, t, s, sums, error)
    integer, intent(in) :: n
    real(dp), intent(in) :: a(3)
    real(dp), intent(in), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: t, s
    real(dp), intent(inout) :: sums(n, 4)
    real(dp), intent(inout) :: error(2)
    real(dp) :: x(3), exact(2), off(2), whole(2)
    integer :: i, j, k
    !$omp do schedule(static)
    do k = 1, n
      off = 0
      whole = 0
      do j = 1, n
        do i = 1, n
          x = centre(i, j, k, n)
          exact = [temperature(x), temperature_derivative(x, a)]
          off = off + ([t(i, j, k), s(i, j, k)] - exact)**2
          whole = whole + exact**2
        end do
      end do
      sums(k, 1:2) = off
      sums(k, 3:4) = whole
    end do
    !$omp end do
    !$omp single
    error = sqrt(sum(sums(:, 1:2), 1) / sum(sums(:, 3:4), 1))
    !$omp end single
  end subroutine measure_errors

end module errors
