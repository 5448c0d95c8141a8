#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Measures nested STREAM and prints its table: unbound, bound by the OpenMP runtime, and bound by nestbind."""

import csv
import io
import os
import pathlib
import statistics

import cells
import runs

COLUMNS = ("best_GBps", "median_GBps")


def default_shapes():
    """Returns the paper's shapes: 1x1, one team, a team of one thread for each node, and a full team for each node."""
    nodes = len(list(pathlib.Path("/sys/devices/system/node").glob("node[0-9]*")))
    outer = max(2, nodes)
    inner = max(2, len(os.sched_getaffinity(0)) // outer)
    return ["1x1", f"1x{inner}", f"{outer}x1", f"{outer}x{inner}"]


def run_of(program, shape, options, settings):
    def triad():
        text = runs.output_of(program, ("--csv", *shape.split("x"), options.elements,
                                        options.repetitions), settings)
        for row in csv.DictReader(io.StringIO(text)):
            if row["kernel"] == "triad":
                return [float(row[column]) for column in COLUMNS]
        raise ValueError(text)
    return triad


def main():
    parser = runs.arguments(__doc__, rounds=7)
    parser.add_argument("--elements", type=int, default=4000000,
                        help="elements of an array for each thread (4000000)")
    parser.add_argument("--repetitions", type=int, default=10, help="repetitions in a run (10)")
    parser.add_argument("--on-libomp", action="store_true", help="measure on LLVM's runtime, with the program compiled by --clang")
    parser.add_argument("shapes", nargs="*", metavar="YxZ", default=default_shapes())
    options = parser.parse_args()
    build = runs.Build(options)
    program = (build.by_clang if options.on_libomp else build.by_gcc)("nested_stream")
    if program is None:
        return
    title = (f"{runs.heading()}, {'libomp' if options.on_libomp else 'libgomp'}, arrays of "
             f"{options.elements * 8 / 1e6:.0f} MB a thread")

    calls = {}
    for shape in options.shapes:
        outer, inner = shape.split("x")
        settings = {"unbound": {}, "native": runs.NATIVE,
                    "bound": build.bound(f"{outer},scatter,{inner},subscatter")}
        for variant, own in settings.items():
            calls[shape, variant] = run_of(program, shape, options, own)
    results = runs.interleaved(options.rounds, calls)

    name = "nested-stream-libomp.csv" if options.on_libomp else "nested-stream.csv"
    cells.write_runs(options.results / name, title, ("shape", "variant", "round"), COLUMNS,
                     [key + (number, *values) for key, list_of in results.items()
                      for number, values in enumerate(list_of)])

    def cell(values):
        best = statistics.median(value[0] for value in values)
        return f"{best:.1f}; {runs.median_and_spread([value[1] for value in values], 1)}"

    runs.print_table(title, ("triad, GB/s: best; median", "unbound", "native", "bound"),
                     [[shape] + [cell(results[shape, variant])
                                 for variant in ("unbound", "native", "bound")]
                      for shape in options.shapes])


main()
