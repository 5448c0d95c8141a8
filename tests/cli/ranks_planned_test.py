# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind plan --ranks, which plans the division among ranks in advance."""
import json
import unittest

from ranks import BARCELONA
from support import TestCase, machine, nestbind


class Plan(TestCase):
    def test_text(self):
        process = nestbind("plan", "--ranks", "2", "2,scatter", "--machine", BARCELONA)
        self.assertStatus(process, 0)
        lines = process.stdout.splitlines()
        self.assertIn("rank 0 of 2: processors 0-7", lines)
        self.assertIn("rank 1 of 2: processors 8-15", lines)
        self.assertIn(["initial", "2-3", "2-3", "8,12", "8", "12"], [line.split() for line in lines])

    def test_json(self):
        process = nestbind("plan", "--ranks=3", "--format=json", "2,scatter", "--machine", BARCELONA, "--cpus", "0-11")
        ranks = json.loads(process.stdout)["ranks"]
        self.assertEqual([(rank["local"], rank["of"], rank["cpus"]) for rank in ranks],
                         [(0, 3, [0, 1, 2, 3]), (1, 3, [4, 5, 6, 7]), (2, 3, [8, 9, 10, 11])])
        self.assertEqual([thread["cpus"] for thread in ranks[2]["plan"]["threads"]], [[8], [10]])

    def test_kinds_of_cores(self):
        process = nestbind("plan", "--ranks=2", "auto", "--machine", machine("laptop"))
        self.assertStatus(process, 0)
        lines = process.stdout.splitlines()
        self.assertIn("rank 0 of 2: processors 0-5,12-15", lines)
        self.assertIn("rank 1 of 2: processors 6-11,16-19", lines)

    def test_ranks_that_share_processors(self):
        process = nestbind("plan", "--ranks=4", "1,scatter", "--machine", "pack:1 core:2 pu:1")
        self.assertStatus(process, 0)
        self.assertEqual(process.stdout.count("\nwarning: 4 ranks share 2 processors\n"), 4)
        process = nestbind("plan", "--ranks=2", "1,scatter", "--machine", "pack:1 core:2 pu:1")
        self.assertNotIn("warning", process.stdout)

    def test_picture(self):
        process = nestbind("plan", "--ranks=2", "--format=picture", "2,scatter", "--machine", BARCELONA, env={"LC_ALL": "C.UTF-8"})
        self.assertStatus(process, 0)
        self.assertEqual(process.stdout.count("2,scatter"), 2)

    def test_unsupported_commands_refuse_ranks(self):
        for words in (["--ranks", "0"], ["--ranks", "x"], ["--ranks", "2", "--format", "svg"], ["--ranks", "2", "--beside", "2,compact"]):
            process = nestbind("plan", "2,scatter", "--machine", "pu:4", *words)
            self.assertStatus(process, 2)
            self.assertIn("--ranks", process.stderr)


if __name__ == "__main__":
    unittest.main()
