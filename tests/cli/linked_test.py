# SPDX-License-Identifier: BSD-3-Clause
"""Tests programs that are linked with libnestbind, before or after the runtime. Also tests NESTBIND_STRICT."""
import json
import os
import shutil
import subprocess
import unittest

from support import FORKING, INCLUDE, LIBRARY, TestCase, environment, machine, nestbind

SPEC = "4,scatter,2,subcompact"
PLACES = {(0,): [0], (1,): [4], (2,): [8], (3,): [12], (0, 0): [0], (0, 1): [1], (1, 0): [4], (1, 1): [5],
          (2, 0): [8], (2, 1): [9], (3, 0): [12], (3, 1): [13]}
TOO_LATE = 22  # NESTBIND_TOO_LATE
NESTBIND = [LIBRARY, "-Wl,-rpath," + os.path.dirname(LIBRARY)]

FORTRAN = """
program forks
  use omp_lib
  implicit none
  integer :: levels
  levels = omp_get_max_active_levels()
!$omp parallel
!$omp parallel
!$omp critical
  print '(i0,a,i0)', omp_get_ancestor_thread_num(1), '.', omp_get_thread_num()
!$omp end critical
!$omp end parallel
!$omp end parallel
  if (levels /= 2) stop 3
  call exit(42)
end program
"""

# This program asks for sizes before it forks. The library's name is not in its source.
ASKING = r"""
#include <omp.h>
int omp_set_nesting_info(const char *) __attribute__((weak));
int main(int count, char **arguments) {
  if (count > 1 && omp_set_nesting_info(arguments[1]) != 0) return 4;
  if (omp_get_max_active_levels() != 2 || omp_get_max_threads() != 4) return 3;
#pragma omp parallel
#pragma omp parallel
  if (omp_get_num_threads() != 2) omp_get_thread_num();
  return 42;
}
"""


