! SPDX-License-Identifier: BSD-3-Clause
! nestbind for Fortran: compile this file with the program's own compiler, and link with -lnestbind.
!
!   use nestbind
!   call omp_set_nesting_info("4,scatter,2,subcompact")
!
! The numbers of errors and the meaning of each call are those of nestbind.h. Without this module,
! `call omp_set_nesting_info(text)` and `call omp_get_nesting_info(text)` work as external
! procedures.
module nestbind
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_size_t, c_null_char
  implicit none
  private

  public :: omp_set_nesting_info, omp_get_nesting_info
  public :: nestbind_place, nestbind_get_place, nestbind_get_cpus

  integer, parameter, public :: nestbind_max_levels = 64
  integer, parameter, public :: nestbind_ok = 0
  integer, parameter, public :: nestbind_not_placed = 14

  ! Where a thread is. Thread numbers and logical indices count from zero, as everywhere in OpenMP.
  type, bind(c) :: nestbind_place
    integer(c_int) :: level                      ! enclosing parallel regions = numbers in path
    integer(c_int) :: path(nestbind_max_levels)  ! thread numbers, outermost team first
    integer(c_int) :: pinned                     ! 1: to one slot; 0: beyond the specification, or not bound
    integer(c_int) :: core                       ! among the usable objects; -1: none
    integer(c_int) :: package
    integer(c_int) :: numa
  end type nestbind_place

  interface
    function c_set(text) bind(c, name="omp_set_nesting_info") result(error)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int) :: error
    end function c_set

    function c_get(buffer, size) bind(c, name="omp_get_nesting_info") result(length)
      import :: c_char, c_size_t
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t) :: length
    end function c_get

    function c_get_cpus(cpus, capacity) bind(c, name="nestbind_get_cpus") result(count)
      import :: c_int
      integer(c_int), intent(out) :: cpus(*)
      integer(c_int), value :: capacity
      integer(c_int) :: count
    end function c_get_cpus

    ! The place of the calling thread, as planned. Returns nestbind_ok, or nestbind_not_placed
    ! outside parallel regions, without a specification, and in teams that are not planned.
    function nestbind_get_place(place) bind(c, name="nestbind_get_place") result(error)
      import :: c_int, nestbind_place
      type(nestbind_place), intent(out) :: place
      integer(c_int) :: error
    end function nestbind_get_place
  end interface

contains

  ! Puts a specification in force. Blanks at its end do not matter. `error` is nestbind_ok, or why
  ! nothing has changed.
  subroutine omp_set_nesting_info(text, error)
    character(len=*), intent(in) :: text
    integer, intent(out), optional :: error
    integer :: status
    status = c_set(trim(text) // c_null_char)
    if (present(error)) error = status
  end subroutine omp_set_nesting_info

  ! The specification in force, cut or padded with blanks. `length` is that of the whole.
  subroutine omp_get_nesting_info(text, length)
    character(len=*), intent(out) :: text
    integer, intent(out), optional :: length
    character(kind=c_char) :: buffer(nestbind_max_levels * 32 + 1)
    integer :: whole, i
    whole = int(c_get(buffer, size(buffer, kind=c_size_t)))
    text = " "
    do i = 1, min(whole, len(text))
      text(i:i) = buffer(i)
    end do
    if (present(length)) length = whole
  end subroutine omp_get_nesting_info

  ! The processors that the calling thread is bound to, ascending. Returns how many there are, also
  ! where that exceeds the array's size; -1 if they cannot be read.
  function nestbind_get_cpus(cpus) result(count)
    integer(c_int), intent(out) :: cpus(:)
    integer :: count
    integer(c_int) :: found(size(cpus))
    count = c_get_cpus(found, int(size(cpus), c_int))
    cpus = -1
    if (count > 0) cpus(:min(count, size(cpus))) = found(:min(count, size(cpus)))
  end function nestbind_get_cpus

end module nestbind
