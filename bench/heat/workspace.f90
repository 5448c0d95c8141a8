! SPDX-License-Identifier: BSD-3-Clause
! The arrays of one outer thread. Each array has a layer of zero cells around the cube.
module workspace
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  private
  public :: work, allocate_work, touch_first, touch_alone

  type :: work
    integer :: n = 0  ! cells in each direction
    real(dp), allocatable, dimension(:, :, :) :: &
      resistivity, resistivity_derivative, &  ! of each cell
      west, south, bottom, diagonal, &  ! the matrix: conductances of a cell's three lower faces
      t, s, &                           ! temperature, and its derivative
      rhs, r, p, q                      ! the right-hand side, and vectors of the solver
    real(dp), allocatable :: sums(:, :)       ! one sum for each plane
  end type work

contains

  subroutine allocate_work(w, n)
    type(work), intent(out) :: w
    integer, intent(in) :: n
    w%n = n
    call allocate_field(w%resistivity)
    call allocate_field(w%resistivity_derivative)
    call allocate_field(w%west)
    call allocate_field(w%south)
    call allocate_field(w%bottom)
    call allocate_field(w%diagonal)
    call allocate_field(w%t)
    call allocate_field(w%s)
    call allocate_field(w%rhs)
    call allocate_field(w%r)
    call allocate_field(w%p)
    call allocate_field(w%q)
    allocate (w%sums(n, 4))
  contains
    subroutine allocate_field(field)
      real(dp), allocatable, intent(out) :: field(:, :, :)
      allocate (field(0:n + 1, 0:n + 1, 0:n + 1))
    end subroutine allocate_field
  end subroutine allocate_work

  ! All members of the inner team call this procedure, and each touches the planes that it will work
  ! on.
  subroutine touch_first(w)
    type(work), intent(inout) :: w
    integer :: k
    !$omp do schedule(static)
    do k = 1, w%n
      call touch_plane(w, k)
      if (k == 1) call touch_plane(w, 0)
      if (k == w%n) call touch_plane(w, w%n + 1)
      w%sums(k, :) = 0
    end do
    !$omp end do
  end subroutine touch_first

  ! Only one thread calls this procedure.
  subroutine touch_alone(w)
    type(work), intent(inout) :: w
    integer :: k
    do k = 0, w%n + 1
      call touch_plane(w, k)
    end do
    w%sums = 0
  end subroutine touch_alone

  subroutine touch_plane(w, k)
    type(work), intent(inout) :: w
    integer, intent(in) :: k
    w%resistivity(:, :, k) = 0
    w%resistivity_derivative(:, :, k) = 0
    w%west(:, :, k) = 0
    w%south(:, :, k) = 0
    w%bottom(:, :, k) = 0
    w%diagonal(:, :, k) = 0
    w%t(:, :, k) = 0
    w%s(:, :, k) = 0
    w%rhs(:, :, k) = 0
    w%r(:, :, k) = 0
    w%p(:, :, k) = 0
    w%q(:, :, k) = 0
  end subroutine touch_plane

end module workspace
