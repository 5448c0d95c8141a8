# SPDX-License-Identifier: BSD-3-Clause
"""OpenMP's own affinity interface in Fortran, on GCC's runtime and on LLVM's."""
import os
import unittest

from runtime_programs import RuntimeTestCase
from support import nestbind

FORTRAN = """
program affinity
  use omp_lib
  implicit none
  character(len=20) :: text
  integer :: length, places(64)
  !$omp parallel private(text, length, places)
  length = omp_capture_affinity(text, '%n %A')
  call omp_get_partition_place_nums(places)
  !$omp critical
  print '(a,a,3i3)', text(:length), ':', omp_get_place_num(), omp_get_partition_num_places(), places(1)
  call flush(6)
  call omp_display_affinity('shown %n %A')
  !$omp end critical
  !$omp end parallel
end program
"""


class Fortran(RuntimeTestCase):
    def setUp(self):
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) < 2:
            self.skipTest("there is one processor")
        self.first, self.second = cpus[:2]

    def assert_told(self, *options):
        """Places are numbered the other way round than the members sit."""
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {self.first, self.second})
        try:
            process = nestbind("run", *options, "2,scatter", "--", self.fortran("affinity", FORTRAN),
                               env={"OMP_PLACES": f"{{{self.second}}},{{{self.first}}}"})
        finally:
            os.sched_setaffinity(0, before)
        self.assertStatus(process, 0)
        lines = sorted((process.stdout + process.stderr).splitlines())
        self.assertEqual(lines, [f"0 {self.first}:  1  1  1", f"1 {self.second}:  0  1  0",
                                 f"shown 0 {self.first}", f"shown 1 {self.second}"])

    def test_on_gcc(self):
        self.assert_told()

    def test_on_llvm(self):
        self.assert_told("--runtime=llvm")


if __name__ == "__main__":
    unittest.main()
