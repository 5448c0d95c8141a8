#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws pictures of the results by gnuplot (Debian's gnuplot-nox): bars for each shape, and a map of the traffic between nodes."""

import shutil
import statistics
import subprocess
import sys

import common
import paper
from common import cells

SHOWN = ("bound", "OMP_PROC_BIND=spread,close", "unbound")
COLOURS = ("#1b7837", "#7fbf7b", "#af8dc3")


def plot(script):
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def name_of(variant):
    return "native" if variant.startswith("OMP_PROC_BIND") else variant


def medians(rows, column):
    """Returns the median of the rounds for each (shape, variant)."""
    found = {}
    for row in rows:
        found.setdefault((row["shape"], name_of(row["variant"])), []).append(float(row[column]))
    return {key: statistics.median(values) for key, values in found.items()}


def bars(rows, column, label, target, title="", measured=None):
    """Draws a group of bars for each shape, and hatched bars of what the paper measured: {(shape, variant): value}."""
    values = medians(rows, column)
    told = measured or {}
    shapes = sorted({shape for shape, _ in values}, key=lambda shape: [int(size) for size in shape.split("x")])
    papers = [name for name in map(name_of, SHOWN) if any(variant == name for _, variant in told)]
    data = "\n".join(" ".join([shape] + [f"{values.get((shape, name_of(name)), 0):.3f}" for name in SHOWN]
                              + [str(told.get((shape, name), "nan")) for name in papers]) for shape in shapes)
    drawn = ", ".join([f"$data using {number + 2}:xtic(1) title '{name_of(name)}' lc rgb '{COLOURS[number]}'"
                       for number, name in enumerate(SHOWN)]
                      + [f"$data using {len(SHOWN) + 2 + number} title 'paper, {name}' lc rgb '{COLOURS[list(map(name_of, SHOWN)).index(name)]}' "
                         "fs pattern 4 border -1" for number, name in enumerate(papers)])
    plot(f"""$data << END
{data}
END
set terminal svg size 640,320 font 'sans,12' background rgb 'white'
set output '{target}'
set style data histograms
set style histogram clustered gap 1
set style fill solid border -1
set ylabel '{label}'
set yrange [0:*]
set xtics nomirror scale 0
set key outside bottom center horizontal
set grid y
set title '{title}'
plot {drawn}
""")


def traffic_map(rows, shape, target, runtime="libgomp"):
    """Draws the per cent of the array accesses from each node (row) to each node (column), with a panel for each variant."""
    panels = []
    data = []
    for number, name in enumerate(SHOWN):
        cells = [row for row in rows if (row["runtime"], row["shape"], row["variant"]) == (runtime, shape, name)]
        matrix = {}
        for row in cells:
            key = int(row["from"]), int(row["to"])
            matrix[key] = matrix.get(key, 0) + int(row["array_accesses"])
        total = sum(matrix.values()) or 1
        lines = [f"{target_node} {source} {100 * count / total:.2f}" for (source, target_node), count in matrix.items()]
        data.append(f"$map{number} << END\n" + "\n".join(lines) + "\nEND")
        panels.append(f"set title '{name_of(name)}'\n"
                      f"plot $map{number} using 1:2:(0.5):(0.5):3 with boxxyerror fillcolor palette fillstyle solid border lc rgb 'white' "
                      "notitle, "
                      f"$map{number} using 1:2:(sprintf('%.1f', $3)) with labels font 'sans,9' notitle")
    plot("\n".join(data) + f"""
set terminal svg size 840,320 font 'sans,12' background rgb 'white'
set output '{target}'
set multiplot layout 1,3 title '{shape}: array accesses from node to node, per cent'
set xlabel 'node of the page'
set ylabel 'node of the thread'
set xrange [-0.5:3.5]
set yrange [3.5:-0.5]
set xtics 1
set ytics 1
set cbrange [0:25]
set palette defined (0 'white', 25 '#4393c3')
unset colorbox
""" + "\n".join(panels) + "\nunset multiplot\n")


def main():
    options = common.arguments(__doc__).parse_args()
    if shutil.which("gnuplot") is None:
        sys.exit("no pictures: gnuplot is not installed (Debian: gnuplot-nox)")
    results = options.results
    if (results / "numa-stream.csv").exists():
        rows = [row for row in cells.read_runs(results / "numa-stream.csv")[1] if row["runtime"] == "libgomp"]
        bars(rows, "array_local_percent", "local array accesses, %", results / "numa-local.svg")
        told = {(shape, binding): value for (machine, binding, shape), value in paper.bandwidths().items() if machine == "Barcelona"}
        bars(rows, "model_Barcelona_GBps", "GB/s", results / "numa-model.svg", "Barcelona: predicted from counted accesses, and measured", told)
        traffic_map(cells.read_runs(results / "numa-stream-traffic.csv")[1], "4x4", results / "numa-traffic.svg")
    if (results / "nested-stream.csv").exists():
        measured = cells.read_runs(results / "nested-stream.csv")[1]
        bars(measured, "median_GBps", "triad on this machine, GB/s", results / "nested-stream.svg")


if __name__ == "__main__":
    main()
