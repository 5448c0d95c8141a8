! SPDX-License-Identifier: BSD-3-Clause
! Finds a slot for each of a program's objects, for Fortran. nestbind.f90 has the error numbers: compile it first, and
! then this file, with the program's own compiler. Link with -lnestbind.
!
!   use, intrinsic :: iso_c_binding
!   use nestbind_balancing
!   real(c_double), target :: load(4) = [4d0, 1d0, 1d0, 2d0]
!   integer(c_int) :: place(4) = [0, 0, 1, 1], moved
!   moved = nestbind_balance(nestbind_objects(count=4, load=c_loc(load)), nestbind_balance_options(), place)
!
! nestbind/balance.h describes the types and the function. A pointer is c_loc of a target array, or c_null_ptr (the
! default). Objects, slots and nodes are numbered from zero on.
module nestbind_balancing
  use, intrinsic :: iso_c_binding, only: c_int, c_double, c_ptr, c_null_ptr
  implicit none
  private

  public :: nestbind_balance

  ! Algorithms.
  integer(c_int), parameter, public :: nestbind_balance_numa = 0, nestbind_balance_greedy = 1, nestbind_balance_refine = 2

  type, bind(c), public :: nestbind_objects
    integer(c_int) :: count = 0
    type(c_ptr) :: load = c_null_ptr           ! real(c_double)
    type(c_ptr) :: first = c_null_ptr          ! integer(c_int)
    type(c_ptr) :: other = c_null_ptr          ! integer(c_int)
    type(c_ptr) :: messages = c_null_ptr       ! real(c_double)
    type(c_ptr) :: home = c_null_ptr           ! integer(c_int)
    type(c_ptr) :: home_messages = c_null_ptr  ! real(c_double)
  end type nestbind_objects

  type, bind(c), public :: nestbind_balance_machine
    integer(c_int) :: slots = 0
    integer(c_int) :: nodes = 0
    type(c_ptr) :: node = c_null_ptr    ! integer(c_int)
    type(c_ptr) :: factor = c_null_ptr  ! real(c_double); node b varies fastest, as in C
  end type nestbind_balance_machine

  type, bind(c), public :: nestbind_balance_options
    integer(c_int) :: algorithm = nestbind_balance_numa
    real(c_double) :: alpha = 0
    real(c_double) :: tolerance = 0
    type(c_ptr) :: machine = c_null_ptr  ! nestbind_balance_machine
    integer(c_int) :: slots = 0
    type(c_ptr) :: slot = c_null_ptr     ! integer(c_int)
    integer(c_int) :: most_moves = 0
    real(c_double) :: move_price = 0
  end type nestbind_balance_options

  interface
    ! Finds a slot for each object. Returns the number of objects with a new slot, or the negative number of an error.
    function nestbind_balance(objects, options, place) bind(c, name="nestbind_balance") result(moved)
      import :: c_int, nestbind_objects, nestbind_balance_options
      type(nestbind_objects), intent(in) :: objects
      type(nestbind_balance_options), intent(in) :: options
      integer(c_int), intent(inout) :: place(*)
      integer(c_int) :: moved
    end function nestbind_balance
  end interface

end module nestbind_balancing
