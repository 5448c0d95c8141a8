! SPDX-License-Identifier: BSD-3-Clause
! Arrays on the wrong nodes: initialised by one thread on purpose; and the remedy.
module placement
  use, intrinsic :: iso_c_binding, only: c_char, c_loc, c_null_char, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use workspace, only: work
  implicit none
  private
  public :: placing, mend_work

  type :: placing
    logical :: serial = .false.  ! initialised by the inner team's master alone
    character(len=16) :: mend = 'none'  ! block, interleave (../mend.h)
    integer :: use = 0                  ! seconds of use before the counted part
  end type placing

  interface
    subroutine c_mend(way, array, bytes) bind(c, name='heat_mend')
      import :: c_char, c_ptr, c_size_t
      character(kind=c_char), intent(in) :: way(*)
      type(c_ptr), value :: array
      integer(c_size_t), value :: bytes
    end subroutine c_mend
  end interface

contains

  ! Called by the thread that forks the inner team, before the fork.
  subroutine mend_work(w, way)
    type(work), intent(inout), target :: w
    character(len=*), intent(in) :: way
    call mend_field(w%resistivity)
    call mend_field(w%resistivity_derivative)
    call mend_field(w%west)
    call mend_field(w%south)
    call mend_field(w%bottom)
    call mend_field(w%diagonal)
    call mend_field(w%t)
    call mend_field(w%s)
    call mend_field(w%rhs)
    call mend_field(w%r)
    call mend_field(w%p)
    call mend_field(w%q)
  contains
    subroutine mend_field(field)
      real(dp), intent(inout), contiguous, target :: field(:, :, :)
      call c_mend(trim(way)//c_null_char, c_loc(field), &
                  int(size(field), c_size_t) * (storage_size(field) / 8))
    end subroutine mend_field
  end subroutine mend_work

end module placement
