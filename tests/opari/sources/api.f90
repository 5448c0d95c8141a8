! SPDX-License-Identifier: BSD-3-Clause
! Calls every procedure of the module nestbind, and causes every error of a bad text.
program api
  use nestbind
  use omp_lib
  implicit none
  character(len=40) :: text
  character(len=9) :: short
  type(nestbind_place) :: place
  integer :: error, length, cpus(16), count

  call omp_set_nesting_info("4,scatter,2,nonsense", error)
  print '(a,i0)', "bad ", error
  if (error /= nestbind_bad_strategy) print '(a)', "another constant"
  print '(3a)', "<", nestbind_strerror(error), ">"
  print '(3a)', "<", nestbind_strerror(nestbind_not_placed), ">"
  print '(3a)', "<", nestbind_strerror(-1), ">"
  call expect("0,scatter", nestbind_size_not_positive)
  call expect("x", nestbind_bad_size)
  call expect(" ", nestbind_empty)
  call expect("1048577,scatter", nestbind_size_too_large)
  call expect("4,scatter@numa", nestbind_domain_on_plain)
  call expect("4,subscatter@x", nestbind_bad_domain)
  call expect("4,scatter;", nestbind_bad_separator)
  call expect(repeat("1,scatter,", 64) // "1,scatter", nestbind_too_many_levels)
  call omp_get_nesting_info(text, length)
  print '(a,i0,3a)', "none ", length, " <", trim(text), ">"
  text = " 4 , Scatter,2,SUBCOMPACT"
  call omp_set_nesting_info(text, error)
  print '(a,i0)', "good ", error
  call omp_get_nesting_info(text, length)
  call omp_get_nesting_info(short)
  print '(a,i0,5a)', "now ", length, " <", trim(text), "> <", short, ">"
  print '(a,i0)', "outside ", nestbind_get_place(place)
  print '(a,i0)', "max ", omp_get_max_threads()
!$omp parallel private(place, error, cpus, count)
!$omp parallel private(place, error, cpus, count)
  error = nestbind_get_place(place)
  count = nestbind_get_cpus(cpus)
!$omp critical
  print '(a,8(1x,i0))', "place", error, place%level, place%path(1), place%path(2), place%core, &
    place%package, count, cpus(1)
!$omp end critical
!$omp end parallel
!$omp end parallel
contains
  subroutine expect(specification, wanted)
    character(len=*), intent(in) :: specification
    integer, intent(in) :: wanted
    integer :: got
    call omp_set_nesting_info(specification, got)
    if (got /= wanted) print '(a,i0,a,i0,2a)', "error ", got, ", not ", wanted, ": ", specification
  end subroutine expect
end program api
