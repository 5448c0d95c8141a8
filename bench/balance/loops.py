#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Measures regions with one uneven loop on two processors, with libgomp's schedules and with nestbind's. Also counts how many blocks have
moved. The loads are the same in each region, or change from region to region. Writes a table of ../BALANCE.md."""

import csv
import datetime
import io
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(BENCH), str(BENCH / "numa")]
import arguments  # noqa: E402
import cells  # noqa: E402
import documents  # noqa: E402
from tables import table  # noqa: E402

DOCUMENT = BENCH / "BALANCE.md"
NAME = "balance-loops.csv"
SHAPES = ("hot", "hotcache", "even", "alternating")
OWN = ("static", "dynamic,8", "guided")
OURS = ("hybrid", "balanced", "balanced,steal=0")
THREADS, REGIONS = 2, 300
SEED = 5


def compiled(work):
    work.mkdir(parents=True, exist_ok=True)
    program = work / "loop_shapes"
    subprocess.run(["gcc", "-std=gnu11", "-fopenmp", "-O2", BENCH / "loop_shapes.c", "-o", program], check=True)
    return program


def ran(program, shape, schedule, library):
    """Returns the program's output, and the report on its loops."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "NESTBIND_", "GOMP_"))}
    environment |= {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
    if schedule in OWN:
        environment["OMP_SCHEDULE"] = schedule
    else:
        # The schedule dynamic,1 in the results means that libnestbind is not loaded.
        environment |= {"OMP_SCHEDULE": "dynamic,1", "NESTBIND_SCHEDULE": schedule, "NESTBIND_REPORT": "json", "LD_PRELOAD": str(library)}
    done = subprocess.run([program, "--csv", shape, str(THREADS), str(REGIONS)], env=environment, capture_output=True, text=True, check=True,
                          timeout=120)
    row = next(csv.DictReader(io.StringIO(done.stdout)))
    return row, [loop for line in done.stderr.splitlines() if '"loops"' in line for loop in json.loads(line)["loops"]]


def measured(program, shape, schedule, library):
    """Returns the 10th percentile of the regions' times, and how many blocks have moved."""
    row, found = ran(program, shape, schedule, library)
    return float(row["p10_us"]), sum(loop.get("migrations", 0) for loop in found)


def write_table(results):
    title, rows = cells.read_runs(results / NAME)
    lines = []
    for shape in SHAPES:
        line = [shape]
        for schedule in OWN + OURS:
            found = [row for row in rows if (row["shape"], row["schedule"]) == (shape, schedule)]
            moved = [int(row["moved"]) for row in found]
            line.append(f"{statistics.median(float(row['p10_us']) for row in found):.1f}" +
                        (f" ({min(moved)} to {max(moved)})" if schedule.startswith("balanced") else ""))
        lines.append(line)
    documents.put(DOCUMENT, {"balance-timed": f"{title}.\n\n" + table(["loop", *OWN, *OURS], lines)})


def main():
    parser = arguments.parser(__doc__, 20)
    options = parser.parse_args()
    if not options.tables:
        program = compiled(options.work)
        library = options.build.resolve() / "lib" / "libnestbind.so"
        order = random.Random(SEED)
        rows = []
        for number in range(options.rounds):
            for shape in order.sample(SHAPES, len(SHAPES)):
                for schedule in order.sample(OWN + OURS, len(OWN + OURS)):
                    time, moved = measured(program, shape, schedule, library)
                    rows.append([shape, schedule, number, f"{time:.3f}", moved])
        title = (f"{datetime.date.today()}, {THREADS} threads on libgomp, {REGIONS} regions in each process, the median of "
                 f"{options.rounds} processes, interleaved; blocks moved: the fewest and the most of a process")
        cells.write_runs(options.results / NAME, title, ("shape", "schedule", "round"), ("p10_us", "moved"), rows)
    write_table(options.results)


if __name__ == "__main__":
    main()
