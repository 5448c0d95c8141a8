! SPDX-License-Identifier: BSD-3-Clause
! The module nestbind: every procedure.
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
end program api
