# SPDX-License-Identifier: BSD-3-Clause
"""`nestbind run --memory=apply` must interleave memory that several nodes share, and no other memory (../programs/moved.c)."""

import json
import os
import re
import shlex
import subprocess

from planted import imbalance
from scanned import HUGE, PATIENCE, PROGRAMS, SECONDS

SCANS = (30, 8)  # a program ends after 30 scans of the kernel, or after 8 if its pages stay on the right nodes
SMALL = 16       # mebibytes
PREFIX = "moved-"  # begins a program's name
FEW_SCANS = 6
DEFAULT, INTERLEAVE = 0, 3  # MPOL_* of linux/mempolicy.h
# Each case has the program's arguments. It may also have shell commands that run before the program.
CASES = {
    "shared": (["shared", SECONDS, SMALL, *SCANS], ""),
    "parts": (["parts", SECONDS, SMALL, *SCANS], ""),
    "pca": (["pca", SECONDS, SMALL, *SCANS], ""),
    "good": (["good", SECONDS, SMALL, FEW_SCANS], ""),
    "bound": (["bound", 8], ""),
    "replace": (["replace", SECONDS, SMALL, FEW_SCANS], ""),
    "churn": (["churn", 8], ""),
    "unbalanced": (["shared", 1], "echo 0 >/proc/sys/kernel/numa_balancing\n"),
}
USUAL = ("shared", "parts")


def faults(name, result):
    """Returns the faults of a program's result, and the text to print about it."""
    if result is None:
        return ["it was not run, or the guest ended before it"], ""
    status, output, errors = result
    wrong = [] if status == 3 else [f"status {status}"]
    found = re.search(r"pages (\d+) (\d+) (\d+) (\d+) local (\S+) policy (\d+) even since (-?\d+)", output)
    pages = [int(number) for number in found.groups()[:4]] if found else []
    local = float(found.group(5)) if found else 0
    policy = int(found.group(6)) if found else None
    lines = [line for line in errors.splitlines() if line.startswith('{"memory"')]
    told = json.loads(lines[-1])["memory"] if lines else None
    applied = told["applied"] if told else None
    shown = f"pages {pages}, local {local}, imbalance {imbalance(pages):.1f}, policy {policy}, even since scan {found.group(6)}" if pages else output.strip()
    if told:
        shown += f"; told: hints {told['hints']}, unclear {told['unclear']}, lost {told['lost']}, {len(applied)} interleaved"
    if name == "shared":
        # If the kernel's own balancing has spread the pages before, nestbind has nothing to do.
        if not pages or imbalance(pages) > 20:
            wrong.append("it is not balanced")
        if applied and policy != INTERLEAVE:
            wrong.append("it has no policy")
    if name in ("parts", "good") and (local < 95 or policy != DEFAULT or applied):
        wrong.append("it is not local, or was interleaved")
    if name == "bound" and (applied or (pages and pages[1] != sum(pages))):
        wrong.append("the program's own policy was not kept")
    if name == "unbalanced" and told and "sysctl kernel.numa_balancing=1" not in told["circumstances"]:
        wrong.append("the administrator's line is missing")
    return wrong + ([output + errors] if wrong else []), shown


class Applied:
    """The chosen programs, as jobs of a boot."""

    def __init__(self, tree, folder, settings):
        self.settings = settings  # shell commands that set the kernel's scans
        self.program = os.path.join(folder, "moved")
        self.command = os.path.join(tree, "bin", "nestbind")
        self.names = []
        subprocess.run(["gcc", "-g", "-O1", "-fopenmp", os.path.join(PROGRAMS, "moved.c"), "-o", self.program], check=True)

    def files(self):
        return [self.program, self.command], []

    def add(self, boot, is_wanted, alone):
        for name, (words, setting) in CASES.items():
            if is_wanted(PREFIX + name):
                group = None if alone else setting
                line = [self.command, "run", "--memory=apply,min=8M,json", "4,scatter", "--", self.program, *map(str, words)]
                boot.add(PREFIX + name, HUGE.format("never") + self.settings + "export OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive\n" + setting +
                         shlex.join(line), PATIENCE, group)
                self.names.append(name)

    def judge(self, boot):
        """Returns a name, the faults, and a text to print for each program."""
        return [(PREFIX + name, *faults(name, boot.result(PREFIX + name))) for name in self.names]
