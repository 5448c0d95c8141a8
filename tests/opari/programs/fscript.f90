! SPDX-License-Identifier: BSD-3-Clause
! Runs the steps in its arguments, like tests/programs/script.c. The step `fork=4x2xd` forks nested
! teams, and "d" is the default size. The step `max=LABEL` prints omp_get_max_threads. `spec=TEXT`
! calls omp_set_nesting_info, and `threads=N` calls omp_set_num_threads.
module rows
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine show_row(label, length) bind(c)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: label(*)
      integer(c_int), value :: length
    end subroutine show_row
    subroutine say_number(label, length, number) bind(c)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: label(*)
      integer(c_int), value :: length, number
    end subroutine say_number
  end interface
end module rows

module teams
  use rows
  use omp_lib
  implicit none
contains
  recursive subroutine fork_teams(label, shape)
    character(len=*), intent(in) :: label, shape
    integer :: cut, threads
    cut = index(shape // "x", "x")
    if (shape(1:1) == "d") then
!$omp parallel
      if (cut > len_trim(shape)) then
        call show_row(label, len(label))
      else
        call fork_teams(label, shape(cut + 1:))
      end if
!$omp end parallel
    else
      read (shape(:cut - 1), *) threads
!$omp parallel num_threads(threads)
      if (cut > len_trim(shape)) then
        call show_row(label, len(label))
      else
        call fork_teams(label, shape(cut + 1:))
      end if
!$omp end parallel
    end if
  end subroutine fork_teams
end module teams

program fscript
  use teams
  implicit none
  character(len=200) :: step
  integer :: i, equals, threads
  do i = 1, command_argument_count()
    call get_command_argument(i, step)
    equals = index(step, "=")
    select case (step(:equals - 1))
    case ("fork")
      call fork_teams("row", trim(step(equals + 1:)))
    case ("spec")
      ! The text includes all blanks of the variable.
      call omp_set_nesting_info(step(equals + 1:))
    case ("threads")
      read (step(equals + 1:), *) threads
      call omp_set_num_threads(threads)
    case ("max")
      call say_number(trim(step(equals + 1:)), len_trim(step(equals + 1:)), omp_get_max_threads())
    case default
      stop 2
    end select
  end do
end program fscript
