#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Records the particles, computes the times of many ranks and threads from the records, and writes the tables of README.md."""

import argparse
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(HERE.parent / "numa"))
import documents  # noqa: E402
from tables import table  # noqa: E402

CELLS = "32"
PROGRAM = ("--cells", CELLS, "--particles", "150000", "--steps", "40", "--drift", "0.01")
FRACTIONS, CHUNKS = [eighth / 8 for eighth in range(9)], [1, 2, 4, 8, 16, 32, 64]


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def recorded(build, folder, mpicc):
    program, record = os.path.join(folder, "particles"), os.path.join(folder, "record")
    library = build.resolve() / "lib"
    subprocess.run([mpicc, "-O2", "-fopenmp", "-ffp-contract=off", f"-I{ROOT / 'include'}", HERE / "particles.c", "-o", program, "-lm", f"-L{library}",
                    "-Wl,--no-as-needed", "-lnestbind", f"-Wl,-rpath,{library}"], check=True)
    subprocess.run([program, *PROGRAM, "--record", record], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"})
    return record


def four(rows):
    lines = [[f"{row['ranks']} x {row['threads']}", row["nothing"], row["loops"], row["balance"],
              f"{row['both']} ({100 * (float(row['both']) / float(row['loops']) - 1):.0f} %)", row["moved"]]
             for row in sorted(rows, key=lambda row: (int(row["ranks"]), int(row["threads"])))]
    return table(["ranks x threads", "nothing", "loops only", "balance only", "both (to loops only)", "cells moved"], lines)


def pairs(rows):
    ways = list(dict.fromkeys(row["across"] for row in rows))
    best = min(rows, key=lambda row: float(row["time"]))
    lines = []
    for schedule in dict.fromkeys(row["schedule"] for row in rows):
        found = {row["across"]: row for row in rows if row["schedule"] == schedule}
        lines.append([f"`{schedule}`", *(f"**{found[way]['time']}**" if found[way] is best else found[way]["time"] for way in ways)])
    return table(["schedule", *ways], lines)


def surface(rows):
    found = {row["schedule"]: row for row in rows}
    lines = []
    for fraction in FRACTIONS:
        cells = []
        for chunk in CHUNKS:
            row = found[f"hybrid,chunk={chunk},f={fraction:.6f}"[:len(f"hybrid,chunk={chunk},f=") + 5]]
            text = f"{float(row['time']):.3f}, {float(row['near %']) + float(row['far %']):.1f}"
            cells.append(f"**{text}**" if (fraction, chunk) == (0.75, 8) else text)
        lines.append([f"{fraction}", *cells])
    return table(["f", *(f"chunk {chunk}" for chunk in CHUNKS)], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build folder (build/)")
    parser.add_argument("--mpicc", default="mpicc", help="the MPI compiler (mpicc)")
    parser.add_argument("--csv", type=pathlib.Path, help="a folder with the output of earlier runs: cells.csv, pairs.csv and surface.csv")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        record = None if options.csv else recorded(options.build, folder, options.mpicc)
        tables = {}
        for name, write, command in (("cells", four, ("simulate_particles", "cells", record, CELLS)),
                                     ("pairs", pairs, ("simulate_particles", "pairs", record, CELLS)),
                                     ("surface", surface, ("simulate_loops", "surface", "64"))):
            text = ((options.csv / f"{name}.csv").read_text() if options.csv else output(options.build / "bin" / command[0], *command[1:]))
            tables[name] = write(list(csv.DictReader(text.splitlines())))
    documents.put(HERE / "README.md", tables)


if __name__ == "__main__":
    main()
