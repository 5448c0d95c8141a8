! SPDX-License-Identifier: BSD-3-Clause
! README.md describes this program.
program heat
  use, intrinsic :: iso_fortran_env, only: dp => real64, error_unit
  use arguments, only: read_arguments, request
  use c_library, only: end_program
  use derivatives, only: compute_derivatives
  use outcome, only: result_of
  use placement, only: placing
  use output, only: print_processors, print_results, print_times, print_times_as_csv
  use verdict, only: fault_of
  implicit none

  type(request) :: asked
  type(result_of), allocatable :: fine(:), coarse(:)
  character(len=40) :: fault
  real(dp) :: elapsed, not_of_interest
  integer :: i, coarse_cells, failed

  asked = read_arguments()
  coarse_cells = asked%cells / 2
  allocate (fine(asked%derivatives), coarse(asked%derivatives))
  call compute_derivatives(asked%outer, asked%inner, asked%cells, asked%iterations, asked%place, &
                           .true., fine, elapsed)
  call compute_derivatives(asked%outer, asked%inner, coarse_cells, asked%iterations, placing(), &
                           .false., coarse, not_of_interest)

  if (any(fine%outer /= asked%outer) &
      .or. any([(size(fine(i)%processors, 2) /= asked%inner, i=1, size(fine))])) then
    write (error_unit, '(a, i0, a, i0)') 'heat: the teams are not those asked for, ', &
      asked%outer, 'x', asked%inner
  end if
  if (asked%csv) then
    call print_times_as_csv(fine, elapsed)
  else
    print '(a, i0, a, i0, a, i0, a, /)', 'heat conduction: ', asked%cells, '^3 cells, ', &
      asked%derivatives, ' derivatives, ', fine(1)%outer, ' outer threads'
    call print_times(fine, elapsed)
    call print_results(fine, asked%cells, coarse, coarse_cells)
    if (asked%who) call print_processors(fine)
  end if

  failed = 0
  do i = 1, size(fine)
    fault = fault_of(fine(i), asked%cells, coarse(i), coarse_cells)
    if (fault == ' ') cycle
    failed = failed + 1
    write (error_unit, '(a, i0, 2a)') 'heat: derivative ', i, ': ', trim(fault)
  end do
  if (.not. asked%csv) then
    print '(/, a)', trim(merge('passed', 'failed', failed == 0))
  end if
  call end_program(merge(0, 1, failed == 0))
end program heat