def start(*command, **variables):
    """Starts the program without nestbind run, as a user starts a linked program."""
    return subprocess.run(command, env=environment(**variables), timeout=60, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", errors="replace", stdin=subprocess.DEVNULL)


class Linked(TestCase):
    def fortran(self, name, *options):
        if shutil.which("gfortran") is None:
            self.skipTest("there is no gfortran")
        path = os.path.join(self.folder, name)
        code = self.file(name + ".f90", FORTRAN)
        subprocess.run(["gfortran", "-O1", "-fopenmp", "-J", self.folder, code, "-o", path, *options], check=True)
        return path

    def assert_bound(self, program, *arguments, **more):
        report = os.path.join(self.folder, "report-%p")
        self.assertStatus(start("sh", "-c", f"rm -f {self.folder}/report-*"), 0)
        process = start(program, *arguments, NESTBIND_MACHINE=machine("barcelona"), NESTBIND_REPORT="json:" + report,
                        **({} if arguments else {"OMP_NESTING_TEAM_SIZE": SPEC}), **more)
        self.assertStatus(process, 42)
        self.assertEqual(process.stderr, "")
        found = {}
        for name in os.listdir(self.folder):
            if name.startswith("report-"):
                with open(os.path.join(self.folder, name), encoding="utf-8") as lines:
                    for team in map(json.loads, lines):
                        found.update({tuple(thread["path"]): thread["cpus"] for thread in team["threads"]})
        self.assertEqual(found, PLACES)

    def assert_says_how(self, process):
        """Checks that the message is printed once, and says what to do."""
        for word in ("libnestbind", "link the program", "before the OpenMP runtime", "nestbind run"):
            self.assertEqual(process.stderr.count(word), 1, process.stderr)


class BeforeTheRuntime(Linked):
    BEFORE = ["-Wl,--no-as-needed", *NESTBIND]

    def test_c(self):
        for name, options in (("plain", []), ("now", ["-Wl,-z,relro,-z,now"]), ("lazy", ["-Wl,-z,lazy"]),
                              ("no_pie", ["-no-pie", "-fno-pie"]), ("no_plt", ["-fno-plt", "-Wl,-z,relro,-z,now"])):
            with self.subTest(name):
                self.assert_bound(self.compile("c_" + name, *options, *self.BEFORE, "-fopenmp"))

    def test_fortran(self):
        self.assert_bound(self.fortran("fortran", *self.BEFORE))

    def test_sizes_before_the_first_fork(self):
        program = self.compile("asks", *self.BEFORE, "-fopenmp", source=ASKING)
        self.assert_bound(program)
        self.assert_bound(program, SPEC)

    def test_llvms_runtime_in_any_order(self):
        """LLVM's runtime looks up our tool's function by name, so the order of the libraries does not matter."""
        program = self.compile("clang", "-fopenmp", "-Wl,--no-as-needed", "-lomp", *NESTBIND, compiler="clang-19")
        self.assert_bound(program)
        # The program calls libomp's entry points for loops, because libomp comes before our library.
        process = start(program, NESTBIND_SCHEDULE="hybrid", OMP_NUM_THREADS="2")
        self.assertStatus(process, 42)
        self.assert_says_how(process)
        self.assertStatus(start(program, NESTBIND_SCHEDULE="hybrid", NESTBIND_STRICT="1"), 78)


class TooLate(Linked):
    """If the runtime comes before our library, nothing is bound, and a message must say this."""
    VARIABLES = {"OMP_NESTING_TEAM_SIZE": "2,scatter", "OMP_NUM_THREADS": "2", "NESTBIND_REPORT": "text"}

    def shared(self, name, source, *options):
        library = os.path.join(self.folder, f"lib{name}.so")
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, "-x", "c", self.file(name + ".c", source), "-x", "none",
                        "-Wl,--no-as-needed", *options], check=True)
        return library

    def programs(self, name, source=FORKING):
        """One program links the runtime before our library, the other has a library that links our library."""
        yield self.compile(name + "_behind", "-fopenmp", "-Wl,--no-as-needed", "-lgomp", *NESTBIND, source=source)
        yield self.compile(name + "_inside", "-fopenmp", "-Wl,--no-as-needed", self.shared("inside", "", *NESTBIND), source=source)

    def test_late_library_is_reported_once_and_strict_stops(self):
        for program in self.programs("forks"):
            with self.subTest(program):
                process = start(program, **self.VARIABLES)
                self.assertStatus(process, 42)
                self.assert_says_how(process)
                self.assertEqual(len(process.stdout.split()), 2)
                strict = start(program, **self.VARIABLES, NESTBIND_STRICT="1")
                self.assertStatus(strict, 78)
                self.assertEqual(strict.stdout, "")
                self.assert_says_how(strict)
                for quiet in (start(program), start(program, OMP_NESTING_TEAM_SIZE="off"),
                              start(program, **self.VARIABLES, NESTBIND_QUIET="1")):
                    self.assertStatus(quiet, 42)
                    self.assertEqual(quiet.stderr, "")

    def test_a_preloaded_library_is_not_late(self):
        for program in self.programs("preloaded"):
            with self.subTest(program):
                self.assert_bound(program, LD_PRELOAD=LIBRARY)

    def test_the_call_returns_an_error(self):
        source = ASKING.replace("if (count > 1 && omp_set_nesting_info(arguments[1]) != 0) return 4;",
                                "return omp_set_nesting_info(arguments[count - 1]);")
        for program in self.programs("told", source):
            with self.subTest(program):
                process = start(program, SPEC)
                self.assertStatus(process, TOO_LATE)
                self.assert_says_how(process)
                self.assertStatus(start(program, "off"), 0)

    def test_the_fortran_call_returns_an_error(self):
        module = os.path.join(INCLUDE, "nestbind", "nestbind.f90")
        code = self.file("late.f90", "program late\n  use nestbind\n  integer :: error\n"
                         "  call omp_set_nesting_info('2,scatter', error)\n"
                         "  if (error == nestbind_too_late) call exit(42)\nend program\n")
        if shutil.which("gfortran") is None:
            self.skipTest("there is no gfortran")
        program = os.path.join(self.folder, "late")
        subprocess.run(["gfortran", "-fopenmp", "-J", self.folder, module, code, "-o", program, "-Wl,--no-as-needed", "-lgomp", *NESTBIND], check=True)
        self.assertStatus(start(program), 42)

    def test_a_missing_runtime_is_not_a_fault(self):
        """The program has no runtime, but one of its libraries is linked with libnestbind."""
        program = self.compile("tool", "-Wl,--no-as-needed", self.shared("brings", "", *NESTBIND), source="int main(void) { return 42; }")
        self.assertStatus(start(program, **self.VARIABLES, NESTBIND_STRICT="1"), 42)

    def test_loaded_library(self):
        work = FORKING.replace("int main(void)", "int work(void)")
        loader = self.compile("loader", source='#include <dlfcn.h>\n#include <stdlib.h>\n'
                              'int main(int c, char **v) { void *l = dlopen(v[1], RTLD_NOW | (v[2][0] == 103 ? RTLD_GLOBAL : 0));'
                              'return l == NULL ? 1 : ((int (*)(void))dlsym(l, "work"))() - 42 + (c - 3); }')
        for name, libraries in (("before", [*NESTBIND, "-lgomp"]), ("behind", ["-lgomp", *NESTBIND])):
            library = self.shared("work_" + name, work, "-fopenmp", *libraries)
            for scope in ("local", "global"):
                with self.subTest(name, scope=scope):
                    process = start(loader, library, scope, **self.VARIABLES)
                    self.assertStatus(process, 0)
                    self.assert_says_how(process)
                    report = os.path.join(self.folder, f"out-{name}-{scope}")
                    process = start(loader, library, scope, OMP_NESTING_TEAM_SIZE=SPEC, LD_PRELOAD=LIBRARY,
                                    NESTBIND_MACHINE=machine("barcelona"), NESTBIND_REPORT="json:" + report)
                    self.assertStatus(process, 0)
                    with open(report, encoding="utf-8") as lines:
                        teams = [json.loads(line) for line in lines]
                    self.assertEqual({tuple(t["path"]): t["cpus"] for team in teams for t in team["threads"]}, PLACES)


