! SPDX-License-Identifier: BSD-3-Clause
! The access counter's markers for Fortran: see marker.h. Link with marker.c.
module access_counter
  implicit none
  interface
    subroutine access_counter_array(array, bytes) bind(C, name="access_counter_array_function")
      use, intrinsic :: iso_c_binding, only: c_size_t
      type(*), intent(in) :: array(*)
      integer(c_size_t), value :: bytes
    end subroutine
    subroutine access_counter_start() bind(C, name="access_counter_start_function")
    end subroutine
    subroutine access_counter_stop() bind(C, name="access_counter_stop_function")
    end subroutine
  end interface
end module
