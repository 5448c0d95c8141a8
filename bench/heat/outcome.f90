! SPDX-License-Identifier: BSD-3-Clause
! The results of one derivative.
module outcome
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  private
  public :: result_of, phases, phase_names

  integer, parameter :: phases = 6
  integer, parameter, public :: first_touch = 1, set_up = 2, solve_t = 3, set_up_s = 4, &
                                solve_s = 5, check = 6
  character(len=17), parameter :: phase_names(phases) = &
    [character(len=17) :: 'first touch', 'set-up', 'solution', 'derived set-up', &
                          'derived solution', 'check']

  ! In an array of two elements, the first is for the temperature, and the second is for its
  ! derivative.
  type :: result_of
    integer :: thread = -1                 ! the thread's number in the outer team
    integer :: outer = 0
    real(dp) :: seconds(phases) = 0        ! the first derivative includes the first touch
    integer :: iterations(2) = 0
    real(dp) :: residual(2) = 0            ! relative, 2-norm
    real(dp) :: error(2) = 0               ! difference from the exact solution, relative, 2-norm
    integer, allocatable :: processors(:, :)  ! by phase, and by member of the inner team, from 0
  end type result_of

end module outcome
