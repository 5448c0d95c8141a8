! SPDX-License-Identifier: BSD-3-Clause
! Nested STREAM in Fortran: the same measurement as in nested_stream.c.
module stream
  use, intrinsic :: iso_c_binding, only: c_char, c_int
  use, intrinsic :: iso_fortran_env, only: real64, int64, error_unit
  use omp_lib
  implicit none

  integer, parameter :: text_length = 256
  integer, parameter :: kernels = 4
  character(len=5), parameter :: kernel_name(kernels) = ["copy ", "scale", "add  ", "triad"]
  integer, parameter :: arrays_moved(kernels) = [2, 2, 3, 3]
  real(real64), parameter :: scalar = 0.41421356237309503_real64  ! sqrt(2) - 1: values stay bounded

  type team_type
    real(real64), allocatable :: a(:), b(:), c(:)
    character(len=text_length), allocatable :: allowed(:)  ! where each thread may run
    integer(int64), allocatable :: wrong(:)
    integer :: size = 0
    logical :: changed_size = .false.
    real(real64) :: begin = 0, end = 0  ! times of one kernel, in seconds
  end type team_type

  interface
    ! The text is filled with blanks.
    subroutine allowed_processors(text, length) bind(c)
      import :: c_char, c_int
      character(kind=c_char), intent(out) :: text(*)
      integer(c_int), value :: length
    end subroutine allowed_processors
  end interface

contains

  ! The teams have different values, so the check finds a team that works on wrong arrays.
  pure real(real64) function first_value(number)
    integer, intent(in) :: number
    first_value = 1 + number
  end function first_value

  subroutine own_part(team, first, last)
    type(team_type), intent(in) :: team
    integer, intent(out) :: first, last
    integer :: each
    each = size(team%a) / team%size
    first = each * omp_get_thread_num() + 1
    last = first + each - 1
  end subroutine own_part

  subroutine initialise(team, number, elements)
    type(team_type), intent(inout) :: team
    integer, intent(in) :: number, elements
    integer :: first, last
!$omp parallel private(first, last)
!$omp single
    team%size = omp_get_num_threads()
    allocate (team%a(elements * team%size), team%b(elements * team%size))
    allocate (team%c(elements * team%size))
    allocate (team%allowed(0:team%size - 1), team%wrong(0:team%size - 1))
!$omp end single
    call own_part(team, first, last)
    team%a(first:last) = first_value(number)
    team%b(first:last) = 0
    team%c(first:last) = 0
!$omp end parallel
  end subroutine initialise

  subroutine compute(kernel, team, first, last)
    integer, intent(in) :: kernel, first, last
    type(team_type), intent(inout) :: team
    integer :: i
    select case (kernel)
    case (1)
      do i = first, last
        team%c(i) = team%a(i)
      end do
    case (2)
      do i = first, last
        team%b(i) = scalar * team%c(i)
      end do
    case (3)
      do i = first, last
        team%c(i) = team%a(i) + team%b(i)
      end do
    case default
      do i = first, last
        team%a(i) = team%b(i) + scalar * team%c(i)
      end do
    end select
  end subroutine compute

  subroutine run_kernel(kernel, team)
    integer, intent(in) :: kernel
    type(team_type), intent(inout) :: team
    integer :: first, last
    team%begin = omp_get_wtime()
!$omp parallel private(first, last)
    if (omp_get_num_threads() == team%size) then
      call own_part(team, first, last)
      call compute(kernel, team, first, last)
    else
!$omp critical
      team%changed_size = .true.
!$omp end critical
    end if
!$omp end parallel
    team%end = omp_get_wtime()
  end subroutine run_kernel

  subroutine check(team, number, rounds)
    type(team_type), intent(inout) :: team
    integer, intent(in) :: number, rounds
    type(team_type) :: one
    integer :: i, first, last, kernel, me
    allocate (one%a(1), one%b(1), one%c(1))
    one%a = first_value(number)
    one%b = 0
    one%c = 0
    do i = 1, rounds
      do kernel = 1, kernels
        call compute(kernel, one, 1, 1)
      end do
    end do
!$omp parallel private(first, last, me)
    me = omp_get_thread_num()
    if (me < team%size) then
      call allowed_processors(team%allowed(me), text_length)
      call own_part(team, first, last)
      team%wrong(me) = count(team%a(first:last) /= one%a(1) .or. team%b(first:last) /= one%b(1) &
                             .or. team%c(first:last) /= one%c(1), kind=int64)
    end if
!$omp end parallel
  end subroutine check

  subroutine measure(set_sizes, outer, inner, elements, repetitions, teams, seconds)
    logical, intent(in) :: set_sizes
    integer, intent(in) :: outer, inner, elements, repetitions
    type(team_type), allocatable, intent(out) :: teams(:)
    real(real64), intent(out) :: seconds(repetitions, kernels)
    integer :: round, kernel, me
    call omp_set_dynamic(.false.)
    if (set_sizes) then
      call omp_set_max_active_levels(2)
      call omp_set_num_threads(outer)
    end if
