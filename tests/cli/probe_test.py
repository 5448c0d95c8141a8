# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind probe on this machine."""
import glob
import json
import os
import subprocess
import unittest

from support import COMMAND, SESSION, TestCase, environment, nestbind, open_terminal

CPUS = sorted(os.sched_getaffinity(0))[:2]
LIST = ",".join(map(str, CPUS))
NOT_RELIABLE = 3
SAVED = os.path.join(SESSION, "nestbind-probed-*")


def probe(*arguments, **keywords):
    return nestbind("probe", "--cpus", LIST, *arguments, **keywords)


class Measuring(TestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.xml = os.path.join(cls.folder, "machine.xml")
        cls.svg = os.path.join(cls.folder, "picture.svg")
        cls.process = probe("--json", "--xml", cls.xml, "--svg", cls.svg, "--save")
        cls.found = json.loads(cls.process.stdout)

    def test_status_shows_reliability(self):
        self.assertIn(self.process.returncode, (0, NOT_RELIABLE), self.process.stderr)
        self.assertEqual(self.found["reliable"], self.process.returncode == 0)
        self.assertEqual("not reliable" in self.process.stderr, self.process.returncode == NOT_RELIABLE)

    def test_measurements_are_complete(self):
        pairs = [(pair["first"], pair["second"]) for kind in self.found["kinds"] for pair in kind["pairs"]]
        self.assertEqual(pairs, [tuple(CPUS)] if len(CPUS) == 2 else [])
        for kind in self.found["kinds"]:
            for pair in kind["pairs"]:
                self.assertGreaterEqual(pair["batches"], 32 if pair["reliable"] else 2)
                self.assertGreater(pair["ns"], 0)
                self.assertGreaterEqual(pair["p90"], pair["ns"])
                self.assertGreaterEqual(len(pair["parts"]), 2)
        nodes = len(self.found["nodes"]["numbers"])
        self.assertIn(nodes, (1, 2))
        self.assertEqual([len(row) for row in self.found["nodes"]["ns"]], [nodes] * nodes)
        self.assertEqual(self.found["nodes"]["factor"][0][0], 1)
        self.assertEqual(self.found["patterns"], [])

    def test_no_file_is_written_without_a_reliable_difference(self):
        reliable = all(all(row) for row in self.found["nodes"]["reliable"])
        has_distances = self.found["classes"]["nodes"] > 1 and reliable
        self.assertEqual(os.path.exists(self.xml), has_distances)
        self.assertEqual(len(glob.glob(SAVED)), 1 if has_distances else 0)
        self.assertEqual(os.path.exists(self.svg), self.found["structure"])
        for option in ("--xml", "--save"):
            self.assertEqual(f"probe: {option}: " in self.process.stderr, not has_distances)
        self.assertEqual("probe: --svg: " in self.process.stderr, not self.found["structure"])

    @unittest.skipIf(len(glob.glob("/sys/devices/system/node/node[0-9]*")) > 1, "a machine with several nodes")
    def test_one_node_has_no_memory_differences(self):
        self.assertEqual(self.found["classes"]["nodes"], 1)
        self.assertFalse(os.path.exists(self.xml))


class Words(TestCase):
    def test_the_table(self):
        process = probe()
        self.assertIn(process.returncode, (0, NOT_RELIABLE))
        self.assertRegex(process.stdout, r"\n  node +\d.*\n +\d+ +[0-9.]+")
        if len(CPUS) == 2:
            self.assertRegex(process.stdout, r"^.*64.*\n.*\n  \S.* 1 of 1 +\d")
        self.assertRegex(process.stdout, r" [0-9.]+ s\n$")
        self.assertEqual("not reliable" in process.stdout, process.returncode == NOT_RELIABLE)

    def test_one_processor_has_no_pair(self):
        process = nestbind("probe", "--cpus", str(CPUS[0]))
        self.assertIn(process.returncode, (0, NOT_RELIABLE), process.stderr)
        self.assertNotIn("64", process.stdout.split("\n")[0])
        self.assertNotIn(" 1 of 1 ", process.stdout)

    def test_progress_is_shown_only_on_a_terminal(self):
        main, end = open_terminal()
        with subprocess.Popen([COMMAND, "probe", "--cpus", LIST], env=environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=end) as process:
            os.close(end)
            seen = b""
            try:
                while part := os.read(main, 65536):
                    seen += part
            except OSError:  # the other end of the terminal is closed
                pass
        os.close(main)
        self.assertIn(process.returncode, (0, NOT_RELIABLE))
        self.assertRegex(seen.decode(), r"\r\[#*\.*\] \d+ %, \d+ s")
        self.assertIn("100 %", seen.decode())
        self.assertNotRegex(nestbind("probe", "--cpus", str(CPUS[0])).stderr, r"\] \d+ %")


class Faults(TestCase):
    def test_missing_processors_are_refused(self):
        process = nestbind("probe", "--cpus", "0-8191")
        self.assertStatus(process, 2)
        self.assertRegex(process.stderr, r"^nestbind: --cpus 0-8191: .*\d.*\n$")
        self.assertStatus(nestbind("probe", "--cpus", "x"), 2)

    def test_extra_words_are_refused(self):
        self.assertStatus(nestbind("probe", "more"), 2)


if __name__ == "__main__":
    unittest.main()
