# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind run --runtime=llvm, with GCC's programs on LLVM's runtime."""
import os
import re
import shutil
import subprocess
import unittest

from runtime_programs import C, CXX, FORTRAN, RuntimeTestCase, STARTED, TARGET, TELL, libgomp, libomp, output_of
from support import COMMAND, SESSION, nestbind


class Places(RuntimeTestCase):
    """Each of two processors has one outer thread and the inner team of this thread."""

    def setUp(self):
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) < 2:
            self.skipTest("there is one processor")
        self.first, self.second = cpus[:2]
        self.told = self.file("tell.c", TELL)
        self.tell = os.path.join(self.folder, "tell.o")
        output_of("gcc", "-c", self.told, "-o", self.tell)

    def assert_bound(self, program, **keywords):
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {self.first, self.second})
        try:
            process = self.run_on_llvm("2,scatter,2,subcompact", program, **keywords)
        finally:
            os.sched_setaffinity(0, before)
        self.assertStatus(process, 42)
        lines = sorted(line for line in process.stdout.splitlines() if not line.startswith("runtime"))
        self.assertEqual(lines, [f"0.0 {self.first}", f"0.1 {self.first}",
                                 f"1.0 {self.second}", f"1.1 {self.second}"])
        runtimes = [line.split()[1] for line in process.stdout.splitlines() if line.startswith("runtime")]
        self.assertEqual(len(runtimes), 1, runtimes)
        return runtimes[0], process

    def test_c(self):
        runtime, process = self.assert_bound(self.compile("c", self.tell, "-fopenmp", source=C))
        self.assertTrue(runtime.startswith("libomp"), runtime)
        self.assertEqual(process.stderr, "nestbind: warning: 4 threads share 2 slots\n")

    def test_cxx(self):
        code = self.file("cxx.cpp", CXX)
        program = os.path.join(self.folder, "cxx")
        output_of("g++", "-O1", "-fopenmp", code, self.tell, "-o", program)
        runtime, _ = self.assert_bound(program)
        self.assertTrue(runtime.startswith("libomp"), runtime)

    def test_fortran(self):
        runtime, _ = self.assert_bound(self.fortran("fortran", FORTRAN, self.tell))
        self.assertTrue(runtime.startswith("libomp"), runtime)

    def test_run_path_of_the_program(self):
        """The loader searches DT_RUNPATH after LD_LIBRARY_PATH, so the program runs on LLVM's runtime."""
        runtime, _ = self.assert_bound(self.compile(
            "runpath", self.tell, "-fopenmp", "-Wl,--enable-new-dtags,-rpath," + os.path.dirname(libgomp()),
            source=C))
        self.assertTrue(runtime.startswith("libomp"), runtime)

    def test_made_by_clang(self):
        try:
            program = self.compile("clang", self.tell, "-fopenmp", source=C, compiler=self.clang)
        except subprocess.CalledProcessError:
            self.skipTest(f"{self.clang} has no OpenMP runtime")
        runtime, _ = self.assert_bound(program)
        self.assertTrue(runtime.startswith("libomp"), runtime)

    def test_both_compilers(self):
        """Both parts of one program use the same runtime."""
        try:
            half = os.path.join(self.folder, "libhalf.so")
            output_of(self.clang, "-shared", "-fPIC", "-fopenmp", "-x", "c", self.file(
                "half.c", "int sum;\nvoid half(void) {\n#pragma omp parallel reduction(+ : sum)\nsum += 1;}"), "-o", half)
        except (subprocess.CalledProcessError, FileNotFoundError):
            self.skipTest(f"{self.clang} is missing, or has no OpenMP runtime")
        program = self.compile("both", self.tell, "-fopenmp", half, source=C.replace(
            "int main(void) {", "void half(void);\nint main(void) {\n  half();"))
        runtime, _ = self.assert_bound(program)
        self.assertTrue(runtime.startswith("libomp"), runtime)

    def test_named_file(self):
        copy = os.path.join(self.folder, "libcopy_of_omp.so")
        shutil.copy(self.libomp, copy)
        program = self.compile("named", self.tell, "-fopenmp", source=C)
        runtime, _ = self.assert_bound(program, options=["--runtime=llvm:" + copy])
        self.assertEqual(runtime, "libcopy_of_omp.so")
        odd = shutil.copy(copy, os.path.join(self.folder, "odd:name.so"))
        process = self.run_on_llvm("2,scatter", program, options=["--runtime=llvm:" + odd])
        self.assertStatus(process, 1)
        self.assertIn("cannot be in LD_LIBRARY_PATH", process.stderr)


