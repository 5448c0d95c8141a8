#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""The table of what a fork costs with and without the library."""

import statistics

import runs

# Y, Z and specification; Z of 0: the outermost team.
SHAPES = {"2": (2, 0, "2,scatter"), "1x2": (1, 2, "1,scatter,2,subcompact"),
          "2x2": (2, 2, "2,scatter,2,subcompact")}
VARIANTS = ("without", "native", "preloaded", "bound")
# What the library costs where it does nothing; where it binds; and where the runtime does the same.
RATIOS = (("preloaded", "without"), ("bound", "without"), ("bound", "native"))
SAMPLES, TARGET = 15, 4000  # in a process; microseconds a sample


def runtimes(build):
    """Name, program and settings of each runtime that is here."""
    yield "libgomp", build.by_gcc("fork_cost"), {}
    yield ("libgomp, OMP_WAIT_POLICY=passive", build.by_gcc("fork_cost"),
           {"OMP_WAIT_POLICY": "passive"})
    by_clang = build.by_clang("fork_cost")
    if by_clang is not None:
        yield "libomp, hot teams", by_clang, {"KMP_HOT_TEAMS_MAX_LEVEL": "2"}


def variants(build, spec):
    return zip(VARIANTS, ({}, runs.NATIVE, build.preloaded(), build.bound(spec)))


def run_of(program, outer, inner, settings):
    def microseconds():  # the sample that was disturbed least
        text = runs.output_of(program, (outer, inner, SAMPLES, TARGET), settings)
        return min(float(line) for line in text.split())
    return microseconds


def main():
    options = runs.arguments(__doc__, rounds=11).parse_args()
    build = runs.Build(options)
    title = runs.heading()
    calls = {}
    for runtime, program, settings in runtimes(build):
        for shape, (outer, inner, spec) in SHAPES.items():
            for variant, own in variants(build, spec):
                calls[runtime, shape, variant] = run_of(program, outer, inner, settings | own)
    results = runs.interleaved(options.rounds, calls)

    runs.write_figures(options.results / "fork-cost.csv", title,
                       ("runtime", "shape", "variant", "round", "microseconds"),
                       [name + (number, f"{value:.4f}") for name, values in results.items()
                        for number, value in enumerate(values)])
    rows = []
    for runtime, shape in dict.fromkeys(name[:2] for name in results):
        of = {variant: results[runtime, shape, variant] for variant in VARIANTS}
        rows.append([runtime, shape] +
                    [f"{statistics.median(values):.2f}" for values in of.values()] +
                    [runs.median_and_spread(runs.ratios(of[one], of[other]))
                     for one, other in RATIOS])
    runs.print_table(title, ("runtime", "shape") + tuple(f"{one}, us" for one in VARIANTS) +
                     tuple(f"{one} / {other}" for one, other in RATIOS), rows)


main()
