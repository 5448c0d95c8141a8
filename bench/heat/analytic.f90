! SPDX-License-Identifier: BSD-3-Clause
! The exact solution (method of manufactured solutions) on the unit cube, with T = 0 on its surface.
!
!   -div(k grad T) = f,   k = exp(c.x),   T = exp(-c.x/2) u,   u = sin(pi x) sin(pi y) sin(pi z)
!
! The equation is satisfied if f = exp(c.x/2) (3 pi^2 + |c|^2/4) u. A derivative shows how a value
! changes if c moves in the direction a.
module analytic
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  private
  public :: direction, resistivity, resistivity_derivative, source, source_derivative, &
            temperature, temperature_derivative

  real(dp), parameter :: pi = 3.14159265358979323846_dp
  real(dp), parameter :: c(3) = [1.0_dp, 0.5_dp, -1.5_dp]

contains

  ! All directions are unit vectors on a cone around (1, 0, 0).
  pure function direction(number, count) result(a)
    integer, intent(in) :: number, count
    real(dp) :: a(3), angle
    angle = 2 * pi * real(number - 1, dp) / real(count, dp)
    a = [2.0_dp, cos(angle), sin(angle)] / sqrt(5.0_dp)
  end function direction

  pure function bump(x) result(u)
    real(dp), intent(in) :: x(3)
    real(dp) :: u
    u = sin(pi * x(1)) * sin(pi * x(2)) * sin(pi * x(3))
  end function bump

  ! 1 / k
  pure function resistivity(x) result(value)
    real(dp), intent(in) :: x(3)
    real(dp) :: value
    value = exp(-dot_product(c, x))
  end function resistivity

  pure function resistivity_derivative(x, a) result(value)
    real(dp), intent(in) :: x(3), a(3)
    real(dp) :: value
    value = -dot_product(a, x) * resistivity(x)
  end function resistivity_derivative

  pure function source(x) result(value)
    real(dp), intent(in) :: x(3)
    real(dp) :: value
    value = exp(dot_product(c, x) / 2) * bump(x) * (3 * pi**2 + dot_product(c, c) / 4)
  end function source

  pure function source_derivative(x, a) result(value)
    real(dp), intent(in) :: x(3), a(3)
    real(dp) :: value
    value = source(x) * dot_product(a, x) / 2 &
            + exp(dot_product(c, x) / 2) * bump(x) * dot_product(a, c) / 2
  end function source_derivative

  pure function temperature(x) result(value)
    real(dp), intent(in) :: x(3)
    real(dp) :: value
    value = exp(-dot_product(c, x) / 2) * bump(x)
  end function temperature

  pure function temperature_derivative(x, a) result(value)
    real(dp), intent(in) :: x(3), a(3)
    real(dp) :: value
    value = -dot_product(a, x) / 2 * temperature(x)
  end function temperature_derivative

end module analytic
