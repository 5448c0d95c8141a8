! SPDX-License-Identifier: BSD-3-Clause
! Options for arrays that one thread initialises, and for the remedy.
module placement
  use, intrinsic :: iso_c_binding, only: c_char, c_loc, c_null_char, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use workspace, only: work
  implicit none
  private
  public :: placing, fix_work

  type :: placing
    logical :: serial = .false.  ! only the primary thread of the inner team initialises
    character(len=16) :: fix = 'none'  ! none, block or interleave (../fix.h)
    integer :: use = 0                  ! seconds of use before the counted part
  end type placing

  interface
    subroutine c_fix(way, array, bytes) bind(c, name='heat_fix')
      import :: c_char, c_ptr, c_size_t
      character(kind=c_char), intent(in) :: way(*)
      type(c_ptr), value :: array
      integer(c_size_t), value :: bytes
    end subroutine c_fix
  end interface

contains

  ! The thread that forks the inner team calls this procedure before the fork.
  subroutine fix_work(w, way)
    type(work), intent(inout), target :: w
    character(len=*), intent(in) :: way
    call fix_field(w%resistivity)
    call fix_field(w%resistivity_derivative)
    call fix_field(w%west)
    call fix_field(w%south)
    call fix_field(w%bottom)
    call fix_field(w%diagonal)
    call fix_field(w%t)
    call fix_field(w%s)
    call fix_field(w%rhs)
    call fix_field(w%r)
    call fix_field(w%p)
    call fix_field(w%q)
  contains
    subroutine fix_field(field)
      real(dp), intent(inout), contiguous, target :: field(:, :, :)
      call c_fix(trim(way)//c_null_char, c_loc(field), &
                  int(size(field), c_size_t) * (storage_size(field) / 8))
    end subroutine fix_field
  end subroutine fix_work

end module placement
