! SPDX-License-Identifier: BSD-3-Clause
! As planted.c's parts: one thread initialises, each uses its own part. planted_fortran [SECONDS]
module planted_work
  use omp_lib
  implicit none
contains
  subroutine init_grid(grid)
    real(8), intent(out) :: grid(:)
    integer :: i
    do i = 1, size(grid)
      grid(i) = i ! PLANTED: init_grid
    end do
  end subroutine init_grid

  subroutine use_parts(grid, seconds)
    real(8), intent(inout) :: grid(:)
    real(8), intent(in) :: seconds
    real(8) :: begin
    integer :: i
    begin = omp_get_wtime()
    do
      !$omp parallel do schedule(static) num_threads(4)
      do i = 1, size(grid)
        grid(i) = grid(i) + 1
      end do
      !$omp end parallel do
      if (omp_get_wtime() - begin >= seconds) exit
    end do
  end subroutine use_parts
end module planted_work

program planted
  use planted_work
  implicit none
  real(8), allocatable :: grid(:)
  real(8) :: seconds
  character(len=32) :: word
  seconds = 0
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) seconds
  end if
  allocate (grid(2097152))
  call init_grid(grid)
  call use_parts(grid, seconds)
  print '(a, l2)', 'fortran', grid(5) > 0
end program planted
