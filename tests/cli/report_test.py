# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind run --report."""
import json
import os
import re
import signal
import subprocess
import unittest

from support import COMMAND, TestCase, environment, machine, nestbind, open_terminal

CORNER = "\u250c"
TERMINAL = {"LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "xterm"}
SPEC = "4,scatter,2,subscatter"
PATHS = [f"{outer}.{inner}" for outer in range(4) for inner in range(2)]
TREE = [[], [0], [1], [2], [3]]

ENDING = r"""
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int g_there = 0;
static void inner(void) {
#pragma omp parallel
  __atomic_add_fetch(&g_there, 1, __ATOMIC_SEQ_CST);
}
int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
#pragma omp parallel
  {
    inner();
#pragma omp barrier
    if (omp_get_thread_num() == 3) {
      if (strcmp(how, "exit") == 0) exit(7);
      if (strcmp(how, "_exit") == 0) _exit(7);
      if (strcmp(how, "abort") == 0) abort();
      if (strcmp(how, "kill") == 0) kill(getpid(), SIGTERM);
      if (strcmp(how, "later") == 0) {
        write(1, "before\n", 7);
        usleep(1200000);
        inner();
        write(1, "after\n", 6);
        _exit(7);
      }
    }
#pragma omp barrier
  }
  return 42;
}
"""


class Terminal(TestCase):
    def seen(self, *words, env):
        """Returns the command's standard error output, which is a terminal."""
        own, other = open_terminal()
        with subprocess.Popen([COMMAND, "run", *words], env=environment(**env), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=other) as process:
            os.close(other)
            seen = b""
            while part := self.read(own):
                seen += part
        os.close(own)
        self.assertEqual(process.returncode, 42)
        return seen.decode()

    @staticmethod
    def read(end):
        try:
            return os.read(end, 65536)
        except OSError:  # the other end of the terminal is closed
            return b""

    def test_picture(self):
        dry = ("--machine", machine("barcelona"), SPEC, "--", self.compile("seen", "-fopenmp"))
        for form, is_drawn in (("auto", True), ("picture", True), ("text", False)):
            with self.subTest(form):
                seen = self.seen("--report=" + form, *dry, env=TERMINAL)
                self.assertIn("dry run on", seen)
                self.assertEqual("team of 4" not in seen, is_drawn, seen)
                self.assertEqual(CORNER in seen, is_drawn, seen)
                for path in PATHS:
                    self.assertEqual(len(re.findall(rf"\s{re.escape(path)}\s", seen)), 1, seen)
                self.assertNotIn("\033", seen)
        self.assertIn("\033[", self.seen("--report", *dry, env={**TERMINAL, "NO_COLOR": ""}))

    def test_table_without_a_terminal(self):
        dry = ("--machine", machine("barcelona"), SPEC, "--", self.compile("seen", "-fopenmp"))
        table = nestbind("run", "--report", *dry, env=TERMINAL).stderr
        self.assertIn("team of 4", table)
        self.assertNotIn(CORNER, table)
        drawn = nestbind("run", "--report=picture", *dry, env={**TERMINAL, "NO_COLOR": ""}).stderr
        self.assertIn(CORNER, drawn)
        self.assertNotIn("\033", drawn)
        self.assertIn("\033[", nestbind("run", "--report=picture", *dry, env={**TERMINAL, "NO_COLOR": "", "CLICOLOR_FORCE": "1"}).stderr)
        plain = nestbind("run", "--report=picture", *dry, env={**TERMINAL, "LC_ALL": "C"}).stderr
        self.assertTrue(plain.isascii(), plain)
        for path in PATHS:
            self.assertEqual(len(re.findall(rf"\s{re.escape(path)}\s", plain)), 1, plain)


# Forks inner teams of three. An argument is the limit of threads for the inner teams.
NESTED = r"""
#include <omp.h>
int main(int argc, char **argv) {
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(argc > 1 ? 1 : 3)
    __asm__ volatile("");
  }
  return 0;
}
"""


class Nesting(TestCase):
    """If an inner region asks for several threads and nesting is off, the report must say so once, with the cure."""

    def reported(self, compiler, form, *words, spec="auto", **env):
        program = self.compile("nested-" + compiler, "-fopenmp", source=NESTED, compiler=compiler)
        process = nestbind("run", "--machine", machine("barcelona"), f"--report={form}:/dev/stderr", spec, "--", program, *words, env=env)
        self.assertStatus(process, 0)
        return process.stderr

    def test_refused_regions(self):
        for compiler in ("gcc", "clang-19"):
            with self.subTest(compiler):
                self.assertEqual(self.reported(compiler, "text").count("OMP_MAX_ACTIVE_LEVELS=2"), 1)
                self.assertEqual(self.reported(compiler, "text", spec="2,scatter").count("OMP_MAX_ACTIVE_LEVELS=2"), 1)
                lines = [json.loads(line) for line in self.reported(compiler, "json").splitlines()]
                self.assertEqual([line["refused"] for line in lines if "refused" in line], [{"asked": 3, "allowed": 1}])
                self.assertEqual([(line["level"], len(line["threads"])) for line in lines if "refused" in line], [(2, 1)])

    def test_other_teams_of_one(self):
        for compiler in ("gcc", "clang-19"):
            with self.subTest(compiler):
                for words, keywords in ((["alone"], {}), ([], {"OMP_MAX_ACTIVE_LEVELS": "2"}), ([], {"spec": "2,scatter,3,subcompact"}),
                                        ([], {"OMP_THREAD_LIMIT": "2", "OMP_MAX_ACTIVE_LEVELS": "2"})):
                    self.assertNotIn("OMP_MAX_ACTIVE", self.reported(compiler, "text", *words, **keywords))


class Moments(TestCase):
    def ended(self, how, form="json"):
        program = self.compile("ending", "-fopenmp", source=ENDING)
        return nestbind("run", "--report=" + form, "--machine", machine("barcelona"), SPEC, "--", program, how)

    def teams(self, text):
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def assert_tree(self, text):
        self.assertEqual([team["threads"][0]["path"][:-1] for team in self.teams(text)], TREE)

    def test_layout_is_sorted_as_a_tree(self):
        for _ in range(10):
            process = self.ended("")
            self.assertStatus(process, 42)
            self.assert_tree(process.stderr)

    def test_exit_inside_a_region(self):
        process = self.ended("exit")
        self.assertStatus(process, 7)
        self.assert_tree(process.stderr)

    def test_killed_process_loses_the_report(self):
        """As the manual says, the report is lost here."""
        for how, status in (("_exit", 7), ("kill", -signal.SIGTERM), ("abort", -signal.SIGABRT)):
            with self.subTest(how):
                process = self.ended(how)
                self.assertStatus(process, status)
                self.assertEqual(process.stderr, "")
                process = self.ended(how, "json,now")
                self.assertStatus(process, status)
                masters = [team["threads"][0]["path"][:-1] for team in self.teams(process.stderr)]
                self.assertEqual(sorted(masters), TREE)

    def test_report_at_a_fork_after_a_quiet_time(self):
        report = os.path.join(self.folder, "output")
        with open(report, "w", encoding="utf-8") as output:
            program = self.compile("ending", "-fopenmp", source=ENDING)
            process = subprocess.run([COMMAND, "run", "--report=json:/dev/stdout", "--machine", machine("barcelona"), SPEC, "--",
                                      program, "later"], env=environment(), stdout=output, stderr=subprocess.PIPE, timeout=60,
                                     check=False)
        self.assertEqual(process.returncode, 7)
        with open(report, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual([lines[0], lines[-1]], ["before", "after"])
        self.assert_tree("\n".join(lines))


if __name__ == "__main__":
    unittest.main()
