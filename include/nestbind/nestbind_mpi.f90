! SPDX-License-Identifier: BSD-3-Clause
! Where the ranks of a communicator are, for Fortran. Compile this file with the program's MPI compiler, and the functions by
!
!   mpicc -x c -DNESTBIND_MPI_FORTRAN -c .../include/nestbind/mpi.h -o nestbind_mpi_c.o
!
! A communicator is an integer: with mpi_f08, write comm%MPI_VAL. Ranks and coordinates are numbered from zero on. Each function has
! the arguments and the result of the function in nestbind/mpi.h. The first call for a communicator is collective.
!
!   use nestbind_mpi
!   integer(c_int) :: coordinates(16), count
!   count = nestbind_mpi_coordinates(MPI_COMM_WORLD, rank, coordinates, 16)
!   print *, "hops", nestbind_mpi_hops(MPI_COMM_WORLD, 0, rank)
module nestbind_mpi
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  private

  public :: nestbind_mpi_coordinates, nestbind_mpi_rank, nestbind_mpi_hops, nestbind_mpi_sort

  interface
    ! Writes the coordinates of a rank. capacity: the size of coordinates. Returns their number, or -1.
    function nestbind_mpi_coordinates(comm, rank, coordinates, capacity) bind(c, name="nestbind_mpi_coordinates_f") result(count)
      import :: c_int
      integer, value :: comm
      integer(c_int), value :: rank
      integer(c_int), intent(inout) :: coordinates(*)
      integer(c_int), value :: capacity
      integer(c_int) :: count
    end function nestbind_mpi_coordinates

    ! The rank with these coordinates, or -1.
    function nestbind_mpi_rank(comm, coordinates) bind(c, name="nestbind_mpi_rank_f") result(rank)
      import :: c_int
      integer, value :: comm
      integer(c_int), intent(in) :: coordinates(*)
      integer(c_int) :: rank
    end function nestbind_mpi_rank

    ! The hops between the nodes of two ranks, or -1.
    function nestbind_mpi_hops(comm, a, b) bind(c, name="nestbind_mpi_hops_f") result(hops)
      import :: c_int
      integer, value :: comm
      integer(c_int), value :: a, b
      integer(c_int) :: hops
    end function nestbind_mpi_hops

    ! Sorts ranks by their distance from `root`. count: the size of ranks. Returns 0, or -1.
    function nestbind_mpi_sort(comm, root, ranks, count) bind(c, name="nestbind_mpi_sort_f") result(error)
      import :: c_int
      integer, value :: comm
      integer(c_int), value :: root
      integer(c_int), intent(inout) :: ranks(*)
      integer(c_int), value :: count
      integer(c_int) :: error
    end function nestbind_mpi_sort
  end interface
end module nestbind_mpi
