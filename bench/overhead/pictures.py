# SPDX-License-Identifier: BSD-3-Clause
"""Draws the figures by gnuplot (Debian's gnuplot-nox)."""

import shutil
import statistics
import subprocess
import sys

from . import forks, planning

SHOWN = (("libgomp", "#af8dc3"), ("libgomp bound passive", "#c2a5cf"), ("libgomp nestbind", "#1b7837"),
         ("libgomp nestbind passive", "#7fbf7b"), ("libomp hot bound", "#4393c3"), ("libomp hot nestbind", "#92c5de"))

# The palette of Okabe and Ito without its yellow, which cannot be seen on white.
LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")


def plot(script):
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def median(figures, *key):
    values = figures.of(*key).values()
    return statistics.median(values) if values else float("nan")


def inner_parallel(figures, target):
    """Draws the times of inner PARALLEL, with a group of bars for each shape, on a logarithmic scale."""
    shown = [(name, colour) for name, colour in SHOWN if name in figures.names(forks.GROUP, 1)]
    data = "\n".join(" ".join([shape] + [f"{median(figures, forks.GROUP, name, shape, 'parallel'):.4f}"
                                         for name, _ in shown]) for shape in forks.SHAPES)
    drawn = ", ".join(f"$data using {number + 2}:xtic(1) title '{name}' lc rgb '{colour}'"
                      for number, (name, colour) in enumerate(shown))
    plot(f"""$data << END
{data}
END
set terminal svg size 760,380 font 'sans,12' background rgb 'white'
set output '{target}'
set style data histograms
set style histogram clustered gap 1
set style fill solid border -1
set logscale y
set yrange [0.05:*]
set ylabel 'inner PARALLEL, microseconds'
set xtics nomirror scale 0
set key outside bottom center horizontal maxcols 3
set title 'fork of an inner team (PARALLEL)'
set grid y
plot {drawn}
""")


def planning_time(figures, target):
    """Draws the planning time over the size of the machine, with a line for each form of specification."""
    lines = {}
    for spec, case in planning.cases(figures):
        words = [word.strip() for word in spec.split(",")]
        name = ",".join("N" if word.isdigit() else word for word in words)
        lines.setdefault(name, []).append((int(case), statistics.median(planning.planned(figures, spec, case).values())))
    blocks = "\n\n\n".join("\n".join(f"{x} {y:.4f}" for x, y in sorted(points)) for points in lines.values())
    drawn = ", ".join(f"$data index {number} with linespoints linewidth 2 pointtype 7 pointsize 0.6 linecolor rgb '{LINES[number % len(LINES)]}' title '{name}'"
                      for number, name in enumerate(lines))
    plot(f"""$data << END
{blocks}
END
set terminal svg size 760,380 font 'sans,12' background rgb 'white'
set output '{target}'
set logscale xy
set logscale x 2
set xlabel 'processors of the machine'
set ylabel 'planning, microseconds'
set key outside right
set title 'time to plan all teams'
set grid
plot {drawn}
""")


def draw(figures, folder):
    if shutil.which("gnuplot") is None:
        print("no pictures: gnuplot is not installed (Debian: gnuplot-nox)", file=sys.stderr)
        return
    if figures.keys(forks.GROUP):
        inner_parallel(figures, folder / "overhead-parallel.svg")
    if figures.keys(planning.GROUP):
        planning_time(figures, folder / "overhead-planning.svg")
