#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Measures nested EPCC syncbench and prints its table: unbound, bound by the OpenMP runtime, and bound by nestbind."""

import csv
import io

import cells
import runs

CONSTRUCTS = ("parallel", "barrier", "reduction")
VARIANTS = ("unbound", "native", "bound")


def runtimes(build):
    """Yields the name, the program and the settings of each available runtime."""
    yield "libgomp", build.by_gcc("nested_syncbench"), {}
    by_clang = build.by_clang("nested_syncbench")
    if by_clang is not None:
        yield "libomp, hot teams", by_clang, {"KMP_HOT_TEAMS_MAX_LEVEL": "2"}


def run_of(program, shape, settings):
    def overheads():
        text = runs.output_of(program, ("--csv", *shape.split("x")), settings)
        return {row["construct"]: (float(row["mean_us"]), float(row["deviation_us"]))
                for row in csv.DictReader(io.StringIO(text))}
    return overheads


def main():
    parser = runs.arguments(__doc__, rounds=7)
    parser.add_argument("shapes", nargs="*", metavar="YxZ", default=["1x2", "2x2"])
    options = parser.parse_args()
    build = runs.Build(options)
    title = runs.heading()
    calls = {}
    for runtime, program, settings in runtimes(build):
        for shape in options.shapes:
            outer, inner = shape.split("x")
            bound = build.bound(f"{outer},scatter,{inner},subcompact")
            for variant, own in zip(VARIANTS, ({}, runs.NATIVE, bound)):
                calls[runtime, shape, variant] = run_of(program, shape, settings | own)
    results = runs.interleaved(options.rounds, calls)

    cells.write_runs(options.results / "nested-syncbench.csv", title,
                     ("runtime", "shape", "variant", "round", "construct"),
                     ("mean_us", "deviation_us"),
                     [key + (number, construct) + figures for key, values in results.items()
                      for number, value in enumerate(values)
                      for construct, figures in value.items()])
    rows = [[runtime, shape, variant] +
            [runs.median_and_spread([value[construct][0] for value in values])
             for construct in CONSTRUCTS]
            for (runtime, shape, variant), values in results.items()]
    runs.print_table(title, ("overhead in us", "shape", "") + CONSTRUCTS, rows)


main()
