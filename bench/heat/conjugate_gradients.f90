! SPDX-License-Identifier: BSD-3-Clause
! Conjugate gradients, with the matrix's diagonal as preconditioner (Y. Saad, Iterative Methods for
! Sparse Linear Systems, 2nd edition, algorithm 9.1).
!
! All members of the inner team call `solve`. Each member adds the sums of all planes in order. So
! each bit of the result is the same for any size of the team. All members leave the iteration at
! the same step.
module conjugate_gradients
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  private
  public :: solve

  real(dp), parameter :: tolerance = 1.0e-10_dp  ! norm of residual / norm of right-hand side

contains

  ! x is zero at the beginning. `steps` and `residual` are shared, and one member writes them.
  ! `residual` is the relative residual of the original equations.
  subroutine solve(n, west, south, bottom, diagonal, rhs, x, r, p, q, sums, limit, steps, residual)
    integer, intent(in) :: n, limit
    real(dp), intent(in), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: west, south, bottom, diagonal, rhs
    real(dp), intent(inout), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: x, r, p, q
    real(dp), intent(inout) :: sums(n, 4)
    integer, intent(inout) :: steps
    real(dp), intent(inout) :: residual
    real(dp) :: alpha, beta, rz, rz_before, norm
    integer :: k, step

    !$omp do schedule(static)
    do k = 1, n
      call begin_plane(n, k, diagonal, rhs, x, r, p, sums)
    end do
    !$omp end do
    rz = sum(sums(:, 1))
    norm = sqrt(sum(sums(:, 2)))

    do step = 1, limit
      !$omp do schedule(static)
      do k = 1, n
        call multiply_plane(n, k, west, south, bottom, diagonal, p, q)
        sums(k, 3) = sum(p(1:n, 1:n, k) * q(1:n, 1:n, k))
      end do
      !$omp end do
      alpha = rz / sum(sums(:, 3))
      !$omp do schedule(static)
      do k = 1, n
        call move_plane(n, k, alpha, diagonal, p, q, x, r, sums)
      end do
      !$omp end do
      rz_before = rz
      rz = sum(sums(:, 1))
      if (sqrt(sum(sums(:, 2))) <= tolerance * norm) exit
      beta = rz / rz_before
      !$omp do schedule(static)
      do k = 1, n
        p(1:n, 1:n, k) = r(1:n, 1:n, k) / diagonal(1:n, 1:n, k) + beta * p(1:n, 1:n, k)
      end do
      !$omp end do
    end do

    !$omp do schedule(static)
    do k = 1, n
      call multiply_plane(n, k, west, south, bottom, diagonal, x, q)
      sums(k, 3) = sum((rhs(1:n, 1:n, k) - q(1:n, 1:n, k))**2)
    end do
    !$omp end do
    !$omp single
    steps = min(step, limit)
    residual = sqrt(sum(sums(:, 3))) / norm
    !$omp end single
  end subroutine solve

  subroutine begin_plane(n, k, diagonal, rhs, x, r, p, sums)
    integer, intent(in) :: n, k
    real(dp), intent(in), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: diagonal, rhs
    real(dp), intent(inout), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: x, r, p
    real(dp), intent(inout) :: sums(n, 4)
    x(1:n, 1:n, k) = 0
    r(1:n, 1:n, k) = rhs(1:n, 1:n, k)
    p(1:n, 1:n, k) = rhs(1:n, 1:n, k) / diagonal(1:n, 1:n, k)
    sums(k, 1) = sum(r(1:n, 1:n, k) * p(1:n, 1:n, k))
    sums(k, 2) = sum(r(1:n, 1:n, k)**2)
  end subroutine begin_plane

  subroutine multiply_plane(n, k, west, south, bottom, diagonal, p, q)
    integer, intent(in) :: n, k
    real(dp), intent(in), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: west, south, bottom, diagonal, p
    real(dp), intent(inout) :: q(0:n + 1, 0:n + 1, 0:n + 1)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        q(i, j, k) = diagonal(i, j, k) * p(i, j, k) &
                     - west(i, j, k) * p(i - 1, j, k) - west(i + 1, j, k) * p(i + 1, j, k) &
                     - south(i, j, k) * p(i, j - 1, k) - south(i, j + 1, k) * p(i, j + 1, k) &
                     - bottom(i, j, k) * p(i, j, k - 1) - bottom(i, j, k + 1) * p(i, j, k + 1)
      end do
    end do
  end subroutine multiply_plane

  subroutine move_plane(n, k, alpha, diagonal, p, q, x, r, sums)
    integer, intent(in) :: n, k
    real(dp), intent(in) :: alpha
    real(dp), intent(in), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: diagonal, p, q
    real(dp), intent(inout), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: x, r
    real(dp), intent(inout) :: sums(n, 4)
    real(dp) :: rz, rr
    integer :: i, j
    rz = 0
    rr = 0
    do j = 1, n
      do i = 1, n
        x(i, j, k) = x(i, j, k) + alpha * p(i, j, k)
        r(i, j, k) = r(i, j, k) - alpha * q(i, j, k)
        rz = rz + r(i, j, k)**2 / diagonal(i, j, k)
        rr = rr + r(i, j, k)**2
      end do
    end do
    sums(k, 1) = rz
    sums(k, 2) = rr
  end subroutine move_plane

end module conjugate_gradients
