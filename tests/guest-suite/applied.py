# SPDX-License-Identifier: BSD-3-Clause
"""NESTBIND_MEMORY=apply: memory that lies wrong is moved while it is used (../programs/moved.c), and what may not be moved is
not. The program itself asks the kernel where its pages are in the end, and looks at each number that is in them."""

import json
import os
import re
import shlex
import subprocess

from scanned import BALANCED, BOUND, HUGE, PATIENCE, PROGRAMS, SECONDS

# Of the kernel's, until a program ends: a tenth of its memory is moved in a second at most. Sooner, where it has settled behind a
# few: what is not well in the end has not settled behind many, or has come undone.
SCANS = (60, 8)
ALWAYS = "apply,every=500ms,min=8M,always,json"
SOON = ALWAYS.replace("500ms", "100ms")
SMALL = 16  # mebibytes
PREFIX = "moved-"  # of a program's name
FEW_SCANS = 5
DEFAULT, INTERLEAVE = 0, 3  # MPOL_* of linux/mempolicy.h
# Name: the program's words, the variable, and what is set before; where that is for the whole kernel, those with the same run at once.
CASES = {
    "shared": (["shared", SECONDS, SMALL, *SCANS], ALWAYS, ""),
    "two": (["two", SECONDS, SMALL, *SCANS], ALWAYS, ""),
    "again": (["again", SECONDS, SMALL, 4 * SCANS[0]], SOON, ""),
    "parts": (["parts", SECONDS, SMALL, *SCANS], ALWAYS, ""),
    "pca": (["pca", SECONDS, SMALL, *SCANS], ALWAYS, ""),
    "good": (["good", SECONDS, SMALL, FEW_SCANS], ALWAYS, ""),
    "unsaid": (["shared", SECONDS, SMALL, FEW_SCANS], "apply,min=8M,json", ""),
    "bound": (["bound", 8], ALWAYS, ""),
    "locked": (["locked", SECONDS, SMALL, FEW_SCANS], ALWAYS, ""),
    "file": (["file", SECONDS, SMALL, FEW_SCANS], ALWAYS, ""),
    "replace": (["replace", SECONDS, SMALL, FEW_SCANS], SOON, ""),
    "churn": (["churn", 8], SOON, ""),
    "leave": (["leave", SECONDS, SMALL, FEW_SCANS], SOON, ""),
    "limited": (["shared", SECONDS, SMALL, FEW_SCANS], ALWAYS, "ulimit -v 400000\n"),
    "huge-two": (["two", SECONDS, 64, *SCANS], ALWAYS, HUGE.format("always")),
    "huge-parts": (["parts", SECONDS, 64, *SCANS], ALWAYS, HUGE.format("always")),
    "unbalanced": (["shared", 1], ALWAYS, "echo 0 >/proc/sys/kernel/numa_balancing\n"),
}
# Without --all: what is dealt and stays so, under a policy; what goes to its users, under none; and what has a policy of its own.
USUAL = ("two", "parts", "bound")


def imbalance(numbers):
    mean = sum(numbers) / len(numbers)
    return 100 * (sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)) ** 0.5 / mean


def faults(name, result):
    """What is wrong with what became of a program, and what is to be printed of it."""
    if result is None:
        return ["it was not run, or the guest ended before it"], ""
    status, output, errors = result
    wrong = [] if status == 3 else [f"status {status}"]
    found = re.search(r"pages (\d+) (\d+) (\d+) (\d+) local (\S+) policy (\d+)", output)
    pages = [int(number) for number in found.groups()[:4]] if found else []
    local = float(found.group(5)) if found else 0
    policy = int(found.group(6)) if found else None
    lines = [line for line in errors.splitlines() if line.startswith('{"apply"')]
    told = json.loads(lines[-1])["apply"] if lines else None
    done = told["done"] if told else None
    shown = f"pages {pages}, local {local}, imbalance {imbalance(pages):.1f}, policy {policy}" if pages else output.strip()
    if done:
        shown += (f"; told: {done['pages']} moved in {done['intervals']} intervals, {done['scans']} scans, "
                  f"{done['before']['local']}/{done['before']['imbalance']} -> {done['after']['local']}/{done['after']['imbalance']}, "
                  f"left {[left['why'] for left in done['left']][:4]}")
        shown += f", {100 * told['sampler_seconds'] / told['seconds']:.1f} % of a processor"
    # What all use the kernel's own balancing has mixed before the third scan. The rules leave it so up to 35.
    if name == "shared" and (not pages or imbalance(pages) > (7 if done and done["before"]["imbalance"] > 35 else 35)):
        wrong.append("it is not balanced")
    # What two nodes of four use alone is dealt to all four, by the published rules; and stays there, since it has a policy.
    if name in ("two", "huge-two") and (not pages or imbalance(pages) > 7 or not done or done["before"]["imbalance"] < 80):
        wrong.append("it was not unbalanced, or is so still")
    # A huge page where two parts meet is one's own only.
    if name in ("parts", "huge-parts", "good") and local < (90 if name == "huge-parts" else 95):
        wrong.append("it is not local")
    if name == "pca" and (local < 80 or imbalance(pages) > (20 if done and done["before"]["imbalance"] > 35 else 35)):
        wrong.append("it is neither local nor balanced")
    if name in ("two", "huge-two") and policy != INTERLEAVE:
        wrong.append("it has no policy")
    if name in ("parts", "huge-parts", "good", "unsaid") and policy != DEFAULT:
        wrong.append("it has a policy")
    if name == "again" and (not found or "changes 3" not in output or policy != INTERLEAVE):
        wrong.append("it was not looked at anew")
    # What each uses alone the kernel's own balancing may have brought there before.
    if name in ("two", "huge-two") and (not done or done["pages"] == 0):
        wrong.append("nothing was moved")
    if name in ("good", "unsaid", "bound", "locked") and (not done or done["pages"] != 0):
        wrong.append("something was moved, or nothing told")
    if name in ("bound", "locked") and done and [left["why"] for left in done["left"]] != ["policy" if name == "bound" else "locked"]:
        wrong.append("why is not told")
    if name == "bound" and pages and pages[1] != sum(pages):
        wrong.append("the program's own policy was not kept")
    if name == "file" and told:
        wrong.append("shared memory was told of")
    if name == "unbalanced" and (not told or done is not None or "sysctl kernel.numa_balancing=1" not in told["circumstances"]):
        wrong.append("the administrator's line is not told")
    return wrong + ([output + errors] if wrong else []), shown


class Applied:
    """The programs that are chosen, as jobs of a boot."""

    def __init__(self, tree, folder):
        self.program = os.path.join(folder, "moved")
        self.library = os.path.join(tree, "lib", "libnestbind.so")
        self.names = []
        subprocess.run(["gcc", "-g", "-O1", "-fopenmp", os.path.join(PROGRAMS, "moved.c"), "-o", self.program], check=True)

    def files(self):
        """Whose libraries are needed, and what else is."""
        return [self.program], []

    def add(self, boot, is_wanted, alone):
        for name, (words, value, setting) in CASES.items():
            if is_wanted(PREFIX + name):
                group = None if alone else setting if "echo" in setting else ""
                boot.add(PREFIX + name, HUGE.format("never") + BALANCED + BOUND + setting +
                         f"LD_PRELOAD={self.library} NESTBIND_MEMORY={value} " + shlex.join([self.program, *map(str, words)]),
                         PATIENCE, group)
                self.names.append(name)

    def judge(self, boot):
        """(name, what is wrong, what is to be printed) of each."""
        return [(PREFIX + name, *faults(name, boot.result(PREFIX + name))) for name in self.names]
