# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind lines with reports of real programs."""
import json
import os
import re
import subprocess
import unittest

from support import LIBRARY, TestCase, nestbind

SOURCE = r"""
#include <stdio.h>
int g_sum[1000];
static inline __attribute__((always_inline)) void fill(int by) {
  _Pragma("omp for schedule(runtime)") for (int i = 0; i < 1000; ++i) g_sum[i] += by * i; /* the loop */
}
int main(void) {
#pragma omp parallel num_threads(2)
  {
    fill(3); /* the call */
  }
#pragma omp parallel for schedule(runtime) num_threads(2) /* the region */
  for (int i = 0; i < 1000; ++i) g_sum[i] -= 3 * i;
  return g_sum[1] + g_sum[999];
}
"""

BLOCK = r"""
int g_sum[1000];
static void fill(int by) {
#pragma omp for schedule(runtime)
  for (int i = 0; i < 1000; ++i) g_sum[i] += by * i; /* the loop */
}
int main(void) {
  for (int round = 0; round < 2; ++round) {
    int by = round - 1;
#pragma omp parallel num_threads(2)
    fill(by); /* the call */
  }
  return g_sum[1] + 1;
}
"""

CXX = r"""
int g_sum[1000];
namespace space {
template <typename Number>
__attribute__((noinline)) void fill(Number by) { _Pragma("omp for schedule(runtime)") for (int i = 0; i < 1000; ++i) g_sum[i] += by * i; } /* the loop */
}
int main() {
#pragma omp parallel num_threads(2)
  space::fill<int>(3);
}
"""


def line_of(comment, source=SOURCE):
    return next(number for number, line in enumerate(source.splitlines(), 1) if f"/* {comment} */" in line)


def changed(path, *command):
    subprocess.run(command, check=True)
    return path


