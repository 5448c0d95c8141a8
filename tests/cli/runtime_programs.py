# SPDX-License-Identifier: BSD-3-Clause
"""Programs and functions for the tests of nestbind run --runtime=llvm."""
import os
import shutil
import subprocess
import unittest

from support import TestCase, nestbind

TELL = r"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
void tell_place(int outer, int inner) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask);
  char line[1024];
  int length = sprintf(line, "%d.%d", outer, inner);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask) && length < 1000) length += sprintf(line + length, " %d", cpu);
  puts(line);
}
void tell_runtime(void) {
  char line[4096];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps)) {
    char *name = strrchr(line, '/');
    if (name && strstr(line, "r-xp") && strstr(name, "omp")) printf("runtime %s", name + 1);
  }
  fclose(maps);
}
"""

C = r"""
#include <omp.h>
void tell_place(int, int);
void tell_runtime(void);
int main(void) {
#pragma omp parallel
#pragma omp parallel
#pragma omp critical
  tell_place(omp_get_ancestor_thread_num(1), omp_get_thread_num());
  tell_runtime();
  return 42;
}
"""

CXX = r"""
#include <omp.h>
#include <vector>
extern "C" void tell_place(int, int);
extern "C" void tell_runtime();
int main() {
  std::vector<int> seen;
  long sum = 0;
#pragma omp parallel
  {
    const int outer = omp_get_thread_num();
#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
    for (int i = 0; i < omp_get_num_threads(); ++i) {
      sum += i;
#pragma omp critical
      {
        seen.push_back(i);
        tell_place(outer, omp_get_thread_num());
      }
    }
  }
  tell_runtime();
  return seen.empty() || sum < 0 ? 1 : 42;
}
"""

FORTRAN = """
program nested
  use omp_lib
  use iso_c_binding
  implicit none
  interface
    subroutine tell_place(outer, inner) bind(c)
      import c_int
      integer(c_int), value :: outer, inner
    end subroutine
    subroutine tell_runtime() bind(c)
    end subroutine
  end interface
  !$omp parallel
  !$omp parallel
  !$omp critical
  call tell_place(int(omp_get_ancestor_thread_num(1), c_int), int(omp_get_thread_num(), c_int))
  !$omp end critical
  !$omp end parallel
  !$omp end parallel
  call tell_runtime()
  stop 42
end program
"""

EIGHT_BYTE_INTEGERS = """
program eight
  use omp_lib
  print *, 'started'
  call omp_set_num_threads(2)
end program
"""

NEWER_NODE = r"""
#include <omp.h>
#include <stdio.h>
int main(void) {
  void *block = omp_alloc(8, omp_default_mem_alloc);
#pragma omp parallel
  puts("started");
  omp_free(block, omp_default_mem_alloc);
  return 0;
}
"""

TARGET = r"""
#include <stdio.h>
int main(int argc, char **argv) {
  (void)argv;
  puts("started");
#pragma omp target map(tofrom : argc)
  argc = 0;
  return argc;
}
"""

STARTED = r"""
#include <stdio.h>
int main(void) {
#pragma omp parallel
  puts("started");
  return 42;
}
"""


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout


def libomp():
    for line in output_of("/sbin/ldconfig", "-p").splitlines():
        if line.strip().startswith("libomp.so.5 "):
            return line.split("=> ")[1]
    raise unittest.SkipTest("there is no libomp.so.5")


def libgomp():
    return output_of("gcc", "-print-file-name=libgomp.so.1").strip()


class RuntimeTestCase(TestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.libomp = os.path.realpath(libomp())
        cls.clang = next((c for c in ("clang-19", "clang-14", "clang") if shutil.which(c)), "clang")

    def run_on_llvm(self, spec, *program, options=(), env=None):
        return nestbind("run", "--runtime=llvm", *options, spec, "--", *program,
                        env=env)

    def library(self, name, source, *options):
        code = self.file(name + "_library.c", source)
        path = os.path.join(self.folder, "lib" + name + ".so")
        output_of("gcc", "-shared", "-fPIC", "-O1", code, "-o", path, *options)
        return path

    def fortran(self, name, source, *options):
        if shutil.which("gfortran") is None:
            self.skipTest("there is no gfortran")
        code = self.file(name + ".f90", source)
        path = os.path.join(self.folder, name)
        output_of("gfortran", "-O1", "-J", self.folder, code, "-o", path, "-fopenmp", *options)
        return path