class Environment(RuntimeTestCase):
    def variables(self, *options, spec="2,scatter,2,subcompact", **keywords):
        process = self.run_on_llvm(spec, "sh", "-c", "env", options=options, **keywords)
        self.assertStatus(process, 0)
        return dict(line.split("=", 1) for line in process.stdout.splitlines() if "=" in line)

    def test_folder(self):
        found = self.variables()
        folder = found["LD_LIBRARY_PATH"]
        self.assertTrue(folder.startswith(SESSION + "/nestbind/"), folder)
        self.assertEqual(os.readlink(folder + "/libgomp.so.1"), self.libomp)
        self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700)
        self.assertEqual(found["NESTBIND_RUNTIME"], "llvm")
        # If nestbind run starts nestbind run, the link must still lead to the runtime's file.
        process = self.run_on_llvm("2,scatter", COMMAND, "run", "--runtime=llvm", "2,scatter", "--", "sh", "-c",
                                   "echo $LD_LIBRARY_PATH")
        self.assertEqual(process.stdout.strip(), folder + ":" + folder)
        self.assertEqual(self.variables(env={"LD_LIBRARY_PATH": "/a:/b"})["LD_LIBRARY_PATH"], folder + ":/a:/b")

    def test_native(self):
        found = self.variables("--runtime=native")
        self.assertNotIn("LD_LIBRARY_PATH", found)
        self.assertNotIn("NESTBIND_RUNTIME", found)

    def test_without_a_session(self):
        folder = os.path.join(self.folder, "temporary")
        os.mkdir(folder, 0o700)
        found = self.variables(env={"XDG_RUNTIME_DIR": "", "TMPDIR": folder})["LD_LIBRARY_PATH"]
        self.assertTrue(found.startswith(f"{folder}/nestbind-{os.geteuid()}/"), found)

    def test_hot_teams(self):
        for spec, levels in (("2,scatter", None), ("auto", None), ("2,scatter,2,subcompact", "2"),
                             ("1,scatter,1,scatter,2,subcompact", "3")):
            for runtime in ("llvm", "native"):
                with self.subTest(spec=spec, runtime=runtime):
                    found = self.variables("--runtime=" + runtime, spec=spec)
                    self.assertEqual(found.get("KMP_HOT_TEAMS_MAX_LEVEL"), levels)
                    found = self.variables("--runtime=" + runtime, spec=spec,
                                           env={"KMP_HOT_TEAMS_MAX_LEVEL": "5"})
                    self.assertEqual(found["KMP_HOT_TEAMS_MAX_LEVEL"], "5")

    def test_unchecked(self):
        """A shell has no runtime, so the command cannot check the programs that the shell starts."""
        process = self.run_on_llvm("2,scatter", "true")
        self.assertStatus(process, 0)
        self.assertIn("nestbind does not check", process.stderr)
        self.assertEqual(self.run_on_llvm("2,scatter", "true", env={"NESTBIND_QUIET": "1"}).stderr, "")
        stays = self.compile("stays", "-fopenmp", "-Wl,--disable-new-dtags,-rpath," + os.path.dirname(libgomp()),
                             source=STARTED)
        process = self.run_on_llvm("2,scatter", "sh", "-c", stays + "; true")
        self.assertIn(f"but {stays} runs on GCC's", process.stderr)
        goes = self.compile("goes", "-fopenmp", source=STARTED)
        process = self.run_on_llvm("2,scatter", "sh", "-c", goes + "; true")
        self.assertNotIn("runs on GCC's", process.stderr)

    def test_weak_reference(self):
        """The program has a weak symbol for a function. LLVM's runtime may lack this function."""
        program = self.compile("weak", "-fopenmp", source=STARTED.replace("int main(void) {", (
            "void GOMP_nowhere(void) __attribute__((weak));\n"
            "int main(void) {\n  if (GOMP_nowhere) GOMP_nowhere();")))
        process = self.run_on_llvm("2,scatter", program)
        self.assertStatus(process, 42)
        self.assertEqual(process.stdout, "started\nstarted\n")

    def test_bad_values(self):
        for value in ("intel", "llvm:", "llvmx", "native:x", ""):
            with self.subTest(value=value):
                process = nestbind("run", "--runtime=" + value, "2,scatter", "--", "echo", "started")
                self.assertStatus(process, 2)
                self.assertEqual(process.stdout, "")


class Doctor(RuntimeTestCase):
    def told(self, program, status=0):
        process = nestbind("doctor", program)
        self.assertStatus(process, status)
        return re.findall(r"^llvm +(.*)$", process.stdout, re.M)

    def test_program_of_gcc(self):
        found = self.told(self.compile("good", "-fopenmp", source=STARTED))
        self.assertEqual(len(found), 1)
        self.assertIn("can run on LLVM's runtime too, " + self.libomp, found[0])
        found = self.told(self.compile("target", "-fopenmp", source=TARGET))
        self.assertIn("cannot run on LLVM's runtime: it lacks", found[0])

    def test_other_programs(self):
        self.assertEqual(self.told("sh", status=1), [])


if __name__ == "__main__":
    unittest.main()
