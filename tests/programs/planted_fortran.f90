! SPDX-License-Identifier: BSD-3-Clause
! The "parts" of planted.c. Usage: planted_fortran [SECONDS [MEBIBYTES [SCANS]]]
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

  ! Returns -1 if the kernel does not report scans.
  function scans_so_far() result(scans)
    integer :: scans, unit, status
    character(len=256) :: line
    scans = -1
    open (newunit=unit, file='/proc/self/sched', action='read', iostat=status)
    if (status /= 0) return
    do while (scans < 0 .and. status == 0)
      read (unit, '(a)', iostat=status) line
      if (status == 0 .and. index(line, 'numa_scan_seq') > 0) read (line(index(line, ':') + 1:), *) scans
    end do
    close (unit)
  end function scans_so_far

  subroutine use_parts(grid, seconds, scans)
    real(8), intent(inout) :: grid(:)
    real(8), intent(in) :: seconds
    integer, intent(in) :: scans ! 0 for no limit
    real(8) :: begin
    integer :: i
    begin = omp_get_wtime()
    do
      !$omp parallel do schedule(static) num_threads(4)
      do i = 1, size(grid), 8
        grid(i) = grid(i) + 1
      end do
      !$omp end parallel do
      if (omp_get_wtime() - begin >= seconds) exit
      if (scans > 0) then
        if (scans_so_far() >= scans) exit
      end if
    end do
  end subroutine use_parts
end module planted_work

program planted
  use planted_work
  implicit none
  real(8), allocatable :: grid(:)
  real(8) :: seconds
  integer :: scans, mebibytes
  character(len=32) :: word
  seconds = 0
  scans = 0
  mebibytes = 16
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) seconds
  end if
  if (command_argument_count() > 1) then
    call get_command_argument(2, word)
    read (word, *) mebibytes
  end if
  if (command_argument_count() > 2) then
    call get_command_argument(3, word)
    read (word, *) scans
  end if
  allocate (grid(131072 * mebibytes))
  call init_grid(grid)
  call use_parts(grid, seconds, scans)
  print '(a, l2)', 'fortran', grid(5) > 0
end program planted
