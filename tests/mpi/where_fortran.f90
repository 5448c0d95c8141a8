! SPDX-License-Identifier: BSD-3-Clause
! Asks nestbind_mpi.f90 for the coordinates of each rank, and for hops.
program where_fortran
  use mpi
  use nestbind_mpi
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  integer :: rank, error
  integer(c_int) :: coordinates(16), count, list(2)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  count = nestbind_mpi_coordinates(MPI_COMM_WORLD, rank, coordinates, 16)
  if (count /= 5) print '(a)', 'fault: the number of coordinates'
  if (nestbind_mpi_rank(MPI_COMM_WORLD, coordinates) /= rank) print '(a)', 'fault: the rank of the coordinates'
  list = [0, rank]
  if (nestbind_mpi_sort(MPI_COMM_WORLD, rank, list, 2) /= 0) print '(a)', 'fault: sort'
  if (list(1) /= rank) print '(a)', 'fault: the nearest rank'
  print '(a, i0, a, i0)', 'rank ', rank, ' is ', nestbind_mpi_hops(MPI_COMM_WORLD, 0, rank)
  call MPI_Finalize(error)
end program
