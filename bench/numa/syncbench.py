#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs nested syncbench in the NUMA guest. Counts the cache lines that go between nodes in PARALLEL, BARRIER and REDUCTION of
inner teams."""

import csv
import io
import sys

import common
import counted
from common import cells

SHAPES = ("4x4", "8x2", "2x8")
REPETITIONS = 100
SECONDS = 300
NATIVE = {"OMP_PROC_BIND": "spread,close", "OMP_PLACES": "cores"}
# Waiting threads sleep, because the number of reads of a spinning thread depends on the emulation.
SETTINGS = {"libgomp": {"OMP_WAIT_POLICY": "passive"},
            "libomp": {"OMP_WAIT_POLICY": "passive", "KMP_HOT_TEAMS_MAX_LEVEL": "2"}}
QUANTITIES = ("repetitions", "transfers", "transfers_without")


def variants(runtime, shape, build):
    outer, inner = shape.split("x")
    bound = common.bound(build, f"{outer},scatter,{inner},subcompact")
    yield "bound", bound
    if runtime == "libgomp":
        yield "bound, new workers", bound | {"NESTBIND_WORKERS": "fresh"}
    yield "unbound", {}
    yield "OMP_PROC_BIND=spread,close", NATIVE


def rows_of(output, transfers):
    """Yields each construct and its QUANTITIES."""
    parts = list(csv.DictReader(io.StringIO(output)))
    if len(parts) != len(transfers):
        raise ValueError(f"{len(parts)} parts, {len(transfers)} of them counted")
    for number in range(0, len(parts), 2):
        full = parts[number + 1]
        yield full["construct"], int(full["repetitions"]), transfers[number + 1], transfers[number]


def main():
    options = common.arguments(__doc__, rounds=3).parse_args()
    work = options.work / "syncbench"
    work.mkdir(parents=True, exist_ok=True)
    programs = common.compiled("nested_syncbench_count", work)
    rows = []
    missing = 0
    for number in range(options.rounds):
        boot = counted.Boot(work, options.cache, with_lines=True)
        boot.need(*programs.values(), *common.library_files(options.build))
        for runtime, program in programs.items():
            for shape in SHAPES:
                run = [program, *shape.split("x"), REPETITIONS]
                for name, settings in variants(runtime, shape, options.build):
                    boot.add((runtime, shape, name, number), SETTINGS[runtime] | settings, run)
        found = boot.run(SECONDS)
        missing += len(boot.jobs) - len(found)
        for key, (_, output) in found.items():
            rows += [(*key, *row) for row in rows_of(output, boot.transfers[key])]
        write(options.results / "numa-syncbench.csv", rows, number + 1)
    if missing:
        sys.exit(f"{missing} runs failed")


def write(path, rows, rounds):
    title = (f"{common.heading()}; nested syncbench, -O2, {REPETITIONS} repetitions of each construct, "
             f"{common.number_of_rounds(rounds)}")
    cells.write_runs(path, title, common.KEY + ("construct",), QUANTITIES, rows)


if __name__ == "__main__":
    main()
