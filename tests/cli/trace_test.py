# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind trace, and the file that the library writes for NESTBIND_TRACE."""
import os
import re
import unittest

from support import LIBRARY, TestCase, nestbind


class Trace(TestCase):
    def setUp(self):
        self.trace = os.path.join(self.folder, self.id())

    def run_traced(self, *options, env=None, cwd=None, file=None):
        traced = nestbind("run", "--library", LIBRARY, *options, "2,scatter,2,subcompact", "--", self.compile("forking", "-fopenmp"),
                          env={"NESTBIND_TRACE": file or self.trace, **(env or {})}, cwd=cwd)
        self.assertStatus(traced, 42)
        return traced

    def words(self):
        shown = nestbind("trace", self.trace)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        return [re.sub(r"^ *[0-9.]+ +[0-9]+  ", "", line) for line in shown.stdout.splitlines()]

    def test_events_of_a_run(self):
        self.run_traced()
        words = self.words()
        self.assertRegex(words[0], r"^process [0-9]+ begins with 2,scatter,2,subcompact$")
        self.assertIn("GOMP acts: GCC's runtime has no tool interface", words)
        self.assertTrue(any(re.match("an OpenMP runtime has started: .*gomp", line) for line in words))
        forks = [line for line in words if line.startswith("forks a team of level")]
        self.assertEqual(sorted(line.split(" at ")[0] for line in forks),
                         ["forks a team of level 1"] + 2 * ["forks a team of level 2"])
        placed = [line.split(" is thread ")[0] for line in words if " is thread " in line]
        self.assertEqual(sorted(placed), ["member 0", "member 0.0", "member 0.1", "member 1", "member 1.0", "member 1.1"])
        self.assertIn("member 0 leaves level 1", words)

    def test_nothing_is_printed_by_the_program(self):
        self.assertNotIn("trace", self.run_traced("--sizes", "set").stderr)

    def test_trace_is_appended(self):
        self.run_traced()
        before = len(self.words())
        self.run_traced()
        self.assertGreater(len(self.words()), before)

    def test_relative_name_refers_to_the_first_folder(self):
        self.run_traced(file=os.path.basename(self.trace), cwd=self.folder)
        self.assertTrue(self.words())

    def test_unwritable_file_is_reported(self):
        traced = self.run_traced(file="/nonexistent/trace")
        self.assertIn("nestbind: warning: the trace cannot be written to /nonexistent/trace: ", traced.stderr)

    def test_full_disk_is_reported_once(self):
        self.assertEqual(self.run_traced(file="/dev/full").stderr.count("/dev/full: "), 1)

    def test_line_breaks_do_not_break_lines(self):
        program = self.compile("forking", "-fopenmp")
        traced = nestbind(program, command="env", env={"NESTBIND_TRACE": self.trace, "LD_PRELOAD": LIBRARY,
                                                       "OMP_NESTING_TEAM_SIZE": "2,scatter,\n2,subcompact"})
        self.assertStatus(traced, 42)
        self.assertIn("begins with 2,scatter,?2,subcompact", self.words()[0])

    def test_bad_line_is_reported(self):
        with open(self.trace, "w", encoding="utf-8") as file:
            file.write("1.0 2 0 3 0 0 text\nno trace\n")
        shown = nestbind("trace", self.trace)
        self.assertEqual((shown.returncode, shown.stderr), (1, f"nestbind: {self.trace}: line 2 is not of a trace\n"))
        self.assertIn("text", shown.stdout)
        self.assertEqual(nestbind("trace", self.folder).returncode, 1)
        shown = nestbind("trace", os.path.join(self.folder, "none"))
        self.assertEqual(shown.returncode, 1)
        self.assertIn("No such file", shown.stderr)
        self.assertEqual(nestbind("trace").returncode, 2)

    def test_other_files(self):
        """The command must print one message, and then end."""
        text = self.file("text", "".join(f"line {number}\n" for number in range(9)))
        for name in ("/dev/zero", "/bin/true", text, self.folder):
            with self.subTest(name):
                process = nestbind("trace", name)
                self.assertStatus(process, 1)
                self.assertEqual(process.stdout, "")
                self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr[:200])
                self.assertIn(name, process.stderr)


if __name__ == "__main__":
    unittest.main()
