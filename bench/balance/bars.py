#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the costs of balanced loops. For loops of the shape "even", the costs are compared with the schedule `static`. For loops of the
shape "alternating", the costs are compared with the schedule `hybrid`. Writes a table of ../BALANCE.md."""

import csv
import datetime
import os
import pathlib
import random
import statistics
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(BENCH / "balance"), str(BENCH), str(BENCH / "numa")]
import arguments  # noqa: E402
import cells  # noqa: E402
import documents  # noqa: E402
import loops  # noqa: E402
from tables import table  # noqa: E402

DOCUMENT = BENCH / "BALANCE.md"
NAME = "balance-bars.csv"
# With this value of every=, each execution is measured, and the owners of the blocks are never checked.
ALWAYS = "balanced,every=1000000,steal=0"
BARS = (("even", "balanced", "static"), ("even", ALWAYS, "static"), ("alternating", "balanced", "hybrid"))
QUANTITIES = ("p10_us", "median_us", "moved", "readings", "executions")
SEED = 7


def readings(loop, threads):
    # In a measured execution each thread also reads the clock at the beginning and at the end.
    return loop.get("block_runs", 0) + (2 * threads * loop.get("measured", 0) if loop.get("blocks") else 0)


def run(program, shape, schedule, library):
    row, found = loops.ran(program, shape, schedule, library)
    return [row["p10_us"], row["median_us"], sum(loop.get("migrations", 0) for loop in found),
            sum(readings(loop, loops.THREADS) for loop in found), loops.REGIONS + loops.REGIONS // 10 + 1]


def least_reading(build):
    """Returns the smallest time of one clock reading in nanoseconds."""
    done = subprocess.run([build / "bin" / "simulate_balance", "reading", "20"], stdout=subprocess.PIPE, text=True, check=True)
    return min(float(row["nanoseconds"]) for row in csv.DictReader(done.stdout.splitlines()))


def write_table(results):
    title, rows = cells.read_runs(results / NAME)
    nanoseconds = float(title.rpartition(" a reading takes ")[2].split()[0])
    lines = []
    for shape, schedule, other in BARS:
        found, against = ({row["round"]: row for row in rows if (row["shape"], row["schedule"]) == (shape, of)} for of in (schedule, other))
        ratios = {key: statistics.median(float(found[number][key]) / float(against[number][key]) for number in found)
                  for key in ("p10_us", "median_us")}
        best = min(float(row["p10_us"]) for row in found.values()) / min(float(row["p10_us"]) for row in against.values())
        share = max(100 * nanoseconds * float(row["readings"]) / (1000 * float(row["p10_us"]) * float(row["executions"]) * loops.THREADS)
                    for row in found.values())
        moved = sorted(int(row["moved"]) for row in found.values())
        lines.append([shape, f"`{schedule}`", f"`{other}`", *(f"{ratio:.3f}" for ratio in (*ratios.values(), best)), f"{moved[0]} to {moved[-1]}",
                      f"{share:.3f}"])
    heading = ["loop", "schedule", "beside", "10th percentile", "median", "least 10th percentile", "blocks moved", "readings, % of the time"]
    documents.put(DOCUMENT, {"balance-bars": f"{title}.\n\n" + table(heading, lines)})


def main():
    parser = arguments.parser(__doc__, 20)
    parser.add_argument("--beside", type=int, default=1, help="busy processes that run at the same time (1)")
    options = parser.parse_args()
    if not options.tables:
        program = loops.compiled(options.work)
        library = options.build.resolve() / "lib" / "libnestbind.so"
        nanoseconds = least_reading(options.build)
        order = random.Random(SEED)
        ways = sorted({(shape, schedule) for shape, *schedules in BARS for schedule in schedules})
        rows = []
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.beside)]
        try:
            for number in range(options.rounds):
                for shape, schedule in order.sample(ways, len(ways)):
                    rows.append([shape, schedule, number, *run(program, shape, schedule, library)])
        finally:
            for process in busy:
                process.kill()
                process.wait()
        title = (f"{datetime.date.today()}, {loops.THREADS} threads on libgomp, {loops.REGIONS} regions in each of {options.rounds} processes, "
                 f"interleaved, beside {options.beside} that took a processor and others (load {os.getloadavg()[0]:.0f}): the median of the ratios; "
                 f"a reading takes {nanoseconds:.1f} ns")
        cells.write_runs(options.results / NAME, title, ("shape", "schedule", "round"), QUANTITIES, rows)
    write_table(options.results)


if __name__ == "__main__":
    main()
