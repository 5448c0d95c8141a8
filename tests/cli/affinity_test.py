# SPDX-License-Identifier: BSD-3-Clause
"""OpenMP's own affinity interface in Fortran, on GCC's and LLVM's runtimes."""
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

FIRST = r"""
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  char text[64] = "";
  omp_capture_affinity(text, sizeof text, "%A");
  cpu_set_t mask;
  CPU_ZERO(&mask);
  syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask);
  printf("%s:", text);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask)) printf(" %d", cpu);
  puts("");
#pragma omp parallel
  { }
  return 0;
}
"""


class First(RuntimeTestCase):
    def test_question_before_llvm_has_begun(self):
        """LLVM's runtime binds the initial thread at its first call, even if this call only asks for something."""
        program = self.compile("first", "-fopenmp", compiler="clang-19", source=FIRST)
        process = nestbind("run", "2,scatter", "--", program, env={"OMP_PLACES": "threads", "OMP_PROC_BIND": "close"})
        self.assertStatus(process, 0)
        told, mask = process.stdout.split(":")
        cpus = set()
        for part in told.split(","):
            first, _, last = part.partition("-")
            cpus.update(range(int(first), int(last or first) + 1))
        self.assertEqual(cpus, {int(cpu) for cpu in mask.split()}, process.stdout)


class Fortran(RuntimeTestCase):
    def setUp(self):
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) < 2:
            self.skipTest("there is one processor")
        self.first, self.second = cpus[:2]

    def assert_told(self, *options):
        """Checks that the numbers of the places are in the reverse order of the members."""
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
