! SPDX-License-Identifier: BSD-3-Clause
! Makes a grid and a graph with reorder, and sends 100 bytes along the grid's second dimension. USE_MPI and USE_MPI_F08 choose the
! interface; without them it is mpif.h.
program fortran
#if defined USE_MPI_F08
  use mpi_f08
  implicit none
  type(MPI_Comm) :: grid, graph
  type(MPI_Status) :: status
#else
#if defined USE_MPI
  use mpi
  implicit none
#else
  implicit none
  include 'mpif.h'
#endif
  integer :: grid, graph
  integer :: status(MPI_STATUS_SIZE)
#endif
  integer :: rank, ranks, new_rank, mapped, graph_rank, error, dims(2), from, to, i
  integer, allocatable :: ends(:), others(:)
  logical :: periods(2)
  character :: sent(100), got(100)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  dims = 0
  periods = .false.
  sent = 'x'
  call MPI_Dims_create(ranks, 2, dims, error)
  call MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, mapped, error)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., grid, error)
  call MPI_Comm_rank(grid, new_rank, error)
  if (mapped /= new_rank) print '(a)', 'fault: the map differs'
  call MPI_Cart_shift(grid, 1, 1, from, to, error)
  call MPI_Sendrecv(sent, 100, MPI_CHARACTER, to, 1, got, 100, MPI_CHARACTER, from, 1, grid, status, error)
  ! A ring in which each rank's neighbour is `ranks / 2` further.
  allocate (ends(ranks), others(ranks))
  do i = 0, ranks - 1
    ends(i + 1) = i + 1
    others(i + 1) = mod(i + ranks / 2, ranks)
  end do
  call MPI_Graph_create(MPI_COMM_WORLD, ranks, ends, others, .true., graph, error)
  call MPI_Comm_rank(graph, graph_rank, error)
  print '(a, i0, a, i0, a, i0)', 'rank ', rank, ' is ', new_rank, ' and ', graph_rank
  call MPI_Finalize(error)
end program
