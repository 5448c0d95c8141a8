#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""NESTBIND_MEMORY=apply on a NUMA machine: memory that lies wrong is moved while it is used (../programs/moved.c), and what may
not be moved is not.

usage: apply.py FOLDER     FOLDER: a build tree with the libraries

The program itself asks the kernel where its pages are in the end, and looks at each number that is in them. Nothing is timed.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys

import path
from boot import Boot, GuestSkipped
from memory import BALANCED, BOUND, HUGE, MACHINE, PATIENCE, PROGRAMS

SCANS = 20  # of the kernel's, until a program ends: a tenth of its memory is moved in a second at most
SECONDS = 200  # and then, should they not come
ALWAYS = "apply,every=500ms,min=8M,always,json"
SOON = ALWAYS.replace("500ms", "100ms")
SMALL = 16  # mebibytes
FEW_SCANS = 5
# Name: the program's words, the variable, and what is set before; where that is for the whole kernel, those with the same run at once.
CASES = {
    "shared": (["shared", SECONDS, SMALL, SCANS], ALWAYS, ""),
    "two": (["two", SECONDS, SMALL, SCANS], ALWAYS, ""),
    "parts": (["parts", SECONDS, SMALL, SCANS], ALWAYS, ""),
    "pca": (["pca", SECONDS, SMALL, SCANS], ALWAYS, ""),
    "good": (["good", SECONDS, SMALL, FEW_SCANS], ALWAYS, ""),
    "unsaid": (["shared", SECONDS, SMALL, FEW_SCANS], "apply,min=8M,json", ""),
    "bound": (["bound", 8], ALWAYS, ""),
    "locked": (["locked", SECONDS, SMALL, FEW_SCANS], ALWAYS, ""),
    "file": (["file", SECONDS, SMALL, FEW_SCANS], ALWAYS, ""),
    "replace": (["replace", SECONDS, SMALL, FEW_SCANS], SOON, ""),
    "churn": (["churn", 8], SOON, ""),
    "leave": (["leave", SECONDS, SMALL, FEW_SCANS], SOON, ""),
    "limited": (["shared", SECONDS, SMALL, FEW_SCANS], ALWAYS, "ulimit -v 400000\n"),
    "huge-two": (["two", SECONDS, 64, SCANS], ALWAYS, HUGE.format("always")),
    "huge-parts": (["parts", SECONDS, 64, SCANS], ALWAYS, HUGE.format("always")),
    "unbalanced": (["shared", 1], ALWAYS, "echo 0 >/proc/sys/kernel/numa_balancing\n"),
}


def imbalance(numbers):
    mean = sum(numbers) / len(numbers)
    return 100 * (sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)) ** 0.5 / mean


def faults(name, result):
    """What is wrong with what became of a program, and what is to be printed of it."""
    if result is None:
        return ["it was not run, or the guest ended before it"], ""
    status, output, errors = result
    wrong = [] if status == 3 else [f"status {status}"]
    found = re.search(r"pages (\d+) (\d+) (\d+) (\d+) local (\S+)", output)
    pages = [int(number) for number in found.groups()[:4]] if found else []
    local = float(found.group(5)) if found else 0
    lines = [line for line in errors.splitlines() if line.startswith('{"apply"')]
    told = json.loads(lines[-1])["apply"] if lines else None
    done = told["done"] if told else None
    shown = f"pages {pages}, local {local}, imbalance {imbalance(pages):.1f}" if pages else output.strip()
    if done:
        shown += (f"; told: {done['pages']} moved in {done['intervals']} intervals, {done['scans']} scans, "
                  f"{done['before']['local']}/{done['before']['imbalance']} -> {done['after']['local']}/{done['after']['imbalance']}, "
                  f"left {[left['why'] for left in done['left']][:4]}")
        shown += f", {100 * told['sampler_seconds'] / told['seconds']:.1f} % of a processor"
    # What all use the kernel's own balancing has mixed before the third scan. The rules leave it so up to 35.
    if name == "shared" and (not pages or imbalance(pages) > (7 if done and done["before"]["imbalance"] > 35 else 35)):
        wrong.append("it is not balanced")
    # What two nodes of four use stays on these two.
    if name in ("two", "huge-two") and (not pages or imbalance(pages) > 7 or not done or done["before"]["imbalance"] < 80):
        wrong.append("it was not unbalanced, or is so still")
    # A huge page where two parts meet is one's own only.
    if name in ("parts", "huge-parts", "good") and local < (90 if name == "huge-parts" else 95):
        wrong.append("it is not local")
    if name == "pca" and (local < 80 or imbalance(pages) > (20 if done and done["before"]["imbalance"] > 35 else 35)):
        wrong.append("it is neither local nor balanced")
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--only", action="append", default=[], help=f"{', '.join(CASES)}; repeatable")
    parser.add_argument("--cache", default=os.path.join(os.path.dirname(path.TESTS), "build", "guest"))
    arguments = parser.parse_args()
    tree = os.path.abspath(arguments.folder)
    folder = os.path.join(tree, "guest-suite", "apply")
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "moved")
    subprocess.run(["gcc", "-g", "-O1", "-fopenmp", os.path.join(PROGRAMS, "moved.c"), "-o", program], check=True)
    boot = Boot(MACHINE, os.path.join(folder, "results"), arguments.cache)
    boot.need(program, os.path.join(tree, "lib"))
    listed = subprocess.run(["ldd", program], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    boot.need(*sorted(set(re.findall(r"=> (/\S+)", listed))))
    library = os.path.join(tree, "lib", "libnestbind.so")
    names = [name for name in CASES if not arguments.only or name in arguments.only]
    for name in names:
        words, value, setting = CASES[name]
        boot.add(name, HUGE.format("never") + BALANCED + BOUND + setting +
                 f"LD_PRELOAD={library} NESTBIND_MEMORY={value} " + shlex.join([program, *map(str, words)]), PATIENCE, setting if "echo" in setting else "")
    failed = 0
    try:
        boot.run(60)
    except GuestSkipped as reason:
        print(reason)
        return 77
    for name in names:
        wrong, shown = faults(name, boot.result(name))
        failed += 1 if wrong else 0
        print(("FAIL  " if wrong else "ok    ") + name + (f": {shown}" if shown else "") +
              "".join("\n      " + text for text in wrong), flush=True)
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
