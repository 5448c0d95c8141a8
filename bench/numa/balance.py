#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures balanced loops and balanced zones in the NUMA guest. In the loop, the first sixteenth of the iterations takes four times as
long. The zones have unequal sizes, and run in nested teams. Counts the memory accesses to each node and the work of each thread. Also
counts the blocks and zones that have moved."""

import json
import re
import statistics
import sys

import common
import counted
import documents
import tables
from common import cells

sys.path.append(str(common.BENCH / "balance"))
import zones  # noqa: E402

THREADS = 16
BLOCKS = 12  # for each thread
ELEMENTS = THREADS * 512 * 64
REPETITIONS = (20, 100)  # The second half is counted.
SECONDS = 300
NAME = "numa-balance.csv"
DOCUMENT = common.BENCH / "BALANCE.md"
SCHEDULES = ("balanced,steal=0", "balanced", "hybrid")
OWN = ("static", "dynamic,8")
SPECIFICATION = f"{THREADS},scatter"
# Waiting threads sleep, because a spinning thread would take an emulated processor from working threads.
WAITING = {"OMP_WAIT_POLICY": "passive"}
ZONES_NAME = "numa-zones.csv"
# The last zones move after step 16.
ZONES = {"specification": "4,scatter,4,subcompact", "arguments": [4, 4, 36, 24]}
ZONE_QUANTITIES = ("local_percent", "zones_moved", "teams", "threads")
QUANTITIES = ("local_percent", "largest_over_mean", "migrations", "migrated_percent", "estimated_before", "estimated_after")


def variants(build):
    bound = common.bound(build, SPECIFICATION) | WAITING
    for schedule in OWN:
        yield schedule, bound | {"OMP_SCHEDULE": schedule}
    for schedule in SCHEDULES:
        yield schedule, bound | {"NESTBIND_SCHEDULE": schedule, "OMP_SCHEDULE": "static", "NESTBIND_REPORT": "json"}


def reported(text):
    """Returns the loop of the report that has blocks, or an empty dictionary if no loop has blocks."""
    for line in text.splitlines():
        if line.startswith("{") and '"loops"' in line:
            return next((loop for loop in json.loads(line)["loops"] if "blocks" in loop), {})
    return {}


def row_of(part, output, errors):
    loop = reported(errors)
    migrations = loop.get("migrations", 0)
    largest = re.search(r"over the mean: ([0-9.]+)", output)
    return [f"{part.local('array'):.2f}", largest.group(1), migrations, f"{100 * migrations / (BLOCKS * THREADS):.1f}",
            loop.get("imbalance_before") or cells.MISSING, loop.get("imbalance_after") or cells.MISSING]


def write_table(results):
    title, rows = cells.read_runs(results / NAME)
    lines = []
    for shape, variant in dict.fromkeys((row["shape"], row["variant"]) for row in rows):
        found = [row for row in rows if (row["shape"], row["variant"]) == (shape, variant)]
        executions = int(shape)
        numbers = [f"{executions // 2 + 1} to {executions}", f"`{variant}`"]
        for quantity in ("largest_over_mean", "local_percent", "migrated_percent"):
            values = sorted(float(row[quantity]) for row in found)
            numbers.append(f"{statistics.median(values):.3g} ({values[0]:.3g} to {values[-1]:.3g})")
        lines.append(numbers)
    table = tables.table(["executions", "schedule", "largest work / mean", "local, %", "blocks migrated, %"], lines)
    documents.put(DOCUMENT, {"balance-counted": title + ".\n\n" + table})


def write_zones(results):
    title, rows = cells.read_runs(results / ZONES_NAME)
    lines = []
    for variant in dict.fromkeys(row["variant"] for row in rows):
        found = [row for row in rows if row["variant"] == variant]
        lines.append([*variant.split(" "), *(tables.cell(found, quantity, 2) for quantity in ("threads", "teams", "local_percent", "zones_moved"))])
    heading = ["zones", "strips", "largest work of a thread / mean", "of a team", "local, %", "zones moved"]
    documents.put(DOCUMENT, {"balance-zones-counted": title + ".\n\n" + tables.table(heading, lines)})


def add_zones(boot, options):
    program = zones.compiled(options.build, boot.folder)
    boot.need(program)
    bound = common.bound(options.build, ZONES["specification"]) | WAITING | {"NESTBIND_QUIET": "1"}
    for number in range(options.rounds):
        for where, schedule in zones.VARIANTS + zones.FOLLOWING:
            boot.add(("libgomp", "zones", f"{where} {schedule}", number), bound | zones.settings(schedule), [program, where, *ZONES["arguments"]])


def main():
    parser = common.arguments(__doc__, rounds=3)
    parser.add_argument("--tables", action="store_true", help="only make the tables, from the recorded figures")
    options = parser.parse_args()
    if options.tables:
        write_table(options.results)
        write_zones(options.results)
        return
    work = options.work / "balance"
    work.mkdir(parents=True, exist_ok=True)
    program = common.compiled("loop_locality", work)["libgomp"]
    boot = counted.Boot(work, options.cache)
    boot.need(program, *common.library_files(options.build))
    for number in range(options.rounds):
        for repetitions in REPETITIONS:
            for name, settings in variants(options.build):
                boot.add(("libgomp", str(repetitions), name, number), settings, [program, "hot", THREADS, ELEMENTS, repetitions])
    add_zones(boot, options)
    found = boot.run(SECONDS)
    rows = []
    of_zones = []
    for label, (key, _) in enumerate(boot.jobs):
        part, output = found.get(key, (None, ""))
        if part is not None and key[1] == "zones":
            row = zones.result(output)
            of_zones.append([*key, f"{part.local('array'):.2f}", *(row[name] for name in ZONE_QUANTITIES[1:])])
        elif part is not None:
            rows.append([*key, *row_of(part, output, boot.text(label, "err"))])
    title = (f"{common.heading()}; {THREADS} threads by `{SPECIFICATION}`, the first sixteenth of the loop four times as heavy, "
             f"{' and '.join(map(str, REPETITIONS))} executions, the second half of them counted, {common.number_of_rounds(options.rounds)}")
    cells.write_runs(options.results / NAME, title, common.KEY, QUANTITIES, rows)
    title = (f"{common.heading()}; 4 teams of 4 by `{ZONES['specification']}`, {ZONES['arguments'][2]} steps, the second half of them counted, "
             f"{common.number_of_rounds(options.rounds)}")
    cells.write_runs(options.results / ZONES_NAME, title, common.KEY, ZONE_QUANTITIES, of_zones)
    write_table(options.results)
    write_zones(options.results)
    if len(found) < len(boot.jobs):
        sys.exit(f"{len(boot.jobs) - len(found)} runs failed")


if __name__ == "__main__":
    main()
