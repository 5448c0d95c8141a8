# SPDX-License-Identifier: BSD-3-Clause
"""The examples of nestbind/memory.h in the manual and in examples/ must compile without changes, and run."""
import os
import re
import shutil
import subprocess
import unittest

from support import INCLUDE, LIBRARY, ROOT, TestCase, environment

MODULES = [os.path.join(INCLUDE, "nestbind", name) for name in ("nestbind.f90", "nestbind_memory.f90")]
NESTBIND = [LIBRARY, "-Wl,-rpath," + os.path.dirname(LIBRARY)]
EXAMPLE = os.path.join(ROOT, "examples", "memory_of_arrays")


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def displays(page):
    """Returns the texts of the literal displays of a page, without mdoc's marks."""
    shown = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", read(os.path.join("docs", "man", page)), re.M | re.S)
    return [text.replace("\\e", "\\").replace("\\&", "") for text in shown]


def fortran_of_remedies():
    """Returns the Fortran lines of each display in nestbind-memory(7)."""
    found = []
    for text in displays("nestbind-memory.7"):
        lines = text.splitlines()
        first = next((i for i, line in enumerate(lines) if line.endswith("! Fortran")), len(lines))
        found.append(lines[first:])
    return [lines for lines in found if lines]


class Manual(TestCase):
    def fortran(self, name, *sources):
        if shutil.which("gfortran") is None:
            self.skipTest("there is no gfortran")
        program = os.path.join(self.folder, name)
        done = subprocess.run(["gfortran", "-fopenmp", "-J", self.folder, *MODULES, *sources, "-o", program, *NESTBIND], capture_output=True,
                              encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def assertSum(self, program):
        process = subprocess.run([program], env=environment(OMP_NUM_THREADS="3"), capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertRegex(process.stdout, r"(?i)node 0: \d+ pages\n(node \d+: \d+ pages\n)*sum +3\.814e\+08\n")

    def test_example_in_c(self):
        for compiler in ("gcc", "clang-19"):
            if shutil.which(compiler) is not None:
                self.assertSum(self.compile("example-" + compiler, "-fopenmp", "-I" + INCLUDE, *NESTBIND, compiler=compiler,
                                            source=read("examples/memory_of_arrays.c")))

    def test_example_in_fortran(self):
        self.assertSum(self.fortran("example", EXAMPLE + ".f90"))

    def test_header_in_old_standards(self):
        self.assertInOldStandards("nestbind/memory.h")

    def test_fortran_of_the_functions(self):
        text = next(text for text in displays("nestbind-memory.3") if text.startswith("use, intrinsic"))
        declared, _, done = text.partition("\n\n")
        source = f"program shown\n{declared}\nallocate (grid(1000))\n{done}\nend program\n"
        program = self.fortran("shown", self.file("shown.f90", source))
        process = subprocess.run([program], env=environment(), capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((process.returncode, process.stdout, process.stderr), (0, "", ""))

    def test_fortran_of_the_remedies(self):
        snippets = fortran_of_remedies()
        self.assertEqual(len(snippets), 6)
        for number, lines in enumerate(snippets):
            declarations = [line for line in lines if " :: " in line]
            text = "\n".join(line for line in lines if line not in declarations)
            parallel = "\n!$omp end parallel" if "!$omp parallel private" in text else ""
            source = "\n".join(["program shown", "use, intrinsic :: iso_c_binding", "use nestbind", "use nestbind_memory",
                                "integer, parameter :: n = 100000", "real(c_double), allocatable, target :: grid(:), table(:)",
                                "integer, parameter :: parts = 3, first(4) = [1, 30000, 50000, n + 1]",
                                "integer(c_size_t) :: bytes", "integer(c_int) :: error", "integer :: i, p", *declarations,
                                "allocate (grid(n), table(n))", "table = 1", "bytes = 8 * n", "error = nestbind_ok", text + parallel,
                                "if (error /= nestbind_ok) print *, nestbind_strerror(error)", "end program", ""])
            program = self.fortran(f"remedy{number}", self.file(f"remedy{number}.f90", source))
            process = subprocess.run([program], env=environment(), capture_output=True, encoding="utf-8", check=False)
            self.assertEqual((process.returncode, process.stdout, process.stderr), (0, "", ""), source)

    def test_c_of_the_remedies(self):
        """In the page each call has its own line."""
        calls = [line.partition("/*")[0].strip() for text in displays("nestbind-memory.7") for line in text.splitlines()
                 if re.match(r"(int error = )?nestbind_memory_\w+\(.*;", line)]
        self.assertEqual(len(calls), 4)
        lines = "\n  ".join(calls)
        program = self.compile("remedies", "-fopenmp", "-I" + INCLUDE, *NESTBIND, source=f"""
#include <nestbind/memory.h>
#include <stdlib.h>
int main(void) {{
  const long n = 100000;
  double *grid = calloc(n, sizeof *grid), *table = calloc(n, sizeof *table);
  struct nestbind_replicas *copies;
  {lines}
  return error != NESTBIND_OK || nestbind_memory_local(copies) == NULL;
}}""")
        self.assertEqual(subprocess.run([program], env=environment(), check=False).returncode, 0)

    def test_c_of_a_parallel_first_touch(self):
        """The page has two examples."""
        shown = [text.partition("\n\n")[0] for text in displays("nestbind-memory.7") if "first[p + 1]" in text]
        self.assertEqual(len(shown), 2)
        program = self.compile("touched", "-fopenmp", source=f"""
#include <stdlib.h>
#include <string.h>
int main(void) {{
  const long n = 100000;
  const long first[] = {{0, 30000, 50000, 100000}};
  const int parts = 3;
  double *grid = malloc(n * sizeof *grid);
  {shown[0]}
  for (long i = 0; i < n; ++i) grid[i] += i;
  {shown[1]}
  for (long i = 0; i < n; ++i)
    if (own[i] != i) return 1;
  return 0;
}}""")
        self.assertEqual(subprocess.run([program], env=environment(), check=False).returncode, 0)


if __name__ == "__main__":
    unittest.main()