class StaticRuntime(Linked):
    def test_static_runtime_is_reported_and_strict_stops(self):
        for name, options in (("before", [*NESTBIND, "-l:libgomp.a"]), ("behind", ["-l:libgomp.a", *NESTBIND])):
            with self.subTest(name):
                objects = self.compile("object_" + name, "-c", "-fopenmp")
                program = os.path.join(self.folder, "static_" + name)
                subprocess.run(["gcc", objects, "-Wl,--no-as-needed", *options, "-ldl", "-lpthread", "-o", program], check=True)
                process = start(program, OMP_NESTING_TEAM_SIZE="2,scatter", OMP_NUM_THREADS="2")
                self.assertStatus(process, 42)
                self.assertEqual(process.stderr.count("libgomp.a"), 1, process.stderr)
                strict = start(program, OMP_NESTING_TEAM_SIZE="2,scatter", NESTBIND_STRICT="1")
                self.assertStatus(strict, 78)
                self.assertEqual(strict.stdout, "")
                self.assertEqual(strict.stderr.count("libgomp.a"), 1, strict.stderr)
                self.assertEqual(start(program, OMP_NUM_THREADS="2").stderr, "")

    def test_the_call_returns_an_error(self):
        objects = self.compile("told_object", "-c", "-fopenmp", source="int omp_set_nesting_info(const char *);\n" + FORKING.replace(
            "int main(void) {", "int main(int count, char **arguments) {\n  int error = omp_set_nesting_info(arguments[1]);\n  if (error != 0) return error;"))
        for name, options in (("before", [*NESTBIND, "-l:libgomp.a"]), ("behind", ["-l:libgomp.a", *NESTBIND])):
            program = os.path.join(self.folder, "static_told_" + name)
            subprocess.run(["gcc", objects, "-Wl,--no-as-needed", *options, "-ldl", "-lpthread", "-o", program], check=True)
            for variables in ({}, {"OMP_NESTING_TEAM_SIZE": "2,scatter"}):
                with self.subTest(name, variables=variables):
                    process = start(program, SPEC, **variables)
                    self.assertStatus(process, TOO_LATE)
                    self.assertEqual(process.stderr.count("libgomp.a"), 1, process.stderr)
                    self.assertStatus(start(program, "off", OMP_NUM_THREADS="2", **variables), 42)

    def test_strict_preload(self):
        objects = self.compile("object", "-c", "-fopenmp")
        program = os.path.join(self.folder, "static_alone")
        subprocess.run(["gcc", objects, "-l:libgomp.a", "-ldl", "-lpthread", "-o", program], check=True)
        strict = start(program, OMP_NESTING_TEAM_SIZE="2,scatter", NESTBIND_STRICT="1", LD_PRELOAD=LIBRARY)
        self.assertStatus(strict, 78)
        self.assertIn("libgomp.a", strict.stderr)

    def test_preloaded_library_reports_the_static_runtime(self):
        """The message must also be printed if a job script exports LD_PRELOAD."""
        objects = self.compile("said_object", "-c", "-fopenmp")
        program = os.path.join(self.folder, "static_said")
        for strip in ([], ["-s"]):
            subprocess.run(["gcc", *strip, objects, "-l:libgomp.a", "-ldl", "-lpthread", "-o", program], check=True)
            for command in ([program], ["sh", "-c", program]):
                with self.subTest(strip=strip, command=command):
                    preload = {"OMP_NESTING_TEAM_SIZE": "2,scatter", "OMP_NUM_THREADS": "2", "LD_PRELOAD": LIBRARY}
                    process = start(*command, **preload)
                    self.assertStatus(process, 42)
                    self.assertEqual(process.stderr.count("libgomp.a"), 1, process.stderr)
                    self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
                    self.assertEqual(start(*command, **preload, NESTBIND_QUIET="1").stderr, "")
                    self.assertStatus(start(*command, **preload, NESTBIND_STRICT="1"), 78)


