! SPDX-License-Identifier: BSD-3-Clause
! Checks whether the results are right.
module verdict
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use outcome, only: result_of
  implicit none
  private
  public :: order, fault_of

  real(dp), parameter :: most_residual = 1.0e-9_dp
  real(dp), parameter :: most_error(2) = [1.2_dp, 2.5_dp]  ! divided by the squared width of a cell
  real(dp), parameter :: expected_order = 2

contains

  pure function order(error, n, coarse_error, coarse_n) result(value)
    real(dp), intent(in) :: error(2), coarse_error(2)
    integer, intent(in) :: n, coarse_n
    real(dp) :: value(2)
    value = log(coarse_error / error) / log(real(n, dp) / real(coarse_n, dp))
  end function order

  ! Returns what is wrong, or a blank text if nothing is wrong. A NaN is wrong.
  pure function fault_of(fine, n, coarse, coarse_n) result(fault)
    type(result_of), intent(in) :: fine, coarse
    integer, intent(in) :: n, coarse_n
    character(len=40) :: fault
    real(dp) :: order_off
    fault = ' '
    ! The deviation from the order is proportional to the square of a cell's width.
    order_off = 0.02_dp + 8 / real(coarse_n, dp)**2
    if (.not. all(abs(order(fine%error, n, coarse%error, coarse_n) - expected_order) &
                  <= order_off)) fault = 'the order of convergence is not two'
    if (.not. all(fine%error <= most_error / real(n, dp)**2)) fault = 'the error is too large'
    if (.not. all(fine%residual <= most_residual)) fault = 'the equations are not solved'
  end function fault_of

end module verdict
