! SPDX-License-Identifier: BSD-3-Clause
! Moves objects between the ranks of an MPI program, for Fortran. Compile this file with the program's own MPI compiler, and the
! functions by
!
!   mpicc -x c -DNESTBIND_MPI_FORTRAN -c .../include/nestbind/mpi.h -o nestbind_mpi_c.o
!
! Link as `pkg-config --libs nestbind` says.
!
!   use nestbind_mpi_balancing
!   type(c_ptr) :: balancer
!   type(nestbind_balance_move), pointer :: moves(:)
!   balancer = nestbind_mpi_balancer(MPI_COMM_WORLD)            ! mpi_f08: MPI_COMM_WORLD%MPI_VAL
!   status = nestbind_mpi_load(balancer, id, seconds, bytes)
!   status = nestbind_mpi_balance(balancer, remaining_steps, moves)
!
! nestbind/mpi_balance.h and nestbind-balance(3) describe the functions. Ids, ranks and slots are as in C.
module nestbind_mpi_balancing
  use, intrinsic :: iso_c_binding
  implicit none
  private

  public :: nestbind_mpi_balancer, nestbind_mpi_balancer_free, nestbind_mpi_load, nestbind_mpi_load_of_region
  public :: nestbind_mpi_messages, nestbind_mpi_balance, nestbind_mpi_balance_report

  type, bind(c), public :: nestbind_balance_move
    integer(c_long_long) :: id
    integer(c_int) :: from
    integer(c_int) :: to
    integer(c_int) :: slot
  end type nestbind_balance_move

  type, bind(c), public :: nestbind_mpi_balance_options
    integer(c_int) :: threads = 0
    integer(c_int) :: slots = 0
    real(c_double) :: message_seconds = 0
    real(c_double) :: tolerance = 0
    integer(c_int) :: every = 0
    integer(c_int) :: node = 0
    type(c_funptr) :: hops = c_null_funptr  ! a bind(c) function of two integer(c_int), value; its result is real(c_double)
  end type nestbind_mpi_balance_options

  type, bind(c), public :: nestbind_across_report
    real(c_double) :: before = 0, after = 0, mean = 0, moves = 0, bytes = 0, seconds_per_byte = 0, seconds = 0
  end type nestbind_across_report

  interface
    function nestbind_mpi_balancer(comm, options) bind(c, name="nestbind_mpi_balancer_f") result(balancer)
      import :: c_ptr, nestbind_mpi_balance_options
      integer, value :: comm
      type(nestbind_mpi_balance_options), intent(in), optional :: options
      type(c_ptr) :: balancer
    end function nestbind_mpi_balancer
    function balance_f(balancer, remaining_steps, moves) bind(c, name="nestbind_mpi_balance") result(status)
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: balancer
      real(c_double), value :: remaining_steps
      type(c_ptr), intent(out) :: moves
      integer(c_int) :: status
    end function balance_f
    subroutine nestbind_mpi_balancer_free(balancer) bind(c, name="nestbind_mpi_balancer_free")
      import :: c_ptr
      type(c_ptr), value :: balancer
    end subroutine nestbind_mpi_balancer_free
    function nestbind_mpi_load(balancer, id, seconds, bytes) bind(c, name="nestbind_mpi_load") result(status)
      import :: c_int, c_ptr, c_double, c_long_long
      type(c_ptr), value :: balancer
      integer(c_long_long), value :: id
      real(c_double), value :: seconds, bytes
      integer(c_int) :: status
    end function nestbind_mpi_load
    function nestbind_mpi_load_of_region(balancer, id, bytes) bind(c, name="nestbind_mpi_load_of_region") result(status)
      import :: c_int, c_ptr, c_double, c_long_long
      type(c_ptr), value :: balancer
      integer(c_long_long), value :: id
      real(c_double), value :: bytes
      integer(c_int) :: status
    end function nestbind_mpi_load_of_region
    function nestbind_mpi_messages(balancer, id, other, count) bind(c, name="nestbind_mpi_messages") result(status)
      import :: c_int, c_ptr, c_double, c_long_long
      type(c_ptr), value :: balancer
      integer(c_long_long), value :: id, other
      real(c_double), value :: count
      integer(c_int) :: status
    end function nestbind_mpi_messages
    function nestbind_mpi_balance_report(balancer, report) bind(c, name="nestbind_mpi_balance_report") result(status)
      import :: c_int, c_ptr, nestbind_across_report
      type(c_ptr), value :: balancer
      type(nestbind_across_report), intent(out) :: report
      integer(c_int) :: status
    end function nestbind_mpi_balance_report
  end interface

contains

  ! Returns the number of moves from or to this rank, or the negative number of an error.
  function nestbind_mpi_balance(balancer, remaining_steps, moves) result(status)
    type(c_ptr), intent(in) :: balancer
    real(c_double), intent(in) :: remaining_steps
    type(nestbind_balance_move), pointer, intent(out) :: moves(:)
    integer(c_int) :: status
    type(c_ptr) :: found
    status = balance_f(balancer, remaining_steps, found)
    nullify(moves)
    if (c_associated(found)) call c_f_pointer(found, moves, [max(status, 0)])
  end function nestbind_mpi_balance

end module nestbind_mpi_balancing
