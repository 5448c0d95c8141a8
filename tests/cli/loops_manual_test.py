# SPDX-License-Identifier: BSD-3-Clause
"""Tests the examples in nestbind-loops(7) and nestbind_set_schedule(3)."""
import os
import re
import shutil
import subprocess
import unittest

from support import COMMAND, INCLUDE, LIBRARY, ROOT, TestCase, environment

NESTBIND = [LIBRARY, "-Wl,-rpath," + os.path.dirname(LIBRARY)]

PROGRAM = r"""
int main(void) {
  int sum = 0;
  for (int step = 0; step < 3; ++step) {
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < 1000; ++i) sum += i;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < 1000; ++i) sum += i;
  }
  return sum == 6 * 499500 ? 0 : 1;
}
"""


def displays(page):
    """Returns the texts of the literal displays of a page, without mdoc's marks."""
    with open(os.path.join(ROOT, "docs", "man", page), encoding="utf-8") as file:
        shown = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", file.read(), re.M | re.S)
    return [text.replace("\\e", "\\").replace("\\&", "") for text in shown]


def commands(text):
    """Returns the commands in a text, each with its continuation lines."""
    return re.findall(r"^((?:nestbind |NESTBIND_)(?:.*\\\n)*.*)$", text, re.M)


class Manual(TestCase):
    def piece(self, page, beginning):
        """Returns the example that begins with this text, without the commands at its end."""
        (text,) = [text for text in displays(page) if text.startswith(beginning)]
        return text.split("\n\nnestbind run")[0]

    def assertRuns(self, program, **variables):
        process = subprocess.run([program], env=environment(OMP_NUM_THREADS="2", **variables), capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        return process.stdout

    def test_commands(self):
        self.compile("program", "-fopenmp", source=PROGRAM)
        typed = [command for text in displays("nestbind-loops.7") for command in commands(text) if not command.startswith("nestbind: ")]
        self.assertEqual(len(typed), 11)
        self.assertEqual(sum("balanced" in command for command in typed), 3)
        env = environment(PATH=os.path.dirname(COMMAND) + ":" + os.environ["PATH"], OMP_NUM_THREADS="2")
        for command in typed:
            with self.subTest(command):
                line = command.replace(" SPEC ", " 2,scatter ").replace("/full/path/libnestbind.so", LIBRARY)
                process = subprocess.run(["sh", "-c", line], env=env, cwd=self.folder, capture_output=True, encoding="utf-8",
                                         stdin=subprocess.DEVNULL, timeout=60, check=False)
                self.assertStatus(process, 0)
                self.assertEqual(process.stdout, "")
                self.assertEqual("nestbind: loops of process" in process.stderr, "--report" in command)
                self.assertNotIn("no loop was taken", process.stderr)

    def test_loop_in_c(self):
        loop = self.piece("nestbind-loops.7", "#pragma omp parallel for schedule(runtime)\nfor (int row")
        self.assertRuns(self.compile("loop", "-fopenmp", "-Wall", "-Werror", source=f"""
static double product(const double *matrix, int row, const double *x) {{ return matrix[row] * x[row]; }}
int main(void) {{
  enum {{ rows = 3 }};
  double y[rows], x[rows] = {{1, 2, 3}}, matrix[rows] = {{4, 5, 6}};
{loop}
  return y[2] == 18 ? 0 : 1;
}}"""), LD_PRELOAD=LIBRARY, NESTBIND_SCHEDULE="balanced")

    def test_phases_in_cxx(self):
        phases = self.piece("nestbind-loops.7", "nestbind_set_schedule(")
        self.assertRuns(self.cxx("phases", f"""
#include <nestbind/nestbind.h>
#include <string>
static std::string seen;
static void advance(int) {{
  char text[160];
  nestbind_get_schedule(text, sizeof text);
  seen += text;
}}
int main() {{
  int cells = 0;
  {phases}
  advance(cells);
  return seen == "hybrid,f=0.25hybrid" ? 0 : 1;
}}"""))

    def cxx(self, name, source):
        program = os.path.join(self.folder, name)
        subprocess.run(["g++", "-O1", "-fopenmp", "-I" + INCLUDE, self.file(name + ".cpp", source), "-o", program, *NESTBIND], check=True,
                       capture_output=True)
        return program

    def test_loop_in_fortran(self):
        if shutil.which("gfortran") is None:
            self.skipTest("there is no gfortran")
        declared, _, done = self.piece("nestbind-loops.7", "use nestbind\n").partition("call nestbind_set_schedule")
        program = os.path.join(self.folder, "loop-fortran")
        source = self.file("loop.f90", f"""program shown
{declared}
integer, parameter :: n = 40
integer :: i, particle(n)
particle = 1
call nestbind_set_schedule{done}
if (error /= 0 .or. any(particle /= 2)) stop 1
contains
subroutine step(one)
  integer, intent(inout) :: one
  one = one + 1
end subroutine step
end program shown
""")
        done = subprocess.run(["gfortran", "-fopenmp", "-J", self.folder, os.path.join(INCLUDE, "nestbind", "nestbind.f90"), source, "-o",
                               program, *NESTBIND], capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRuns(program)

    def test_fault_of_a_schedule(self):
        """After a call that fails, the earlier schedule stays in force, as the manual says."""
        shown = self.piece("nestbind_set_schedule.3", "int error = ")
        self.assertIn('"the schedule stays as it was: %s\\n"', shown)
        program = self.compile("fault", "-fopenmp", "-I" + INCLUDE, *NESTBIND, source=f"""
#include <nestbind/nestbind.h>
#include <stdio.h>
#include <string.h>
int main(void) {{
  char text[160];
  nestbind_set_schedule("balanced,steal=0.5");
  {{
{shown.replace("hybrid,f", "hybrid,g")}
  }}
  nestbind_get_schedule(text, sizeof text);
  puts(text);
{shown}
  nestbind_get_schedule(text, sizeof text);
  puts(text);
  return error;
}}""")
        process = subprocess.run([program], env=environment(), capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((process.returncode, process.stdout), (0, "balanced,steal=0.5\nhybrid,f=0.75,chunk=8\n"))
        self.assertIn("the schedule stays as it was: unknown or repeated option of a schedule", process.stderr)


if __name__ == "__main__":
    unittest.main()