!$omp parallel private(round, kernel, me)
!$omp single
    allocate (teams(0:omp_get_num_threads() - 1))
!$omp end single
    me = omp_get_thread_num()
    if (set_sizes) call omp_set_num_threads(inner)
    call initialise(teams(me), me, elements)
    do round = 0, repetitions  ! the first round does not count
      do kernel = 1, kernels
!$omp barrier
        call run_kernel(kernel, teams(me))
!$omp barrier
        if (me == 0 .and. round > 0) then
          seconds(round, kernel) = maxval(teams%end) - minval(teams%begin)
        end if
      end do
    end do
!$omp barrier
    call check(teams(me), me, repetitions + 1)
!$omp end parallel
  end subroutine measure

  logical function is_right(teams, outer, inner)
    type(team_type), intent(in) :: teams(0:)
    integer, intent(in) :: outer, inner
    integer :: i
    is_right = outer == 0 .or. size(teams) == outer
    if (.not. is_right) write (error_unit, '(a,i0,a)') "nested_stream: ", size(teams), " teams"
    do i = 0, size(teams) - 1
      if ((inner /= 0 .and. teams(i)%size /= inner) .or. teams(i)%changed_size) then
        write (error_unit, '(a,i0,a,i0,a)') "nested_stream: team ", i, " has ", teams(i)%size, &
          " threads"
        is_right = .false.
      end if
      if (any(teams(i)%wrong /= 0)) then
        write (error_unit, '(a,i0,a,i0,a)') "nested_stream: team ", i, ": ", sum(teams(i)%wrong), &
          " wrong elements"
        is_right = .false.
      end if
    end do
  end function is_right

  subroutine print_figures(teams, elements, seconds)
    type(team_type), intent(in) :: teams(:)
    integer, intent(in) :: elements
    real(real64), intent(in) :: seconds(:, :)
    real(real64) :: gigabytes
    integer :: kernel, threads
    threads = sum(teams%size)
    print '(a,i0,a,i0,a,f0.1,a,i0,a)', "nested STREAM (Fortran): ", size(teams), " teams, ", threads, &
      " threads, arrays of ", elements * 8e-6_real64, " MB a thread, ", size(seconds, 1), " repetitions"
    print '(a8,a12)', "kernel  ", "best GB/s"
    do kernel = 1, kernels
      gigabytes = 8e-9_real64 * arrays_moved(kernel) * real(elements, real64) * threads
      print '(a8,f12.2)', kernel_name(kernel), gigabytes / minval(seconds(:, kernel))
    end do
  end subroutine print_figures

  subroutine write_threads(unit, teams)
    integer, intent(in) :: unit
    type(team_type), intent(in) :: teams(0:)
    integer :: i, j
    write (unit, '(a)') "path,may_run_on"
    do i = 0, size(teams) - 1
      do j = 0, teams(i)%size - 1
        write (unit, '(i0,a,i0,a,a)') i, ".", j, ",", trim(teams(i)%allowed(j))
      end do
    end do
  end subroutine write_threads
end module stream

program nested_stream
  use stream
  implicit none
  integer :: numbers(4), given, i, status, file
  character(len=1000) :: argument, threads_file, value
  type(team_type), allocatable :: teams(:)
  real(real64), allocatable :: seconds(:, :)
  logical :: set_sizes, right

  numbers = [0, 0, 4000000, 10]
  given = 0
  threads_file = " "
  i = 1
  do while (i <= command_argument_count())
    call get_command_argument(i, argument)
    if (argument == "--threads" .and. i < command_argument_count()) then
      i = i + 1
      call get_command_argument(i, threads_file)
    else
      given = given + 1
      if (given > 4) call usage
      read (argument, *, iostat=status) numbers(given)
      if (status /= 0 .or. numbers(given) < 1) call usage
    end if
    i = i + 1
  end do
  ! A specification sets the sizes, so the program does not.
  call get_environment_variable("NESTBIND_TEAM_SIZES", value)
  set_sizes = value == "ignore"
  call get_environment_variable("OMP_NESTING_TEAM_SIZE", value, status=status)
  set_sizes = set_sizes .or. status == 1
  if (given == 1 .or. (given == 0 .and. set_sizes)) call usage

  allocate (seconds(numbers(4), kernels))
  call measure(set_sizes, numbers(1), numbers(2), numbers(3), numbers(4), teams, seconds)
  call print_figures(teams, numbers(3), seconds)
  right = is_right(teams, numbers(1), numbers(2))
  if (right) print '(a)', "every element has the expected value"
  if (threads_file /= " ") then
    open (newunit=file, file=threads_file, action="write")
    call write_threads(file, teams)
    close (file)
  end if
  if (.not. right) stop 1

contains

  subroutine usage
    write (error_unit, '(a)') "usage: nested_stream [--threads FILE] [Y Z [ELEMENTS [REPETITIONS]]]"
    write (error_unit, '(a)') "  as nested_stream.c: Y outer threads with inner teams of Z"
    stop 2
  end subroutine usage
end program nested_stream
