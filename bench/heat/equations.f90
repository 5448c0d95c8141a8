! SPDX-License-Identifier: BSD-3-Clause
! Sets up the equations by the finite-volume method. Outside of the cube the resistivity is zero, so
! the surface keeps the temperature zero. All members of the inner team call each procedure.
module equations
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use analytic, only: resistivity, resistivity_derivative, source, source_derivative
  implicit none
  private
  public :: centre, set_properties, set_matrix, set_source, set_source_derivative

contains

  pure function centre(i, j, k, n) result(x)
    integer, intent(in) :: i, j, k, n
    real(dp) :: x(3)
    x = (real([i, j, k], dp) - 0.5_dp) / real(n, dp)
  end function centre

  subroutine set_properties(n, a, rho, drho)
    integer, intent(in) :: n
    real(dp), intent(in) :: a(3)
    real(dp), intent(inout), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: rho, drho
    integer :: i, j, k
    !$omp do schedule(static)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          rho(i, j, k) = resistivity(centre(i, j, k, n))
          drho(i, j, k) = resistivity_derivative(centre(i, j, k, n), a)
        end do
      end do
    end do
    !$omp end do
  end subroutine set_properties

  pure elemental function conductance(one, other) result(value)
    real(dp), intent(in) :: one, other
    real(dp) :: value
    value = 2 / (one + other)
  end function conductance

  pure elemental function conductance_derivative(one, other, done, dother) result(value)
    real(dp), intent(in) :: one, other, done, dother
    real(dp) :: value
    value = -2 * (done + dother) / (one + other)**2
  end function conductance_derivative

  subroutine set_matrix(n, rho, west, south, bottom, diagonal)
    integer, intent(in) :: n
    real(dp), intent(in), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: rho
    real(dp), intent(inout), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: west, south, bottom, diagonal
    real(dp) :: per_area
    integer :: i, j, k
    per_area = real(n, dp)**2
    !$omp do schedule(static)
    do k = 1, n
      west(1:n + 1, 1:n, k) = per_area * conductance(rho(0:n, 1:n, k), rho(1:n + 1, 1:n, k))
      south(1:n, 1:n + 1, k) = per_area * conductance(rho(1:n, 0:n, k), rho(1:n, 1:n + 1, k))
      bottom(1:n, 1:n, k) = per_area * conductance(rho(1:n, 1:n, k - 1), rho(1:n, 1:n, k))
      if (k == n) bottom(1:n, 1:n, k + 1) = per_area * conductance(rho(1:n, 1:n, k), 0.0_dp)
    end do
    !$omp end do
    !$omp do schedule(static)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          diagonal(i, j, k) = west(i, j, k) + west(i + 1, j, k) + south(i, j, k) &
                              + south(i, j + 1, k) + bottom(i, j, k) + bottom(i, j, k + 1)
        end do
      end do
    end do
    !$omp end do
  end subroutine set_matrix

  subroutine set_source(n, rhs)
    integer, intent(in) :: n
    real(dp), intent(inout) :: rhs(0:n + 1, 0:n + 1, 0:n + 1)
    integer :: i, j, k
    !$omp do schedule(static)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          rhs(i, j, k) = source(centre(i, j, k, n))
        end do
      end do
    end do
    !$omp end do
  end subroutine set_source

  ! The derivative of A t = f is A s = f' - A' t.
  subroutine set_source_derivative(n, a, rho, drho, t, rhs)
    integer, intent(in) :: n
    real(dp), intent(in) :: a(3)
    real(dp), intent(in), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: rho, drho, t
    real(dp), intent(inout) :: rhs(0:n + 1, 0:n + 1, 0:n + 1)
    real(dp) :: per_area, flux
    integer :: i, j, k
    per_area = real(n, dp)**2
    !$omp do schedule(static)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          flux = flux_derivative([i, j, k], [i - 1, j, k]) &
                 + flux_derivative([i, j, k], [i + 1, j, k]) &
                 + flux_derivative([i, j, k], [i, j - 1, k]) &
                 + flux_derivative([i, j, k], [i, j + 1, k]) &
                 + flux_derivative([i, j, k], [i, j, k - 1]) &
                 + flux_derivative([i, j, k], [i, j, k + 1])
          rhs(i, j, k) = source_derivative(centre(i, j, k, n), a) - per_area * flux
        end do
      end do
    end do
    !$omp end do
  contains
    ! This function must not use i, j and k, because it does not see the private variables of the
    ! loop.
    pure function flux_derivative(c, d) result(value)
      integer, intent(in) :: c(3), d(3)
      real(dp) :: value
      value = conductance_derivative(rho(c(1), c(2), c(3)), rho(d(1), d(2), d(3)), &
                                     drho(c(1), c(2), c(3)), drho(d(1), d(2), d(3))) &
              * (t(c(1), c(2), c(3)) - t(d(1), d(2), d(3)))
    end function flux_derivative
  end subroutine set_source_derivative

end module equations
