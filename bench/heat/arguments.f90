! SPDX-License-Identifier: BSD-3-Clause
! The options of the command line.
module arguments
  use, intrinsic :: iso_fortran_env, only: error_unit
  use c_library, only: end_program
  use placement, only: placing
  implicit none
  private
  public :: request, read_arguments

  integer, parameter :: least_cells = 8       ! the check of the order uses half as many
  integer, parameter :: most_cells = 1024     ! the number of cells and the limits fit in an integer
  integer, parameter :: iterations_a_cell = 10  ! far more than any grid needs

  type :: request
    integer :: outer = 0
    integer :: inner = 0
    integer :: cells = 0        ! in each direction
    integer :: iterations = 0   ! limit for one solution
    integer :: derivatives = 0
    logical :: csv = .false.
    logical :: who = .false.
    type(placing) :: place
  end type request

contains

  function read_arguments() result(asked)
    type(request) :: asked
    character(len=64) :: text
    integer :: i, number
    number = 0
    do i = 1, command_argument_count()
      call get_command_argument(i, text)
      if (text == '--csv') then
        asked%csv = .true.
      else if (text == '--who') then
        asked%who = .true.
      else if (text == '--serial') then
        asked%place%serial = .true.
      else if (text(:6) == '--fix=') then
        asked%place%fix = text(7:)
      else if (text(:6) == '--use=') then
        asked%place%use = whole_number(text(7:), 0, 3600)
      else if (text(:14) == '--derivatives=') then
        asked%derivatives = whole_number(text(15:), 1, 4096)
      else
        number = number + 1
        select case (number)
        case (1)
          asked%outer = whole_number(text, 1, 4096)
        case (2)
          asked%inner = whole_number(text, 1, 4096)
        case (3)
          asked%cells = whole_number(text, least_cells, most_cells)
        case (4)
          asked%iterations = whole_number(text, 1, huge(1))
        case default
          call refuse(text)
        end select
      end if
    end do
    if (number < 3) call refuse('too few arguments')
    if (asked%iterations == 0) asked%iterations = iterations_a_cell * asked%cells
    if (asked%derivatives == 0) asked%derivatives = asked%outer
    if (asked%place%fix /= 'none' .and. asked%outer /= 1) then
      call refuse('--fix is for one outer thread')
    end if
  end function read_arguments

  function whole_number(text, least, most) result(value)
    character(len=*), intent(in) :: text
    integer, intent(in) :: least, most
    integer :: value, status
    value = 0
    status = 1
    if (text /= ' ' .and. verify(trim(text), '0123456789') == 0) then
      read (text, *, iostat=status) value
    end if
    if (status /= 0 .or. value < least .or. value > most) call refuse(text)
  end function whole_number

  subroutine refuse(text)
    character(len=*), intent(in) :: text
    write (error_unit, '(2a)') 'heat: ', trim(text)
    write (error_unit, '(a)') &
      'usage: heat OUTER INNER CELLS [ITERATIONS] [--derivatives=COUNT] [--csv] [--who]', &
      '            [--serial] [--fix=block|interleave] [--use=SECONDS]'
    call end_program(2)
  end subroutine refuse

end module arguments
