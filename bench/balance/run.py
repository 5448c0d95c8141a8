#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Simulates how each balancer moves the objects of the paper's programs. Simulates repeated loops whose blocks change owners. Measures the
time of the balancers' functions. Writes the tables of ../BALANCE.md."""

import argparse
import csv
import pathlib
import statistics
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(BENCH / "numa"))
import documents  # noqa: E402
from tables import table  # noqa: E402

DOCUMENT = BENCH / "BALANCE.md"
BALANCERS = ("numa", "greedy", "refine", "METIS", "SCOTCH")
PAPERS = ("NumaLB", "Greedy", "Metis", "RecBipart", "Scotch")
# The paper's figures: average iteration times without a balancer and with each balancer, and how many objects migrated. kNeighbor and
# lb_test have 200 objects, and jacobi2D has 100.
TIMES = {
    ("kNeighbor", "NUMA16"): ("ms", 32.0, 22.4, 22.1, 21.5, 22.8, 22.1), ("kNeighbor", "NUMA32"): ("ms", 26.9, 14.9, 13.5, 17.9, 16.9, 16.1),
    ("lb_test", "NUMA16"): ("s", 1.01, 0.83, 0.93, 0.84, 0.83, 0.88), ("lb_test", "NUMA32"): ("s", 0.60, 0.43, 0.51, 0.46, 0.47, 0.43),
    ("jacobi2D", "NUMA16"): ("s", 1.74, 1.03, 1.24, 1.31, 1.21, 1.11), ("jacobi2D", "NUMA32"): ("s", 0.42, 0.27, 0.36, 0.40, 0.39, 0.29),
}
MIGRATED = {
    ("kNeighbor", "NUMA16"): (25, 189, 188, 176, 185), ("kNeighbor", "NUMA32"): (57, 194, 195, 185, 194),
    ("lb_test", "NUMA16"): (40, 188, 187, 184, 184), ("lb_test", "NUMA32"): (48, 194, 194, 192, 192),
    ("jacobi2D", "NUMA16"): (26, 94, 94, 91, 93), ("jacobi2D", "NUMA32"): (33, 97, 96, 93, 98),
}


def simulated(build, what, rounds):
    done = subprocess.run([build / "bin" / "simulate_balance", what, str(rounds)], stdout=subprocess.PIPE, text=True, check=True)
    return list(csv.DictReader(done.stdout.splitlines()))


def mean(rows, key):
    return statistics.mean(float(row[key]) for row in rows)


def cell(rows, what, missing="-"):
    return what(rows) if rows else missing


def change(rows):
    return f"{100 * (mean(rows, 'after') / mean(rows, 'before') - 1):.0f}"


def paper_tables(rows):
    """Returns the paper's tables with the simulated results."""
    cases = {}
    for row in rows:
        cases.setdefault((row["program"], row["machine"]), {}).setdefault(row["balancer"], []).append(row)
    times, changes, moves, worth = [], [], [], []
    for (program, machine), found in cases.items():
        key = (program.split(",")[0], machine)
        name = f"{program}, {machine}"
        if program == key[0]:
            unit, base, *by_each = TIMES[key]
            digits = 1 if unit == "ms" else 2
            times.append([name, f"{base:.{digits}f} {unit}", *(f"{time:.{digits}f} ({100 * (time / base - 1):.0f} %)" for time in by_each)])
        changes.append([name, *(cell(found.get(balancer), change) for balancer in BALANCERS)])
        moves.append([name, *map(str, MIGRATED[key]), *(cell(found.get(balancer), lambda of: f"{mean(of, 'moved'):.1f}") for balancer in BALANCERS)])
        worth.append([name, f"{mean(found['numa'], 'before'):.3f} ({100 * mean(found['numa'], 'remote_before'):.0f} %)",
                      *(cell(found.get(balancer), lambda of: f"{mean(of, 'after'):.3f} ({100 * mean(of, 'remote_after'):.0f} %)") for balancer in BALANCERS)])
    return {"paper-times": table(["the paper's, measured", "without", *PAPERS], times),
            "paper-changes": table(["iteration time, change in %, simulated", *BALANCERS], changes),
            "paper-moves": table(["objects migrated", *(f"paper: {name}" for name in PAPERS), *(f"simulated: {name}" for name in BALANCERS)], moves),
            "paper-worth": table(["heaviest slot over the mean, simulated (messages to other nodes)", "as it begins", *BALANCERS], worth)}


def steps_table(rows):
    ways = list(dict.fromkeys(row["way"] for row in rows))
    lines = []
    for shape in dict.fromkeys(row["blocks"] for row in rows):
        found = {way: [row for row in rows if (row["blocks"], row["way"]) == (shape, way)] for way in ways}
        lines.append([shape, *(f"{mean(found[way], 'time'):.3f} ({mean(found[way], 'remote'):.0f})" for way in ways), f"{mean(found[ways[2]], 'moved'):.0f}",
                      f"{mean(found[ways[3]], 'moved'):.0f}", str(max(int(row["last_change"]) for row in found[ways[3]]))])
    return table(["blocks", *ways, "moved, balanced", "moved, a quarter stealable", "last move behind step"], lines)


def time_table(rows):
    lines = []
    for objects, slots in dict.fromkeys((row["objects"], row["slots"]) for row in rows):
        found = {name: sorted(float(row["milliseconds"]) for row in rows if (row["objects"], row["slots"], row["balancer"]) == (objects, slots, name))
                 for name in BALANCERS}
        lines.append([f"{int(objects):,} objects, {slots} slots", *(f"{statistics.median(of):.3g} ({of[0]:.3g})" if of else "-" for of in found.values())])
    return table(["milliseconds: median (least)", *BALANCERS], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=BENCH.parent / "build", help="build folder (build/)")
    parser.add_argument("--results", help="not used: only the times differ between machines")
    parser.add_argument("--rounds", type=int, default=60, help="random graphs, and random loads of steps, of each kind (60)")
    options = parser.parse_args()
    contents = paper_tables(simulated(options.build, "paper", options.rounds))
    contents["steps"] = steps_table(simulated(options.build, "steps", options.rounds))
    contents["time"] = time_table(simulated(options.build, "time", options.rounds))
    documents.put(DOCUMENT, contents)


if __name__ == "__main__":
    main()