class Lines(TestCase):
    def setUp(self):
        self.report = os.path.join(self.folder, self.id())
        if "built without" in nestbind("lines", os.devnull).stderr:
            self.skipTest("nestbind was built without libdw")

    def run_reported(self, program, form="text"):
        done = nestbind("run", "--library", LIBRARY, "--schedule=hybrid", f"--report={form}:{self.report}", "--", program)
        self.assertStatus(done, 0)

    def shown(self, *arguments, fault=""):
        """Returns the report with lines, and checks the messages."""
        done = nestbind("lines", *(arguments or [self.report]))
        self.assertEqual((done.returncode, done.stderr), (0, fault))
        return done.stdout

    def places(self, text):
        """Returns the column of the loops' places, without figures."""
        return sorted(re.sub(r"^ .*[0-9-]  (?=[^ 0-9])", "", line) for line in text.splitlines() if line.startswith("   "))

    def test_text(self):
        program = self.compile("text", "-fopenmp", "-g", source=SOURCE)
        self.run_reported(program)
        code = program + ".c"
        self.assertEqual(self.places(self.shown()), [
            f"fill, {code}:{line_of('the loop')}, inlined in main._omp_fn.0, {code}:{line_of('the call')}",
            f"main._omp_fn.1, {code}:{line_of('the region')}"])

    def test_region_in_a_block(self):
        """GCC records the function of a region in the block that contains the region."""
        program = self.compile("block", "-fopenmp", "-g", "-O2", source=BLOCK)
        self.run_reported(program)
        found = self.places(self.shown())
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], f"^fill, {program}.c:[0-9]+, inlined in main._omp_fn.0, {program}.c:{line_of('the call', BLOCK)}$")

    def test_other_text_does_not_change(self):
        self.run_reported(self.compile("text", "-fopenmp", "-g", source=SOURCE))
        with open(self.report, encoding="utf-8") as file:
            before = file.read().splitlines()
        after = self.shown().splitlines()
        self.assertEqual(before[:3], after[:3])
        for old, new in zip(before[3:], after[3:]):
            begin = re.match(r" .*[0-9-]  (?=main|fill)", old).end()
            self.assertEqual(old[:begin], new[:begin])

    def test_json(self):
        program = self.compile("text", "-fopenmp", "-g", source=SOURCE)
        self.run_reported(program, "json")
        report = json.loads(self.shown())
        code = program + ".c"
        self.assertEqual(sorted([frame["function"], frame["line"]] for loop in report["loops"] for frame in loop["source"]), [
            ["fill", line_of("the loop")], ["main._omp_fn.0", line_of("the call")], ["main._omp_fn.1", line_of("the region")]])
        self.assertEqual({frame["file"] for loop in report["loops"] for frame in loop["source"]}, {code})
        with open(self.report, encoding="utf-8") as file:
            before = json.load(file)
        for loop in report["loops"]:
            del loop["source"]
        self.assertEqual(before, report)

    def test_standard_input(self):
        self.run_reported(self.compile("text", "-fopenmp", "-g", source=SOURCE))
        for arguments in ("", " -"):
            self.assertEqual(nestbind("-c", f'"$0" lines{arguments} < "$1"', os.environ["NESTBIND_TEST_COMMAND"], self.report, command="sh").stdout,
                             self.shown())

    def test_cxx_of_clang(self):
        # Clang writes no table of the addresses of a compilation unit.
        program = os.path.join(self.folder, "cxx")
        code = self.file("cxx.cpp", CXX)
        for compiler, libraries in (("g++", []), ("clang++-19", ["-Wl,-rpath,/usr/lib/llvm-19/lib"])):
            subprocess.run([compiler, "-O1", "-g", "-fopenmp", code, "-o", program, *libraries], check=True)
            self.run_reported(program)
            self.assertEqual(self.places(self.shown()), [f"void space::fill<int>(int), {code}:{line_of('the loop', CXX)}"])
            os.unlink(self.report)

    def test_region_of_clang(self):
        program = self.compile("clang", "-fopenmp", "-g", source=SOURCE, compiler="clang-19")
        self.run_reported(program)
        places = self.places(self.shown())
        self.assertEqual(len(places), 2)
        for place, comments in zip(places, (["the loop", "the call"], ["the region"])):
            for comment in comments:
                self.assertIn(f"{program}.c:{line_of(comment)}", place)

    def test_separate_debug_information(self):
        program = self.compile("split", "-fopenmp", "-g", source=SOURCE)
        self.run_reported(program)
        whole = self.shown()
        subprocess.run(["objcopy", "--only-keep-debug", program, program + ".debug"], check=True)
        subprocess.run(["strip", "--strip-debug", program], check=True)
        subprocess.run(["objcopy", f"--add-gnu-debuglink={program}.debug", program], check=True)
        self.assertEqual(self.shown(), whole)

    def test_fully_stripped_program(self):
        # In the stripped file no symbol says where a function begins.
        program = self.compile("stripped", "-fopenmp", "-g", source=SOURCE)
        subprocess.run(["objcopy", "--only-keep-debug", program, program + ".debug"], check=True)
        subprocess.run(["strip", program], check=True)
        subprocess.run(["objcopy", f"--add-gnu-debuglink={program}.debug", program], check=True)
        self.run_reported(program)
        code = program + ".c"
        self.assertEqual(self.places(self.shown()), [
            f"fill, {code}:{line_of('the loop')}, inlined in main._omp_fn.0, {code}:{line_of('the call')}",
            f"main._omp_fn.1, {code}:{line_of('the region')}"])

    def test_no_debug_information(self):
        program = self.compile("bare", "-fopenmp", "-g0", source=SOURCE)
        self.run_reported(program)
        with open(self.report, encoding="utf-8") as file:
            self.assertEqual(self.shown(fault=f"nestbind: {program}: no debug information: compile with -g, or install the file that has it\n"),
                             file.read())

    def test_changed_program_is_reported(self):
        for form, what in (("text", "main._omp_fn.[01] is at another address than in the report"), ("json", "its build id is [0-9a-f]+, in the report [0-9a-f]+")):
            program = self.compile(f"changed-{form}", "-fopenmp", "-g", source=SOURCE)
            self.report = program + ".report"
            self.run_reported(program, form)
            with open(self.report, encoding="utf-8") as file:
                before = file.read()
            subprocess.run(["gcc", "-O0", "-g", "-fopenmp", program + ".c", "-o", program], check=True)
            done = nestbind("lines", self.report)
            self.assertEqual((done.returncode, done.stdout), (0, before))
            self.assertRegex(done.stderr, f"^(nestbind: {program}: has changed since: {what}\n)+$")

    def test_removed_program_is_reported(self):
        self.file(os.path.basename(self.report), "   1  work+0x0, /nonexistent/program+0x1234\n   2  work+0x8, /nonexistent/program+0x123c\n")
        self.assertEqual(self.shown(fault="nestbind: /nonexistent/program: No such file or directory\n").count("work+0x"), 2)

    def test_only_files_are_read(self):
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        self.file(os.path.basename(self.report), f"   1  {pipe}+0x1234\n   1  {__file__}+0x1\n")
        done = nestbind("lines", self.report)
        self.assertEqual(done.returncode, 0)
        self.assertIn(f"{pipe}: no regular file\n", done.stderr)
        self.assertIn(f"{__file__}: ", done.stderr)

    def test_other_files_do_not_change(self):
        text = 'nothing\n\n{"module": 3, "in_module": []}\n{"loops": [}\n   4  ?+0x12\n  5  /bin/ls+0xg\n'
        self.file(os.path.basename(self.report), text)
        self.assertEqual(self.shown(), text)
        self.assertEqual(self.shown(self.file("escape", "a\x1b[2Jb\n")), "a\\x1b[2Jb\n")
        for name, fault in ((self.folder, "cannot be read"), ("/bin/true", "cannot be read"), ("/dev/zero", "cannot be read"), (os.path.join(self.folder, "none"), "No such file")):
            done = nestbind("lines", name)
            self.assertEqual(done.returncode, 1)
            self.assertIn(fault, done.stderr)
        self.assertEqual(nestbind("lines", "one", "two").returncode, 2)


if __name__ == "__main__":
    unittest.main()
