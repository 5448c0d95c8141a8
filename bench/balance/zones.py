#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the times of zones of unequal size in nested teams (../multi_zone.c) on this machine. nestbind_balance() gives zones to teams,
and a schedule gives the strips of the zones to threads. Writes a table of ../BALANCE.md."""

import csv
import datetime
import io
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
NAME = "balance-zones.csv"
TEAMS = ("2x1", "1x2")  # number of teams x threads of each team
VARIANTS = (("fixed", "static"), ("fixed", "dynamic"), ("fixed", "hybrid"), ("fixed", "balanced"), ("balanced", "static"),
            ("balanced", "balanced"))
# These variants need several nodes.
FOLLOWING = (("following", "static"), ("following", "balanced"))
OWN = ("static", "dynamic")
QUANTITIES = ("p10_us", "zones_moved", "teams", "threads")
STEPS = 300
SEED = 6


def compiled(build, work):
    work.mkdir(parents=True, exist_ok=True)
    program = work / "multi_zone"
    library = build.resolve() / "lib"
    subprocess.run(["gcc", "-std=gnu11", "-fopenmp", "-O2", f"-I{BENCH.parent / 'include'}", BENCH / "multi_zone.c", "-o", program,
                    f"-L{library}", f"-Wl,-rpath,{library}", "-lnestbind", "-lm"], check=True)
    return program


def settings(schedule):
    """Returns the variables that set the schedule. The schedule dynamic,1 in the results means that libnestbind is not loaded."""
    return {"OMP_SCHEDULE": schedule} if schedule in OWN else {"OMP_SCHEDULE": "dynamic,1", "NESTBIND_SCHEDULE": schedule}


def result(output):
    return next(csv.DictReader(io.StringIO(output)))


def measured(program, shape, zones, schedule):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "NESTBIND_", "GOMP_"))}
    teams, threads = shape.split("x")
    environment |= settings(schedule) | {"OMP_NESTING_TEAM_SIZE": f"{teams},scatter,{threads},subcompact", "NESTBIND_QUIET": "1"}
    done = subprocess.run([program, zones, teams, threads, str(STEPS)], env=environment, capture_output=True, text=True, check=True, timeout=120)
    return result(done.stdout)


def write_table(results):
    title, rows = cells.read_runs(results / NAME)
    lines = []
    for zones, schedule in VARIANTS:
        line = [zones, f"`{schedule}`"]
        for shape in TEAMS:
            found = [row for row in rows if (row["teams_x_threads"], row["zones"], row["schedule"]) == (shape, zones, schedule)]
            time, moved, largest = (statistics.median(float(row[key]) for row in found) for key in ("p10_us", "zones_moved", "threads"))
            line.append(f"{time:.0f} us, {largest:.2f}" + (f", {moved:.0f} moved" if zones == "balanced" else ""))
        lines.append(line)
    heading = ["zones", "strips", *(f"{shape}: step, largest work / mean" for shape in TEAMS)]
    documents.put(DOCUMENT, {"balance-zones": f"{title}.\n\n" + table(heading, lines)})


def main():
    parser = arguments.parser(__doc__, 9)
    options = parser.parse_args()
    if not options.tables:
        program = compiled(options.build, options.work)
        order = random.Random(SEED)
        rows = []
        sums = set()
        for number in range(options.rounds):
            for shape, (zones, schedule) in order.sample(runs := [(shape, way) for shape in TEAMS for way in VARIANTS], len(runs)):
                row = measured(program, shape, zones, schedule)
                sums.add(row["sum"])
                rows.append([shape, zones, schedule, number, *(row[key] for key in QUANTITIES)])
        if len(sums) != 1:
            sys.exit(f"the sums differ: {sorted(sums)}")
        title = (f"{datetime.date.today()}, teams x threads on two processors, libgomp, 64 zones, {STEPS} steps, the 10th percentile of the second "
                 f"half, the median of {options.rounds} processes, interleaved; all sums are the same")
        cells.write_runs(options.results / NAME, title, ("teams_x_threads", "zones", "schedule", "round"), QUANTITIES, rows)
    write_table(options.results)


if __name__ == "__main__":
    main()
