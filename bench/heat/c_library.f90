! SPDX-License-Identifier: BSD-3-Clause
! Functions of the C library that Fortran 2008 lacks.
module c_library
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit
  implicit none
  private
  public :: end_program, processor

  interface
    function sched_getcpu() bind(c, name='sched_getcpu') result(cpu)
      import :: c_int
      integer(c_int) :: cpu
    end function sched_getcpu

    subroutine c_exit(status) bind(c, name='exit')
      import :: c_int
      integer(c_int), value :: status
    end subroutine c_exit
  end interface

contains

  ! Returns the processor of the calling thread, or -1 if it is not known.
  function processor() result(number)
    integer :: number
    number = int(sched_getcpu())
  end function processor

  ! Replaces STOP, which prints the status in a different form for each compiler.
  subroutine end_program(status)
    integer, intent(in) :: status
    flush (output_unit)
    flush (error_unit)
    call c_exit(int(status, c_int))
  end subroutine end_program

end module c_library
