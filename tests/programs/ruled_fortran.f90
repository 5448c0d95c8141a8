! SPDX-License-Identifier: BSD-3-Clause
! Regions for rules. Some regions are in a module's procedure.
module rows
  use omp_lib
  use, intrinsic :: iso_c_binding, only: c_long, c_int8_t
  implicit none
  interface
    function system_call(number, thread, size, mask) bind(c, name="syscall") result(answer)
      import :: c_long, c_int8_t
      integer(c_long), value :: number, thread, size
      integer(c_int8_t), intent(inout) :: mask(*)
      integer(c_long) :: answer
    end function
  end interface
contains
  ! System call numbers of x86-64.
  subroutine show(label)
    character(*), intent(in) :: label
    integer(c_int8_t) :: mask(128)
    character(256) :: cpus
    integer(c_long) :: numbers(2), length, thread
    integer :: cpu
    numbers = [186_c_long, 204_c_long]
    mask = 0
    length = system_call(numbers(2), 0_c_long, 128_c_long, mask)
    thread = system_call(numbers(1), 0_c_long, 0_c_long, mask)
    cpus = ''
    do cpu = 0, int(length) * 8 - 1
      if (btest(int(mask(cpu / 8 + 1)), mod(cpu, 8))) write (cpus(len_trim(cpus) + 1:), '(i0,a)') cpu, ','
    end do
    !$omp critical
    print '(a,i0,a,i0,a,i0,a)', '@ ' // label // ' ', omp_get_thread_num(), ' ', omp_get_num_threads(), ' ', thread, &
      ' ' // cpus(:len_trim(cpus) - 1)
    !$omp end critical
  end subroutine
end module

module work
  use rows
contains
  subroutine solve()
    !$omp parallel
    call show('solve')
    !$omp end parallel
  end subroutine
end module

subroutine outside()
  use rows
  !$omp parallel
  call show('outside')
  !$omp end parallel
end subroutine

program ruled_fortran
  use work
  call solve()
  call outside()
end program
