#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures heat and prints its table: unbound, bound by the OpenMP runtime, and bound by nestbind."""

import csv
import io
import os
import sys

import cells
import runs

VARIANTS = ("unbound", "native", "bound")
RATIOS = (("native", "unbound"), ("bound", "unbound"), ("bound", "native"))


def default_shapes():
    """Returns the shapes of the paper's figures."""
    processors = len(os.sched_getaffinity(0))
    filling = [f"{outer}x{processors // outer}" for outer in (1, 2, 4, 8, 16)
               if outer <= processors]
    return list(dict.fromkeys(["1x1"] + filling))


def runtimes(build):
    """Yields the name, the program and the settings of each available runtime."""
    for name, program, settings in (
            ("libgomp", "heat", {}),
            ("libomp, hot teams", "heat-flang", {"KMP_HOT_TEAMS_MAX_LEVEL": "2"})):
        path = build.folder / "bin" / program
        if path.exists():
            yield name, path, settings
        else:
            print(f"{path} is not built: nothing is measured on {name}", file=sys.stderr)


def run_of(program, shape, options, settings):
    given = ["--csv", *shape.split("x"), options.cells]
    if options.derivatives:
        given.append(f"--derivatives={options.derivatives}")

    def seconds():  # if a result is wrong, the program's exit status ends the benchmark
        text = runs.output_of(program, given, settings)
        return {row["phase"]: (float(row["slowest_s"]), float(row["fastest_s"]))
                for row in csv.DictReader(io.StringIO(text))}
    return seconds


def main():
    parser = runs.arguments(__doc__, rounds=5)
    parser.add_argument("--cells", type=int, default=100, help="cells in each direction (100)")
    parser.add_argument("--derivatives", type=int, default=0,
                        help="number of derivatives in all shapes (one for each outer thread)")
    parser.add_argument("shapes", nargs="*", metavar="YxZ", default=default_shapes())
    options = parser.parse_args()
    build = runs.Build(options)
    title = (f"{runs.heading()}, {options.cells}^3 cells, derivatives: "
             f"{options.derivatives or 'as many as outer threads'}")
    calls = {}
    for runtime, program, settings in runtimes(build):
        for shape in options.shapes:
            outer, inner = shape.split("x")
            bound = build.bound(f"{outer},scatter,{inner},subcompact")
            for variant, own in zip(VARIANTS, ({}, runs.NATIVE, bound)):
                calls[runtime, shape, variant] = run_of(program, shape, options, settings | own)
    results = runs.interleaved(options.rounds, calls)

    cells.write_runs(options.results / "heat.csv", title,
                     ("runtime", "shape", "variant", "round", "phase"), ("slowest_s", "fastest_s"),
                     [key + (number, phase) + figures for key, values in results.items()
                      for number, value in enumerate(values)
                      for phase, figures in value.items()])
    rows = []
    for runtime, shape in dict.fromkeys(key[:2] for key in results):
        of = {variant: [value["elapsed"][0] for value in results[runtime, shape, variant]]
              for variant in VARIANTS}
        rows.append([runtime, shape] + [runs.median_and_spread(values) for values in of.values()] +
                    [runs.median_and_spread(runs.ratios(of[one], of[other]))
                     for one, other in RATIOS])
    runs.print_table(title, ("seconds elapsed", "shape") + VARIANTS +
                     tuple(f"{one} / {other}" for one, other in RATIOS), rows)


main()
