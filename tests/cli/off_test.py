# SPDX-License-Identifier: BSD-3-Clause
"""Tests `off` in place of a specification."""
import json
import subprocess
import unittest

from support import COMMAND, LIBRARY, TestCase, environment, machine, nestbind


class Off(TestCase):
    def test_plan(self):
        for text in ("off", " OFF "):
            with self.subTest(text=text):
                process = nestbind("plan", text, "--topology", machine("barcelona"))
                self.assertStatus(process, 0)
                self.assertEqual(process.stdout.splitlines()[0].rpartition("; ")[2], "off")
                self.assertIn("\nno thread is bound, and team sizes are the program's own\n", process.stdout)
                self.assertEqual(process.stderr, "")

    def test_plan_as_json(self):
        process = nestbind("plan", "off", "--format", "json", "--topology", machine("barcelona"))
        self.assertStatus(process, 0)
        self.assertEqual(json.loads(process.stdout),
                         {"spec": "off", "slots": 16, "warnings": [], "threads": []})

    def test_run(self):
        process = nestbind("run", "Off", "--", "sh", "-c", "env; exit 3")
        self.assertStatus(process, 3)
        self.assertIn("OMP_NESTING_TEAM_SIZE=off\n", process.stdout)
        self.assertNotIn("KMP_HOT_TEAMS_MAX_LEVEL", process.stdout)
        self.assertEqual(process.stderr, "")

    def test_program_runs_as_without_nestbind(self):
        program = self.compile("forking", "-fopenmp")
        process = nestbind("run", "--strict", "off", "--", program, env={"OMP_NUM_THREADS": "3"})
        self.assertStatus(process, 42)
        self.assertEqual(sorted(process.stdout.split()), ["0.0", "1.0", "2.0"])
        self.assertEqual(process.stderr, "")

    def test_doctor(self):
        process = nestbind("doctor", self.compile("forking", "-fopenmp"), env={"OMP_NESTING_TEAM_SIZE": "Off"})
        self.assertStatus(process, 0)
        self.assertIn("OMP_NESTING_TEAM_SIZE=off: nothing is bound\n", process.stdout)

    def test_off_cannot_be_part_of_a_specification(self):
        process = nestbind("plan", "4,scatter,off")
        self.assertStatus(process, 2)
        self.assertIn("column 11: not a team size", process.stderr)


# The program chooses its active levels, and then turns nestbind off, or sets a specification without levels.
LEVELS = r"""
#include <omp.h>
#include <stdio.h>
int omp_set_nesting_info(const char *) __attribute__((weak));
int main(int count, char **words) {
  omp_set_max_active_levels(3);
  if (omp_set_nesting_info) omp_set_nesting_info(words[count - 1]);
  printf("%d\n", omp_get_max_active_levels());
}
"""


class OwnLevels(TestCase):
    def test_levels_of_the_program_stay(self):
        program = self.compile("levels", "-fopenmp", source=LEVELS)
        for text in ("off", "auto", "*,compact"):
            with self.subTest(text=text):
                env = environment(LD_PRELOAD=LIBRARY, OMP_NESTING_TEAM_SIZE="2,scatter,2,subcompact")
                done = subprocess.run([program, text], env=env, capture_output=True, encoding="utf-8", check=True)
                self.assertEqual((done.stdout, done.stderr), ("3\n", ""))


class OwnThreads(TestCase):
    def test_an_explicit_setting_wins(self):
        inner = "nestbind run 3,scatter -- env; nestbind run off -- env; OMP_NUM_THREADS=5 nestbind run auto -- env"
        process = nestbind("run", "2,scatter", "--", "sh", "-c", inner.replace("nestbind", str(COMMAND)), env={"OMP_NUM_THREADS": "7"})
        self.assertStatus(process, 0)
        self.assertEqual([line for line in process.stdout.splitlines() if line.startswith("OMP_NUM_THREADS=")],
                         ["OMP_NUM_THREADS=3", "OMP_NUM_THREADS=7", "OMP_NUM_THREADS=5"])

    def test_only_the_openmp_program_reports_a_bad_variable(self):
        program = self.compile("forking", "-fopenmp")
        good = {"OMP_NESTING_TEAM_SIZE": "2,scatter"}
        lines = self.file("lines", "solve.c:1 off\n")
        for bad, told in (({"OMP_NESTING_TEAM_SIZE": "4,scater"}, "OMP_NESTING_TEAM_SIZE: column"),
                          ({"NESTBIND_ROOTS": "many"}, "NESTBIND_ROOTS=many: expected first or divide"),
                          ({"NESTBIND_SMT": "many"}, "NESTBIND_SMT=many: expected a number from 1 to 1000; it is ignored"),
                          ({"NESTBIND_RULES": lines}, "NESTBIND_RULES is ignored: line 1 names a function or source lines"),
                          ({"NESTBIND_RULES": "/nowhere"}, "NESTBIND_RULES is ignored: /nowhere: ")):
            env = environment(LD_PRELOAD=LIBRARY, OMP_NUM_THREADS="2", **(good | bad))
            for script, count in (("ls >/dev/null; true", 0), (f"ls >/dev/null; {program} >/dev/null; true", 1)):
                with self.subTest(bad=bad, count=count):
                    done = subprocess.run(["bash", "-c", script], env=env, capture_output=True, encoding="utf-8", check=False)
                    self.assertEqual((done.returncode, done.stderr.count(told)), (0, count), done.stderr)
                    self.assertEqual(done.stderr == "", count == 0)

    def test_a_call_reports_a_bad_variable_without_a_runtime(self):
        calls = "import ctypes; ctypes.CDLL(None).omp_set_nesting_info(b'2,scatter')"
        done = subprocess.run(["python3", "-c", calls], env=environment(LD_PRELOAD=LIBRARY, NESTBIND_SMT="many"),
                              capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((done.returncode, done.stderr.count("NESTBIND_SMT=many: expected a number")), (0, 1), done.stderr)


if __name__ == "__main__":
    unittest.main()
