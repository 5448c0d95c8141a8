! SPDX-License-Identifier: BSD-3-Clause
! Moves objects between the ranks of an MPI program, for Fortran. Compile this file, and
! nestbind_mpi_balance.c, with the program's own MPI compilers. Link as `pkg-config --libs nestbind` says.
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
    type(c_ptr) :: hops = c_null_ptr  ! real(c_double); node b varies fastest, as in C
    real(c_double) :: message_seconds = 0
    real(c_double) :: tolerance = 0
    integer(c_int) :: every = 0
    integer(c_int) :: node = 0
  end type nestbind_mpi_balance_options

  type, bind(c), public :: nestbind_across_report
    real(c_double) :: before = 0, after = 0, mean = 0, moves = 0, bytes = 0, seconds_per_byte = 0, seconds = 0
  end type nestbind_across_report

  interface
    function balancer_f(comm, options) bind(c, name="nestbind_mpi_balancer_f_") result(balancer)
      import :: c_int, c_ptr, nestbind_mpi_balance_options
      integer, intent(in) :: comm  ! MPI_Fint
      type(nestbind_mpi_balance_options), intent(in) :: options
      type(c_ptr) :: balancer
    end function balancer_f
    function balance_f(balancer, remaining_steps, moves) bind(c, name="nestbind_mpi_balance_f_") result(status)
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: balancer
      real(c_double), value :: remaining_steps
      type(c_ptr), intent(out) :: moves
      integer(c_int) :: status
    end function balance_f
    subroutine nestbind_mpi_balancer_free(balancer) bind(c, name="nestbind_mpi_balancer_free_f_")
      import :: c_ptr
      type(c_ptr), value :: balancer
    end subroutine nestbind_mpi_balancer_free
    function nestbind_mpi_load(balancer, id, seconds, bytes) bind(c, name="nestbind_mpi_load_f_") result(status)
      import :: c_int, c_ptr, c_double, c_long_long
      type(c_ptr), value :: balancer
      integer(c_long_long), value :: id
      real(c_double), value :: seconds, bytes
      integer(c_int) :: status
    end function nestbind_mpi_load
    function nestbind_mpi_load_of_region(balancer, id, bytes) bind(c, name="nestbind_mpi_load_of_region_f_") result(status)
      import :: c_int, c_ptr, c_double, c_long_long
      type(c_ptr), value :: balancer
      integer(c_long_long), value :: id
      real(c_double), value :: bytes
      integer(c_int) :: status
    end function nestbind_mpi_load_of_region
    function nestbind_mpi_messages(balancer, id, other, count) bind(c, name="nestbind_mpi_messages_f_") result(status)
      import :: c_int, c_ptr, c_double, c_long_long
      type(c_ptr), value :: balancer
      integer(c_long_long), value :: id, other
      real(c_double), value :: count
      integer(c_int) :: status
    end function nestbind_mpi_messages
    function nestbind_mpi_balance_report(balancer, report) bind(c, name="nestbind_mpi_balance_report_f_") result(status)
      import :: c_int, c_ptr, nestbind_across_report
      type(c_ptr), value :: balancer
      type(nestbind_across_report), intent(out) :: report
      integer(c_int) :: status
    end function nestbind_mpi_balance_report
  end interface

contains

  function nestbind_mpi_balancer(comm, options) result(balancer)
    integer, intent(in) :: comm
    type(nestbind_mpi_balance_options), intent(in), optional :: options
    type(c_ptr) :: balancer
    type(nestbind_mpi_balance_options) :: chosen
    if (present(options)) chosen = options
    balancer = balancer_f(comm, chosen)
  end function nestbind_mpi_balancer

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
