# SPDX-License-Identifier: BSD-3-Clause
"""NESTBIND_MEMORY=apply on this machine: what it says where nothing can be moved, and that it does not hurt. That it moves takes
a NUMA machine (tests/guest-suite/applied.py)."""
import glob
import json
import os
import signal
import subprocess
import unittest

from support import LIBRARY, TestCase, environment, nestbind

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs")
HAS_ONE_NODE = len(glob.glob("/sys/devices/system/node/node[0-9]*")) <= 1


def read(name):
    with open(os.path.join(PROGRAMS, name), encoding="utf-8") as file:
        return file.read()


class Apply(TestCase):
    def setUp(self):
        self.skip_if_memory_is_not_watched()
        self.program = self.compile("moved", "-g", "-fopenmp", "-I" + PROGRAMS, source=read("moved.c"))

    def run_with(self, value, *words, before=None):
        return subprocess.run(words, env=environment(LD_PRELOAD=LIBRARY, NESTBIND_MEMORY=value), capture_output=True,
                              encoding="utf-8", check=False, preexec_fn=before)  # noqa: PLW1509 (no threads here)

    @unittest.skipUnless(HAS_ONE_NODE, "there are nodes to move memory to")
    def test_one_node_is_told_in_a_line(self):
        process = self.run_with("apply,min=8M,always", self.program, "shared", "0.5")
        self.assertStatus(process, 3)
        self.assertRegex(process.stdout, r"\Apages \d+ \d+ \d+ \d+ local 0.0 policy 0\n\Z")
        self.assertRegex(process.stderr, r"\Anestbind memory: \S+moved, process \d+: nothing is moved: this machine has one node\n\Z")

    @unittest.skipUnless(HAS_ONE_NODE, "there are nodes to move memory to")
    def test_one_node_as_json_in_a_file(self):
        report = os.path.join(self.folder, "report")
        process = nestbind("run", "--library", LIBRARY, f"--memory=apply,min=8M,json:{report}", "4,scatter", "--", self.program,
                           "parts", "0.5")
        self.assertStatus(process, 3)
        self.assertNotIn("memory", process.stderr)
        with open(report, encoding="utf-8") as file:
            told = json.load(file)["apply"]
        self.assertEqual((told["circumstances"], told["done"], told["nodes"]), ("this machine has one node", None, [0]))
        self.assertEqual(told["least"], 8 << 20)

    def test_small_programs_tell_nothing(self):
        for value in ("apply", "apply,always,every=100ms"):
            process = self.run_with(value, self.program, "parts", "0.3")  # 16 MiB, and the default is 64
            self.assertStatus(process, 3)
            self.assertEqual(process.stderr, "")
        self.assertEqual(self.run_with("apply", "true").stderr, "")

    def test_status_and_contents_are_the_program_s(self):
        for name in ("churn", "leave", "good", "file"):
            self.assertStatus(self.run_with("apply,always,min=1M,every=100ms", self.program, name, "1"), 3)
        self.assertEqual(self.run_with("apply,always", "sh", "-c", "kill -TERM $$").returncode, -signal.SIGTERM)

    def test_little_address_space(self):
        import resource
        for limit in (220 << 20, 300 << 20, 400 << 20):
            def narrow(limit=limit):
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
            self.assertStatus(self.run_with("apply,always,min=1M,every=100ms", self.program, "shared", "0.5", before=narrow), 3)

    def test_descriptors_and_signals_are_left_alone(self):
        program = self.compile("closing", source=r"""
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  for (int i = 3; i < 4096; ++i) close(i);
  char* p = malloc(32 << 20);
  memset(p, 1, 32 << 20);
  sleep(1);
  return p[12345] == 1 ? 4 : 1;
}""")
        self.assertStatus(self.run_with("apply,always,min=1M,every=100ms", program), 4)

    def test_bad_wishes(self):
        for value, expected in (("apply,every=1h", "column 13: not a time, expected a time from 100ms to 3600s"),
                                ("apply,seconds=3", "column 7: not an option of this word, expected every, min, always or json"),
                                ("advise,always", "column 8: not an option of this word, expected min, seconds or json"),
                                ("apply,min=x", "column 11: not a size")):
            process = nestbind("run", "--library", LIBRARY, f"--memory={value}", "2,scatter", "--", "true")
            self.assertStatus(process, 2)
            self.assertIn(f"--memory: {expected}", process.stderr)
        process = self.run_with("apply,every=", "true")
        self.assertStatus(process, 0)
        self.assertIn("it is ignored: memory is not watched", process.stderr)

    def test_help_names_it(self):
        self.assertIn("=apply[,every=1s]", " ".join(nestbind("run", "--help").stdout.split()))


if __name__ == "__main__":
    unittest.main()
