#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures whether `auto` makes programs slower. Each round runs every program unbound and with `auto`. Prints a
table of the ratios. The exit status is 1 if a median is above 1.05."""

import statistics
import sys
import time

import cells
import runs

BAR = 1.05
TWO_LEVELS = {"OMP_MAX_ACTIVE_LEVELS": "2", "KMP_HOT_TEAMS_MAX_LEVEL": "2"}
CASES = (
    ("nested STREAM 2x1", "nested_stream", (2, 1, 2000000, 40), {}),
    ("nested STREAM 1x2", "nested_stream", (1, 2, 2000000, 40), TWO_LEVELS),
    ("nested STREAM 2x2", "nested_stream", (2, 2, 1000000, 40), TWO_LEVELS),
    ("EPCC 2x1", "nested_syncbench", (2, 1, 10, 4000, 200), {}),
    ("EPCC 1x2", "nested_syncbench", (1, 2, 10, 1000, 200), TWO_LEVELS),
    ("even loop, 2", "loop_shapes", ("even", 2, 1500), {}),
    ("hot loop, 2", "loop_shapes", ("hot", 2, 700), {}),
    ("loops in the cache, 2", "loop_shapes", ("cache", 2, 200), {}),
    ("heat 2x1", "heat", (2, 1, 60), {}),
    ("heat 1x2", "heat", (1, 2, 60), TWO_LEVELS),
    ("heat 2x2", "heat", (2, 2, 60), TWO_LEVELS),
)
OF_LLVM = ("nested_stream", "nested_syncbench", "loop_shapes")


def programs(build):
    for name, program, given, settings in CASES:
        yield f"{name}, libgomp", build.by_gcc(program), given, settings
        by_llvm = build.by_clang(program) if program in OF_LLVM else build.by_gcc("heat-flang")
        if by_llvm is not None and by_llvm.exists():
            yield f"{name}, libomp", by_llvm, given, settings


def timed(program, given, settings):
    def seconds():
        begun = time.perf_counter()
        runs.output_of(program, given, settings)
        return time.perf_counter() - begun
    return seconds


def main():
    options = runs.arguments(__doc__, rounds=11).parse_args()
    build = runs.Build(options)
    title = runs.heading()
    rows, raw, slower = [], {}, []
    for name, program, given, settings in programs(build):
        found = runs.interleaved(options.rounds, {
            "unbound": timed(program, given, settings),
            "again": timed(program, given, settings),
            "auto": timed(program, given, settings | build.bound("auto"))})
        raw |= {(name, variant): dict(enumerate(values)) for variant, values in found.items()}
        of_auto = runs.ratios(found["auto"], found["unbound"])
        rows.append([name, f"{statistics.median(found['unbound']):.2f} s",
                     runs.median_and_spread(runs.ratios(found["again"], found["unbound"]), 3),
                     runs.median_and_spread(of_auto, 3)])
        if statistics.median(of_auto) > BAR:
            slower.append(name)
    runs.print_table(f"{title}; {options.rounds} rounds", ["", "unbound", "unbound again", "auto"], rows)
    cells.write(options.results / "auto.csv", [title], ("program", "variant"), raw)
    print(f"\nat most {BAR}: " + ("met" if not slower else "**not met**: " + ", ".join(slower)))
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