class Strict(Linked):
    STRICT = {"OMP_NESTING_TEAM_SIZE": "2,scatter", "NESTBIND_STRICT": "1", "LD_PRELOAD": LIBRARY}

    def test_strict_stops_if_tools_are_disabled(self):
        program = self.compile("tools", "-fopenmp", compiler="clang-19")
        process = start(program, OMP_TOOL="disabled", **self.STRICT)
        self.assertStatus(process, 78)
        self.assertEqual(process.stdout, "")
        self.assertIn("OMP_TOOL=disabled", process.stderr)
        self.assertStatus(start(program, **self.STRICT), 42)

    def test_disabled_tools_are_reported(self):
        program = self.compile("told", "-fopenmp", compiler="clang-19")
        variables = {"OMP_NESTING_TEAM_SIZE": "2,scatter", "OMP_TOOL": "disabled", "LD_PRELOAD": LIBRARY}
        for command in ([program], ["sh", "-c", program]):
            process = start(*command, **variables)
            self.assertStatus(process, 42)
            self.assertEqual(process.stderr.count("OMP_TOOL=disabled"), 1, process.stderr)
            self.assertEqual(process.stderr.count("\n"), 1, process.stderr)

    def test_spellings_of_the_variable(self):
        """LLVM's runtime starts tools if OMP_TOOL is not set, is empty, or is "enabled" in lower or upper case."""
        program = self.compile("spelt", "-fopenmp", compiler="clang-19")
        for value, is_bound in (("DISABLED", False), ("0", False), ("off", False), ("Enabled", True), ("", True)):
            with self.subTest(value):
                said = start(program, OMP_NESTING_TEAM_SIZE="2,scatter", OMP_TOOL=value, LD_PRELOAD=LIBRARY).stderr
                self.assertEqual("teams are not bound" not in said, is_bound, said)
                self.assertStatus(start(program, OMP_TOOL=value, **self.STRICT), 42 if is_bound else 78)
                strict = nestbind("run", "--strict", "2,scatter", "--", program, env={"OMP_TOOL": value})
                self.assertStatus(strict, 42 if is_bound else 78)

    def test_programs_that_start_others_do_not_stop(self):
        program = self.compile("gnu", "-fopenmp")
        for variables in (self.STRICT, {**self.STRICT, "NESTBIND_MACHINE": "bogus"}):
            for command in (["sh", "-c", "exit 5"], ["python3", "-c", "raise SystemExit(5)"], ["perl", "-e", "exit 5"]):
                if shutil.which(command[0]) is not None:
                    with self.subTest(command, variables=variables):
                        process = start(*command, **variables)
                        self.assertStatus(process, 5)
                        self.assertEqual(process.stderr, "")
            self.assertStatus(start("sh", "-c", program, **variables), 78 if "NESTBIND_MACHINE" in variables else 42)


if __name__ == "__main__":
    unittest.main()
