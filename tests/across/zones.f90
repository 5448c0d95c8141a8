! SPDX-License-Identifier: BSD-3-Clause
! Balances 32 zones, eight of them heavy, and prints how many the first rank has at the end.
program zones
  use, intrinsic :: iso_c_binding
  use mpi
  use nestbind_mpi_balancing
  implicit none
  type(c_ptr) :: balancer
  type(nestbind_balance_move), pointer :: moves(:)
  type(nestbind_mpi_balance_options) :: options
  type(nestbind_across_report) :: report
  integer :: ierr, rank, ranks, step, i, k, owner(32), mine
  integer(c_int) :: status
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  options%node = 1 + rank
  balancer = nestbind_mpi_balancer(MPI_COMM_WORLD, options)
  owner = [((i - 1) * ranks / 32, i = 1, 32)]
  do step = 1, 10
    do i = 1, 32
      if (owner(i) == rank) status = nestbind_mpi_load(balancer, int(i, c_long_long), merge(4d-2, 1d-2, i <= 8), 100d0)
    end do
    status = nestbind_mpi_balance(balancer, 1d6, moves)
    do k = 1, status
      owner(moves(k)%id) = moves(k)%to
    end do
    status = nestbind_mpi_balance_report(balancer, report)
  end do
  mine = count(owner == rank)
  if (rank == 0) print *, "objects", mine
  call nestbind_mpi_balancer_free(balancer)
  call MPI_Finalize(ierr)
end program zones
