#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Balances objects between simulated nodes, and writes the tables of README.md."""

import argparse
import csv
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "numa"))
import documents  # noqa: E402
from tables import table  # noqa: E402

METHODS = ("across", "across, ring", "numa", "greedy", "refine", "SCOTCH, ring", "Zoltan, ring")


def rows_of(options, what):
    if options.csv:
        return list(csv.reader((options.csv / f"across-{what}.csv").read_text().splitlines()))
    program = options.build / "bin" / "simulate_across"
    return list(csv.reader(subprocess.run([program, str(options.objects), what], capture_output=True, text=True, check=True).stdout.splitlines()))


def cells(rows):
    """The name of a method may have a comma, which the program does not quote."""
    found = {}
    for row in rows[1:]:
        *name, objects, nodes, before, after, heaviest, moved, seconds, sent = row
        found.setdefault((int(objects), int(nodes)), {})[",".join(name)] = (float(before), float(after), float(heaviest), float(moved), float(seconds),
                                                                           int(sent))
    return found


def written(found):
    lines = []
    for (objects, nodes), by in found.items():
        before, _, heaviest = by["across"][:3]
        sent = by["across"][5], by["across, ring"][5]
        lines.append([f"{objects:,}", f"{nodes:,}", f"{before:.2f}, {heaviest:.3f}",
                      *(f"{by[name][1]:.3f}, {100 * by[name][3]:.1f} %, {by[name][4]:.2g} s" if name in by else "-" for name in METHODS),
                      f"{sent[0] / 1e6:.1f}, {sent[1] / 1e6:.1f}"])
    heading = ["objects", "nodes", "heaviest node, object at first", *METHODS, "MB between nodes"]
    return table(heading, lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent.parent / "build", help="build folder (build/)")
    parser.add_argument("--objects", type=int, default=1000000, help="the largest number of objects (1000000)")
    parser.add_argument("--csv", type=pathlib.Path, help="a folder with the output of earlier runs, across-even.csv and across-hot.csv")
    options = parser.parse_args()
    documents.put(HERE / "README.md", {what: written(cells(rows_of(options, what))) for what in ("even", "hot")})


if __name__ == "__main__":
    main()
