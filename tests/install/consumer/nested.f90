! SPDX-License-Identifier: BSD-3-Clause
program nested
  use omp_lib
  implicit none
!$omp parallel
!$omp parallel
  if (omp_get_level() /= 2) stop 1
!$omp end parallel
!$omp end parallel
end program
