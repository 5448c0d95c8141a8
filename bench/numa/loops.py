#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts how many memory accesses of a loop are local. Compares the runtimes' schedules with nestbind's schedules, in the NUMA guest."""

import os
import sys
from collections import defaultdict

import common
import counted
import documents
import tables
from common import cells

THREADS = 16
ELEMENTS = 16 * 512 * 64  # 64 pages of each array for each thread
REPETITIONS = 16           # the second half is counted
SECONDS = 300
SHAPES = ("even", "uneven")
NAME = "numa-loops.csv"
DOCUMENT = common.BENCH / "schedules" / "README.md"
OWN = ("static", "dynamic,8", "guided")
OURS = ("hybrid,f=0,chunk=8", "hybrid,f=0.5,chunk=8", "hybrid,f=0.75,chunk=8", "hybrid", "hybrid,f=0.5,chunk=8,queue=numa",
        "hybrid,f=0.5,chunk=8,queue=all")
# Waiting threads sleep with every schedule, because a spinning thread would take an emulated processor from working threads.
WAITING = {"OMP_WAIT_POLICY": "passive"}
SPECIFICATION = f"{THREADS},scatter"


def variants(runtime, build):
    bound = common.bound(build, SPECIFICATION) | WAITING
    for schedule in OWN + (("static_steal",) if runtime == "libomp" else ()):
        yield schedule, bound | {"OMP_SCHEDULE": schedule}
    for schedule in OURS:
        yield schedule, bound | {"NESTBIND_SCHEDULE": schedule, "OMP_SCHEDULE": "dynamic,1"}


def load():
    return ", ".join(f"{value:.1f}" for value in os.getloadavg())


def write_table(results):
    """Writes the table of local accesses (in per cent, over all rounds) into the document."""
    title, rows = cells.read_runs(results / NAME)
    found = defaultdict(list)
    for row in rows:
        found[row["runtime"], row["variant"], row["shape"]].append(row)
    names = dict.fromkeys((runtime, variant) for runtime, variant, _ in found)
    lines = [[runtime, f"`{variant}`"] + [tables.cell(found[runtime, variant, shape], "array_local_percent") for shape in SHAPES]
             for runtime, variant in names]
    documents.put(DOCUMENT, {"loops-counted": title + ".\n\n" + tables.table(["local, %", "", *SHAPES], lines)})


def main():
    parser = common.arguments(__doc__, rounds=3)
    parser.add_argument("--tables", action="store_true", help="only make the table, from the recorded figures")
    parser.add_argument("--runtime", choices=("libgomp", "libomp"), help="count only on this runtime")
    options = parser.parse_args()
    if options.tables:
        write_table(options.results)
        return
    work = options.work / "loops"
    work.mkdir(parents=True, exist_ok=True)
    programs = common.compiled("loop_locality", work)
    runs = {}
    missing = 0
    for number in range(options.rounds):
        boot = counted.Boot(work, options.cache)
        boot.need(*programs.values(), *common.library_files(options.build))
        for runtime, program in programs.items():
            for shape in SHAPES:
                for name, settings in variants(runtime, options.build):
                    if options.runtime in (None, runtime):
                        boot.add((runtime, shape, name, number), settings, [program, shape, THREADS, ELEMENTS, REPETITIONS])
        found = boot.run(SECONDS)
        runs.update(found)
        missing += len(boot.jobs) - len(found)
        title = (f"{common.heading()}; {THREADS} threads by `{SPECIFICATION}`, -O2, {ELEMENTS} elements in each of two arrays, "
                 f"{REPETITIONS // 2} counted passes, {common.number_of_rounds(number + 1)}; load average of the host {load()}")
        common.write_summary(options.results / NAME, runs, title)
        write_table(options.results)
    if missing:
        sys.exit(f"{missing} runs failed")


if __name__ == "__main__":
    main()
