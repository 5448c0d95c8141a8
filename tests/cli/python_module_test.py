# SPDX-License-Identifier: BSD-3-Clause
"""Python's module must agree with the header, and return the same places as the C function."""
import ast
import os
import sys
import unittest

from support import COMMAND, INCLUDE, LIBRARY, ROOT, TestCase, nestbind

# A library for ctypes.
TEAM = r"""
#include <nestbind/nestbind.h>
unsigned long size(void) { return sizeof(struct nestbind_place); }
int logical(void) {
  struct nestbind_place place;
  return nestbind_get_place(&place) == 0 ? place.numa_logical : -2;
}
void team(void (*call)(void)) {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    call();
  }
}
"""

SCRIPT = """
import ctypes, sys, nestbind
team = ctypes.CDLL(sys.argv[1])
found = []
def call():
    place = nestbind.place()
    found.append((place.path, place.pinned, place.core, place.numa, place.numa_logical == team.logical()))
team.team(ctypes.CFUNCTYPE(None)(call))
print((team.size() == ctypes.sizeof(nestbind._Place), sorted(found), nestbind.place(), nestbind.get()))
"""


REPORTS = """
import ctypes, os, sys, nestbind
team = ctypes.CDLL(sys.argv[1])
found = []
team.team(ctypes.CFUNCTYPE(None)(lambda: found.append(nestbind.report())))
whole = found[-1]
print((whole["process"] == os.getpid(), whole["spec"], sorted((one["path"], one["planned"] == one["allowed"]) for one in whole["threads"] if one["path"])))
try:
    nestbind.report(2 ** 22 + 1)
except LookupError:
    print("no such process")
"""


class Module(TestCase):
    def test_report(self):
        team = self.compile("team.so", "-fopenmp", "-shared", "-fPIC", "-I" + INCLUDE, LIBRARY, source=TEAM)
        done = nestbind("run", "2,scatter", "--", sys.executable, "-c", REPORTS, team,
                        env={"PYTHONPATH": os.path.join(ROOT, "packaging", "python"), "NESTBIND_QUIET": "1",
                             "PATH": os.path.dirname(COMMAND) + ":" + os.environ["PATH"]})
        self.assertStatus(done, 0)
        told, missing = done.stdout.splitlines()
        self.assertEqual((ast.literal_eval(told), missing), ((True, "2,scatter", [([0], True), ([1], True)]), "no such process"))

    def test_places(self):
        team = self.compile("team.so", "-fopenmp", "-shared", "-fPIC", "-I" + INCLUDE, LIBRARY, source=TEAM)
        done = nestbind("run", "--machine", "pack:2 [numa] core:2 pu:1", "2,scatter", "--", sys.executable, "-c", SCRIPT, team,
                        env={"PYTHONPATH": os.path.join(ROOT, "packaging", "python"), "NESTBIND_QUIET": "1"})
        self.assertStatus(done, 0)
        self.assertEqual(ast.literal_eval(done.stdout),
                         (True, [((0,), True, 0, 0, True), ((1,), True, 2, 1, True)], None, "2,scatter"))


if __name__ == "__main__":
    unittest.main()
