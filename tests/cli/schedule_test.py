# SPDX-License-Identifier: BSD-3-Clause
"""Tests loops of real programs with a schedule and no specification."""
import json
import os
import re
import subprocess
import unittest

from support import COMMAND, LIBRARY, TestCase, environment, nestbind

SOURCE = r"""
int main(void) {
  int sum = 0;
#pragma omp parallel for schedule(runtime) num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
  return sum == 499500 ? 42 : 1;
}
"""

STRICT = {"NESTBIND_STRICT": "1"}
UNTOLD = {"OMP_TOOL": "disabled"}


def start(*command, **variables):
    return subprocess.run(command, env=environment(**{"LD_PRELOAD": LIBRARY, "NESTBIND_SCHEDULE": "hybrid", **variables}),
                          timeout=60, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")


class Schedule(TestCase):
    def of_clang(self):
        return self.compile("clang", "-fopenmp", source=SOURCE, compiler="clang-19")

    def of_gcc(self):
        return self.compile("gcc", "-fopenmp", source=SOURCE)

    def contained(self):
        objects = self.compile("contained.o", "-fopenmp", "-c", source=SOURCE)
        program = os.path.join(self.folder, "contained")
        subprocess.run(["gcc", objects, "-l:libgomp.a", "-ldl", "-lpthread", "-o", program], check=True)
        return program

    def assert_said(self, process, status, *lines):
        self.assertStatus(process, status)
        self.assertEqual(process.stdout, "")
        said = process.stderr.splitlines()
        self.assertEqual(len(said), len(lines), process.stderr)
        for line, told in zip(said, lines):
            self.assertIn(told, line)

    def test_strict_stops_if_loops_cannot_be_shared(self):
        program = self.of_clang()
        told = "does not know): the runtime schedules its loops"
        self.assert_said(start(program, **UNTOLD, **STRICT), 78, told, "the program is stopped (NESTBIND_STRICT=1)")
        self.assert_said(start(program, **STRICT), 42)
        self.assert_said(start(program, NESTBIND_SCHEDULE="native", **UNTOLD, **STRICT), 42)
        self.assert_said(start(self.contained(), **STRICT), 78,
                         ": the runtime schedules its loops; link libgomp.so",
                         "the program is stopped")
        for others in (["sh", "-c", "exit 42"], ["python3", "-c", "raise SystemExit(42)"]):
            self.assert_said(start(*others, **UNTOLD, **STRICT), 42)

    def test_one_warning_if_loops_cannot_be_shared(self):
        told = "does not know): the runtime schedules its loops"
        self.assert_said(start(self.of_clang(), **UNTOLD), 42, told)
        self.assert_said(start(self.of_clang(), NESTBIND_SCHEDULE="native", **UNTOLD), 42)
        self.assert_said(start(self.contained()), 42, "the runtime schedules its loops")
        both = start(self.of_clang(), OMP_NESTING_TEAM_SIZE="2,scatter", **UNTOLD)
        self.assert_said(both, 42, "its teams are not bound", "the runtime schedules its loops")

    def reports(self, program, **variables):
        """Returns the lines of the text report, and the objects of the JSON report."""
        text = start(program, NESTBIND_REPORT="text", NESTBIND_QUIET="1", **variables)
        data = start(program, NESTBIND_REPORT="json", NESTBIND_QUIET="1", **variables)
        return text.stderr.splitlines(), [json.loads(line) for line in data.stderr.splitlines()]

    def test_the_report_gives_the_reason_for_no_loops(self):
        for program, variables, why in ((self.of_clang(), UNTOLD, "is on LLVM's or Intel's OpenMP runtime"),
                                        (self.contained(), {}, "contains GCC's OpenMP runtime (libgomp.a)")):
            with self.subTest(why):
                text, (data,) = self.reports(program, **variables)
                self.assertEqual(len(text), 3, text)
                self.assertIn("nestbind: loops of process", text[0])
                self.assertIn("nestbind: the program " + why, text[1])
                self.assertEqual(text[2], "nestbind: no loop was taken; see nestbind-loops(7)")
                self.assertEqual(data["loops"], [])
                self.assertIn(why, data["reason"])
        self.assertIsNone(self.reports(self.of_gcc())[1][0]["reason"])

    def test_a_program_without_a_runtime_has_no_report(self):
        for command in ("true", "sh"):
            self.assertEqual(start(command, "-c", "exit 0", NESTBIND_REPORT="text").stderr, "")

    def test_the_report_has_the_used_chunk(self):
        source = SOURCE.replace("schedule(runtime)", "schedule(nonmonotonic : dynamic, 50)")
        program = self.compile("fifty", "-fopenmp", source=source)
        for schedule, chunk in (("hybrid,chunk=8", 50), ("hybrid,chunk=120", 150)):
            (loop,) = self.reports(program, NESTBIND_SCHEDULE=schedule + ",loops=dynamic")[1][0]["loops"]
            self.assertEqual(loop["chunk"], chunk)

    def test_the_report_has_the_requested_fraction(self):
        for asked in ("0.5", "0.75", "0.125"):
            text, (data,) = self.reports(self.of_gcc(), NESTBIND_SCHEDULE="hybrid,f=" + asked)
            self.assertEqual(data["loops"][0]["f"], float(asked))
            self.assertEqual(float(text[-1].split()[4]), float(asked))

    def test_shared_queues_have_no_owner(self):
        for queue, is_own in (("thread", True), ("all", False)):
            text, (data,) = self.reports(self.of_gcc(), NESTBIND_SCHEDULE=f"hybrid,f=0,chunk=8,queue={queue}")
            self.assertEqual(data["loops"][0]["own"] is not None, is_own)
            self.assertEqual(text[-1].split()[7] != "-", is_own)

    def test_owned_blocks_have_their_own_table(self):
        text, (data,) = self.reports(self.of_gcc(), NESTBIND_SCHEDULE="balanced,steal=0")
        (loop,) = data["loops"]
        self.assertEqual({name: loop[name] for name in ("blocks", "looks", "migrations", "imbalance_before", "remote_runs", "block_runs")},
                         {"blocks": 24, "looks": 0, "migrations": 0, "imbalance_before": None, "remote_runs": 0, "block_runs": 24})
        self.assertEqual((data["schedule"], loop["iterations"], loop["static"]), ("balanced,steal=0", 1000, 1000))
        self.assertEqual((loop["f"], loop["chunk"]), (None, None))
        self.assertEqual(text[-4].split()[4:6], ["-", "-"])
        self.assertEqual(text[-3], "nestbind: blocks with owners")
        self.assertEqual(text[-1].split()[:8], ["2", "1", "24", "0", "0", "-", "-", "0.0"])
        self.assertNotIn("blocks", self.reports(self.of_gcc())[1][0]["loops"][0])

    def test_the_time_covers_the_measured_executions(self):
        (loop,) = self.reports(self.of_gcc())[1][0]["loops"]
        self.assertEqual((loop["executions"], loop["measured"]), (1, 1))
        self.assertGreaterEqual(loop["time_ns"], loop["lost_ns"])
        self.assertGreater(loop["time_ns"], 0)


SIMULATOR = os.path.join(os.path.dirname(COMMAND), "simulate_loops")


class Uneven(TestCase):
    @unittest.skipUnless(os.path.exists(SIMULATOR), "built without bench/")
    def test_automatic_share_is_near_the_best_fixed_one(self):
        """A simulator runs the library's own functions in virtual time, for seven kinds of work and three teams."""
        process = subprocess.run([SIMULATOR, "uneven", "60"], capture_output=True, encoding="utf-8", check=True)
        found = re.findall(r"f=auto ([0-9.]+), best fixed f ([0-9.]+)", process.stderr)
        self.assertEqual(len(found), 21)
        for automatic, fixed in found:
            self.assertLessEqual(float(automatic), 1.015 * float(fixed))


if __name__ == "__main__":
    unittest.main()
