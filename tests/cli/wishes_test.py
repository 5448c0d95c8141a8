# SPDX-License-Identifier: BSD-3-Clause
"""nestbind run --places and --memory-policy, and --print-env for csh and fish."""
import os
import re
import shutil
import subprocess
import sys
import unittest

from support import COMMAND, TestCase, environment, machine, nestbind

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "natively"))
import native  # noqa: E402

MINE = sorted(os.sched_getaffinity(0))


def policy_of(*words):
    """Returns the policy of a program's memory, in the words of numa_maps(5)."""
    done = subprocess.run([*words, "cat", "/proc/self/numa_maps"], env=environment(), capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[0].split()[1]


class Places(TestCase):
    def masks(self, program, *arguments, levels=2):
        done = nestbind("run", *arguments, "--", program, str(levels), env={"OMP_WAIT_POLICY": "passive"})
        self.assertStatus(done, 0)
        return {path: set(cpus) for path, (_, cpus) in native.rows(done.stdout).items()}

    @unittest.skipIf(len(MINE) < 2, "one processor has only one order")
    def test_the_order_of_the_list(self):
        first, second = MINE[:2]
        for runtime in native.COMPILERS:
            program = native.compile_for(runtime, self.folder)
            if program is None:
                continue
            for one, other in ((first, second), (second, first)):
                with self.subTest(runtime=runtime, one=one):
                    self.assertEqual(self.masks(program, "--places", f"{one},{other}", "2,compact", levels=1), {"0": {one}, "1": {other}})
                    self.assertEqual(self.masks(program, "--places", f"{one},{other}", "core,scatter", levels=1), {"0": {one}, "1": {other}})
                    self.assertEqual(self.masks(program, "--places", f"{one},{other}", "2,scatter,1,compact"), {"0.0": {one}, "1.0": {other}})
                    self.assertEqual(self.masks(program, "--places", f"{other}", "2,scatter", levels=1), {"0": {other}, "1": {other}})

    @unittest.skipIf(len(MINE) < 4, "needs four processors")
    def test_teams(self):
        program = native.compile_for("gnu", self.folder)
        a, b, c, d = MINE[3], MINE[1], MINE[0], MINE[2]
        self.assertEqual(self.masks(program, "--places", f"{a},{b},{c},{d}", "2,scatter,2,subcompact"),
                         {"0.0": {a}, "0.1": {b}, "1.0": {c}, "1.1": {d}})

    def test_refused(self):
        first = str(MINE[0])
        for words in (("--places", f"{first},{first}"), ("--places", f"{first},100000"), ("--places", "x"), ("--places", f"{first},"),
                      ("--places", first, "--cpus", first), ("--places", first, "--smt", "1"), ("--places", first, "--cores", "all"),
                      ("--places", first, "--order", "file"), ("--places", first, "--machine", machine("barcelona"))):
            with self.subTest(words):
                done = nestbind("run", *words, "1,scatter", "--", "echo", "started")
                self.assertStatus(done, 2)
                self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
        self.assertStatus(nestbind("run", "--print-env", "--places", first, "1,scatter"), 2)


class MemoryPolicy(TestCase):
    @unittest.skipIf(not os.path.exists("/proc/self/numa_maps"), "the kernel has no NUMA policies")
    def test_same_as_numactl(self):
        self.assertEqual(policy_of(), "default")
        for own, words, numactl in (("local", "local", "--localalloc"), ("interleave", "interleave:0", "--interleave=all"),
                                    ("interleave:0", "interleave:0", "--interleave=0"), ("bind:0", "bind:0", "--membind=0"),
                                    ("prefer:0", "prefer:0", "--preferred=0")):
            with self.subTest(own):
                found = policy_of(COMMAND, "run", "--memory-policy=" + own, "--")
                if shutil.which("numactl") is not None and own != "local":  # numactl calls it "prefer" without nodes
                    self.assertEqual(found, policy_of("numactl", numactl))
                self.assertEqual(found.partition(":")[0], words.partition(":")[0])

    def test_refused(self):
        for words in (("--memory-policy=bind:1000",), ("--memory-policy=bind",), ("--memory-policy=prefer:0-1",), ("--memory-policy=local:0",),
                      ("--memory-policy=near",), ("--memory-policy=local", "--memory"), ("--memory-policy=bind:0,999",)):
            with self.subTest(words):
                done = nestbind("run", *words, "--", "echo", "started")
                self.assertStatus(done, 2)
                self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
        self.assertStatus(nestbind("run", "--print-env", "--memory-policy=local"), 2)


class Shells(TestCase):
    NAMES = ("LD_PRELOAD", "OMP_NESTING_TEAM_SIZE", "OMP_NUM_THREADS", "NESTBIND_REPORT")

    def check_shell(self, shell, script, failing):
        if shutil.which(shell) is None:
            self.skipTest(f"there is no {shell}")
        folder = os.path.join(self.folder, "it's! a \\ folder $HOME")
        os.makedirs(folder, exist_ok=True)
        report = os.path.join(folder, "report")
        env = environment(HOME=self.folder, REPORT="text:" + report, PATH=self.folder + ":" + os.environ["PATH"])
        self.file("tell", f'#!/bin/sh\nexec {COMMAND} run --print-env="$1" --report="$REPORT" "$2"\n', 0o755)
        options = ["-f"] if shell == "tcsh" else ["--no-config"] if shell == "fish" else []
        shown = [subprocess.run([one, *flags, "-c", text], env=env, capture_output=True, encoding="utf-8", timeout=60, check=False)
                 for one, flags, text in (("sh", [], 'eval "$(tell sh 2,scatter)" && env'), (shell, options, script))]
        values = [dict(re.findall(r"^(\w+)=(.*)$", one.stdout, re.M)) for one in shown]
        for name in self.NAMES:
            self.assertEqual(values[1].get(name), values[0][name], shown[1].stderr)
        done = subprocess.run([shell, *options, "-c", failing], env=env, capture_output=True, encoding="utf-8", timeout=60, check=False)
        self.assertEqual((done.returncode != 0, done.stdout), (True, ""), done.stderr)

    def test_csh(self):
        self.check_shell("tcsh", 'eval "`tell csh 2,scatter`"; env',
                         'eval "`tell csh 2,wrong`"; echo went on')

    def test_fish(self):
        self.check_shell("fish", 'tell fish 2,scatter | source; or exit 1; env',
                         'tell fish 2,wrong | source; or exit 1; echo went on')

    def test_no_such_shell(self):
        done = nestbind("run", "--print-env=ksh", "2,scatter")
        self.assertStatus(done, 2)
        self.assertEqual(done.stdout, "false\n")


if __name__ == "__main__":
    unittest.main()
