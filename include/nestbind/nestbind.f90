! SPDX-License-Identifier: BSD-3-Clause
! nestbind for Fortran: compile this file with the program's own compiler, and link with -lnestbind.
!
!   use nestbind
!   integer :: error
!   call omp_set_nesting_info("4,scatter,2,subcompact", error)
!   if (error /= nestbind_ok) print *, nestbind_strerror(error)
!
! The error numbers and the calls have the same meaning as in nestbind.h. The procedures that set and
! get a specification or a schedule are subroutines with an optional last argument. All others are
! functions. Without this module, you can call these subroutines with the text alone, as external
! procedures: `call omp_set_nesting_info(text)`.
module nestbind
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_size_t, c_null_char, c_ptr, c_f_pointer
  implicit none
  private

  public :: omp_set_nesting_info, omp_get_nesting_info
  public :: nestbind_set_schedule, nestbind_get_schedule
  public :: nestbind_place, nestbind_get_place, nestbind_get_cpus, nestbind_strerror

  integer, parameter, public :: nestbind_max_levels = 64
  integer, parameter, public :: nestbind_max_threads = 1048576
  integer, parameter, public :: nestbind_strict_status = 78

  integer, parameter, public :: nestbind_ok = 0
  integer, parameter, public :: nestbind_empty = 1
  integer, parameter, public :: nestbind_bad_size = 2
  integer, parameter, public :: nestbind_size_not_positive = 3
  integer, parameter, public :: nestbind_size_too_large = 4
  integer, parameter, public :: nestbind_bad_strategy = 5
  integer, parameter, public :: nestbind_domain_on_plain = 6
  integer, parameter, public :: nestbind_bad_domain = 7
  integer, parameter, public :: nestbind_bad_separator = 8
  integer, parameter, public :: nestbind_too_many_levels = 9
  integer, parameter, public :: nestbind_bad_argument = 10
  integer, parameter, public :: nestbind_no_machine = 11
  integer, parameter, public :: nestbind_no_planner = 12
  integer, parameter, public :: nestbind_no_memory = 13
  integer, parameter, public :: nestbind_not_placed = 14
  integer, parameter, public :: nestbind_bad_schedule = 15
  integer, parameter, public :: nestbind_bad_option = 16
  integer, parameter, public :: nestbind_bad_value = 17
  integer, parameter, public :: nestbind_partly_placed = 18
  integer, parameter, public :: nestbind_not_mapped = 19
  integer, parameter, public :: nestbind_not_permitted = 20
  integer, parameter, public :: nestbind_no_module = 21
  integer, parameter, public :: nestbind_too_late = 22
  integer, parameter, public :: nestbind_turned_off = 23

  integer, parameter :: schedule_length = 160  ! the longest text of a schedule

  ! The place of a thread. Thread numbers and numbers of objects begin with zero, as in OpenMP.
  type, bind(c) :: nestbind_place
    integer(c_int) :: level                      ! number of enclosing regions
    integer(c_int) :: path(nestbind_max_levels)  ! `level` thread numbers, the outermost team first
    integer(c_int) :: pinned                     ! 1: bound to one slot; 0: level beyond the specification, or not bound
    integer(c_int) :: core                       ! logical number, as in lstopo; -1: none
    integer(c_int) :: package                    ! logical number; -1: none
    integer(c_int) :: numa                       ! the kernel's number of the NUMA node; -1: none
    integer(c_int) :: numa_logical               ! the logical number of the same node
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

    function c_set_schedule(text) bind(c, name="nestbind_set_schedule") result(error)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int) :: error
    end function c_set_schedule

    function c_get_schedule(buffer, size) bind(c, name="nestbind_get_schedule") result(length)
      import :: c_char, c_size_t
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t) :: length
    end function c_get_schedule

    function c_get_cpus(cpus, capacity) bind(c, name="nestbind_get_cpus") result(count)
      import :: c_int
      integer(c_int), intent(out) :: cpus(*)
      integer(c_int), value :: capacity
      integer(c_int) :: count
    end function c_get_cpus

    function c_strerror(error) bind(c, name="nestbind_strerror") result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: error
      type(c_ptr) :: text
    end function c_strerror

    function c_length(text) bind(c, name="strlen") result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function c_length

    ! Gets the planned place of the calling thread. Returns nestbind_ok or nestbind_not_placed.
    ! A thread has no place outside parallel regions. It has no place if there is no specification, or if
    ! its team is not planned.
    function nestbind_get_place(place) bind(c, name="nestbind_get_place") result(error)
      import :: c_int, nestbind_place
      type(nestbind_place), intent(out) :: place
      integer(c_int) :: error
    end function nestbind_get_place
  end interface

contains

  ! Puts a specification in force. Blanks at the end of `text` are ignored. If `error` is not
  ! nestbind_ok, nothing has changed.
  subroutine omp_set_nesting_info(text, error)
    character(len=*), intent(in) :: text
    integer, intent(out), optional :: error
    integer :: status
    status = c_set(trim(text) // c_null_char)
    if (present(error)) error = status
  end subroutine omp_set_nesting_info

  ! Copies the specification in force to `text`. If `text` is too short, the end is missing. If `text` is
  ! longer, blanks follow. `length` is the length of the whole specification.
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

  ! Puts a schedule of loops in force for the next regions. Blanks at the end of `text` are ignored. If
  ! `error` is not nestbind_ok, nothing has changed.
  subroutine nestbind_set_schedule(text, error)
    character(len=*), intent(in) :: text
    integer, intent(out), optional :: error
    integer :: status
    status = c_set_schedule(trim(text) // c_null_char)
    if (present(error)) error = status
  end subroutine nestbind_set_schedule

  ! Copies the schedule of the next regions to `text`. If `text` is too short, the end is missing. If `text`
  ! is longer, blanks follow. `length` is the length of the whole schedule.
  subroutine nestbind_get_schedule(text, length)
    character(len=*), intent(out) :: text
    integer, intent(out), optional :: length
    character(kind=c_char) :: buffer(schedule_length + 1)
    integer :: whole, i
    whole = int(c_get_schedule(buffer, size(buffer, kind=c_size_t)))
    text = " "
    do i = 1, min(whole, len(text))
      text(i:i) = buffer(i)
    end do
    if (present(length)) length = whole
  end subroutine nestbind_get_schedule

  ! Gets the processors to which the calling thread is bound, ascending. Returns the number of processors,
  ! even if it exceeds the size of the array; -1 if the processors cannot be read.
  function nestbind_get_cpus(cpus) result(count)
    integer(c_int), intent(out) :: cpus(:)
    integer :: count
    integer(c_int) :: found(size(cpus))
    count = c_get_cpus(found, int(size(cpus), c_int))
    cpus = -1
    if (count > 0) cpus(:min(count, size(cpus))) = found(:min(count, size(cpus)))
  end function nestbind_get_cpus

  ! Returns the meaning of an error number, in one line of English.
  function nestbind_strerror(error) result(text)
    integer, intent(in) :: error
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: meaning
    integer :: i
    meaning = c_strerror(int(error, c_int))
    call c_f_pointer(meaning, letters, [c_length(meaning)])
    allocate(character(len=size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function nestbind_strerror

end module nestbind
