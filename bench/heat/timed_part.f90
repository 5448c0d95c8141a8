! SPDX-License-Identifier: BSD-3-Clause
! Only one thread may call these procedures at a time.
module timed_part
  use, intrinsic :: iso_c_binding, only: c_loc, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use workspace, only: work
  implicit none
  private
  public :: begin_timed_part, end_timed_part, register_work

  interface
    subroutine begin_timed_part() bind(c, name='heat_timed_part_begin')
    end subroutine begin_timed_part

    subroutine end_timed_part() bind(c, name='heat_timed_part_end')
    end subroutine end_timed_part

    subroutine c_array(begin, bytes) bind(c, name='heat_timed_part_array')
      import :: c_ptr, c_size_t
      type(c_ptr), value :: begin
      integer(c_size_t), value :: bytes
    end subroutine c_array
  end interface

contains

  subroutine register_work(w)
    type(work), intent(in), target :: w
    call register_field(w%resistivity)
    call register_field(w%resistivity_derivative)
    call register_field(w%west)
    call register_field(w%south)
    call register_field(w%bottom)
    call register_field(w%diagonal)
    call register_field(w%t)
    call register_field(w%s)
    call register_field(w%rhs)
    call register_field(w%r)
    call register_field(w%p)
    call register_field(w%q)
  end subroutine register_work

  subroutine register_field(field)
    real(dp), intent(in), contiguous, target :: field(:, :, :)
    call c_array(c_loc(field), int(size(field), c_size_t) * (storage_size(field) / 8))
  end subroutine register_field

end module timed_part
