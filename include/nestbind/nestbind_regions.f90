! SPDX-License-Identifier: BSD-3-Clause
! Reports the source file and lines of the parallel region that a thread is in, for instrumented Fortran
! programs. Compile this file with the program's own compiler. Link as nestbind-instrument does, with
! -lnestbind-pomp or -lnestbind-pomp2.
!
!   use nestbind_regions
!   call nestbind_get_region(file, first_line)
!
! This module is separate, because the module nestbind needs none of these libraries. See region.h.
module nestbind_regions
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_size_t, c_ptr, c_f_pointer
  implicit none
  private

  public :: nestbind_get_region

  type, bind(c) :: c_region
    type(c_ptr) :: file
    integer(c_int) :: first_line
    integer(c_int) :: last_line
  end type c_region

  interface
    function c_get_region(region) bind(c, name="nestbind_get_region") result(error)
      import :: c_int, c_region
      type(c_region), intent(inout) :: region
      integer(c_int) :: error
    end function c_get_region

    function c_length(text) bind(c, name="strlen") result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function c_length
  end interface

contains

  ! Gets the innermost instrumented parallel region that contains the calling thread. `first_line` is the
  ! line of the region's directive. If `file` is too short, the end of the name is missing. If `file` is
  ! longer, blanks follow. If the thread is in no instrumented region, `error` is nestbind_not_placed, the
  ! name is blank, and the lines are 0.
  subroutine nestbind_get_region(file, first_line, last_line, error)
    character(len=*), intent(out) :: file
    integer, intent(out), optional :: first_line
    integer, intent(out), optional :: last_line
    integer, intent(out), optional :: error
    type(c_region) :: region
    character(kind=c_char), pointer :: letters(:)
    integer :: status, i
    region%first_line = 0
    region%last_line = 0
    status = c_get_region(region)
    file = " "
    if (status == 0) then
      call c_f_pointer(region%file, letters, [c_length(region%file)])
      do i = 1, min(size(letters), len(file))
        file(i:i) = letters(i)
      end do
    end if
    if (present(first_line)) first_line = region%first_line
    if (present(last_line)) last_line = region%last_line
    if (present(error)) error = status
  end subroutine nestbind_get_region

end module nestbind_regions
