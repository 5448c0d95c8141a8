# SPDX-License-Identifier: BSD-3-Clause
"""Tests the model in lib/command/advice/native_partition.hpp. The runtimes must bind threads as the model predicts. A list of places may
contain a processor several times, so two processors are enough for many places."""
import os
import random
import subprocess
import sys
import unittest

from support import TestCase, environment

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "natively"))
import native  # noqa: E402

MODEL = os.environ["NESTBIND_TEST_MODEL"]
WORDS = ("primary", "close", "spread")


def questions(chance, count):
    """Returns (places, sizes, words of OMP_PROC_BIND)."""
    asked = [(8, [3], ["spread"]), (7, [4], ["spread"]), (10, [4], ["spread"]), (4, [6], ["close"]), (4, [6], ["spread"]),
             (4, [4, 2], ["close", "close"]), (4, [2, 3], ["spread", "close"]), (12, [4, 3], ["spread", "close"]),
             (9, [2, 2, 2], ["close", "spread", "spread"]), (16, [5, 3], ["spread", "spread"]), (6, [1, 4], ["spread", "close"])]
    while len(asked) < count:
        levels = chance.choice((1, 2, 2, 3))
        sizes = [chance.randint(1, 6 if levels < 3 else 3) for _ in range(levels)]
        asked.append((chance.randint(1, 17), sizes, [chance.choice(WORDS) for _ in range(levels)]))
    return asked


class NativePlaces(TestCase):
    def check_runtime(self, runtime):
        program = native.compile_for(runtime, self.folder)
        if program is None:
            self.skipTest(f"there is no {native.COMPILERS[runtime]}")
        cpus = sorted(os.sched_getaffinity(0))
        asked = questions(random.Random(14), 80)
        lines = [f"{runtime} {places} {','.join(map(str, sizes))} {','.join(words)}" for places, sizes, words in asked]
        model = subprocess.run([MODEL], input="\n".join(lines) + "\n", stdout=subprocess.PIPE, encoding="utf-8", check=True)
        for (places, sizes, words), line, said in zip(asked, lines, model.stdout.splitlines()):
            with self.subTest(line):
                the_list = ",".join("{%d}" % cpus[i % len(cpus)] for i in range(places))
                variables = {"OMP_PLACES": the_list, "OMP_PROC_BIND": ",".join(words), "OMP_WAIT_POLICY": "passive",
                             "OMP_NUM_THREADS": ",".join(map(str, sizes)), "OMP_MAX_ACTIVE_LEVELS": str(len(sizes))}
                done = subprocess.run([program, str(len(sizes))], env=environment(**variables), timeout=60,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=True)
                found = native.rows(done.stdout)
                by_path = sorted(found, key=lambda path: [int(number) for number in path.split(".")])
                product = 1
                for size in sizes:
                    product *= size
                self.assertEqual(len(found), product)
                self.assertEqual([found[path][0] for path in by_path], list(map(int, said.split())))
                for place, mask in found.values():
                    self.assertEqual(mask, {cpus[place % len(cpus)]})

    def test_gnu(self):
        self.check_runtime("gnu")

    def test_llvm(self):
        self.check_runtime("llvm")


if __name__ == "__main__":
    unittest.main()
