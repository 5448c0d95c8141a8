# SPDX-License-Identifier: BSD-3-Clause
"""nestbind plan --format places, likwid, taskset, hwloc and csv. The tools themselves run the printed lines. The masks of their threads must
be the masks that nestbind binds."""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from support import TestCase, environment, machine, nestbind

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "natively"))
import native  # noqa: E402

BARCELONA = ("--machine", machine("barcelona"))
SPECS = ("2,scatter", "2,compact", "2,scatter,2,subcompact", "1,scatter,2,subscatter", "2,compact,2,subscatter,2,subscatter", "4,scatter")


def lines(tool, spec, *arguments):
    return nestbind("plan", spec, "--format", tool, *arguments)


def mask_of(command):
    """Returns the processors of a process that a line of a tool starts."""
    line = command.replace("./program", "grep Cpus_allowed_list /proc/self/status")
    done = subprocess.run(["sh", "-c", line], env=environment(), capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    parts = re.search(r"Cpus_allowed_list:\s*(\S+)", done.stdout).group(1).split(",")
    ends = [list(map(int, part.split("-"))) for part in parts]
    return {cpu for end in ends for cpu in range(end[0], end[-1] + 1)}


class Formats(TestCase):
    def masks(self, program, spec, *before, **variables):
        """Returns the mask of each thread, by its path."""
        levels = str(spec.count(",") // 2 + 1)
        done = subprocess.run([*before, program, levels], env=environment(OMP_WAIT_POLICY="passive", **variables), timeout=60,
                              capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {path: set(cpus) for path, (_, cpus) in native.rows(done.stdout).items()}

    def bound(self, program, spec):
        return self.masks(program, spec, os.environ["NESTBIND_TEST_COMMAND"], "run", spec, "--")

    def check_places(self, runtime):
        program = native.compile_for(runtime, self.folder)
        if program is None:
            self.skipTest(f"there is no {native.COMPILERS[runtime]}")
        for spec in SPECS:
            with self.subTest(spec):
                said = lines("places", spec)
                self.assertEqual((said.returncode, said.stderr), (0, ""))
                by_runtime = self.masks(program, spec, "sh", "-c", said.stdout + 'exec "$@"', "sh")
                self.assertEqual(by_runtime, self.bound(program, spec))

    def test_places_gnu(self):
        self.check_places("gnu")

    def test_places_llvm(self):
        self.check_places("llvm")

    def test_places_that_cannot_be(self):
        """OMP_NUM_THREADS has one size for a level, but these teams have 8, 4 and 4 members."""
        said = lines("places", "3,scatter,core,subcompact", *BARCELONA)
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertEqual(said.stderr.count("\n"), 1)

    def test_masks_of_teams(self):
        program = native.compile_for("gnu", self.folder)
        for tool, binary in (("taskset", "taskset"), ("hwloc", "hwloc-bind")):
            for spec in SPECS:
                with self.subTest(tool=tool, spec=spec):
                    if shutil.which(binary) is None:
                        self.skipTest(f"there is no {binary}")
                    teams = {}
                    for path, cpus in sorted(self.bound(program, spec).items()):
                        teams.setdefault(path.rpartition(".")[0], set()).update(cpus)
                    printed = [line for line in lines(tool, spec).stdout.splitlines() if not line.startswith("#")]
                    self.assertEqual([mask_of(line) for line in printed], [teams[path] for path in sorted(teams)])

    def test_likwid(self):
        if shutil.which("likwid-pin") is None:
            self.skipTest("there is no likwid-pin")
        program = native.compile_for("llvm", self.folder) or native.compile_for("gnu", self.folder)
        said = lines("likwid", "2,scatter")
        self.assertEqual(said.returncode, 0, said.stderr)
        line = said.stdout.replace("./program", f"{program} 1")
        done = subprocess.run(["sh", "-c", line], env=environment(), capture_output=True, encoding="utf-8", timeout=60, check=False)
        if done.returncode != 0:
            self.skipTest(f"likwid-pin does not work here: {done.stderr}")
        self.assertEqual({path: set(cpus) for path, (_, cpus) in native.rows(done.stdout).items()}, self.bound(program, "2,scatter"))

    def test_likwid_teams(self):
        printed = lines("likwid", "4,scatter,2,subcompact", *BARCELONA).stdout.splitlines()
        self.assertEqual([line.split(" -c ")[1].split()[0] for line in printed if not line.startswith("#")], ["0,1", "4,5", "8,9", "12,13"])
        printed = lines("likwid", "9,compact,2,subcompact", *BARCELONA).stdout.splitlines()
        self.assertEqual(sum(not line.startswith("#") for line in printed), 7)  # two teams share a processor

    def test_hwloc_sets_of_large_machines(self):
        printed = lines("hwloc", "2,scatter,2,subcompact", "--machine", "pack:2 [numa] core:32 pu:1").stdout.splitlines()
        self.assertEqual([line.split()[1] for line in printed if not line.startswith("#")], ["0x00000003", "0x00000003,0x00000000"])

    def test_csv(self):
        for arguments in (("4,scatter,4,scatter", *BARCELONA), ("2,scatter,4,subcompact", "--machine", machine("nehalem-hp"))):
            rows = list(csv.DictReader(io.StringIO(lines("csv", *arguments).stdout)))
            threads = json.loads(nestbind("plan", *arguments, "--format=json").stdout)["threads"]
            self.assertEqual([[int(cpu) for cpu in row["cpus"].split()] for row in rows], [thread["cpus"] for thread in threads])
            self.assertEqual([list(map(int, row["path"].split("."))) for row in rows], [thread["path"] for thread in threads])
            self.assertEqual([int(row["numa"]) for row in rows], [thread["numa"] for thread in threads])
            self.assertEqual([row["share"].split() for row in rows], [list(map(str, thread["share"])) for thread in threads])

    def test_refused_together(self):
        for format_ in ("places", "likwid", "taskset", "hwloc", "csv"):
            for more in (("--ranks", "2"), ("--beside", "4,compact")):
                self.assertEqual(lines(format_, "4,scatter", *more, *BARCELONA).returncode, 2)
        self.assertEqual(lines("places", "off", *BARCELONA).returncode, 1)


if __name__ == "__main__":
    unittest.main()
