#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Checks whether one build of nestbind costs more than another build. Compares counts, times and sizes; the counts decide. Each figure of
the old build is measured twice, and all runs are interleaved. Prints tables and verdicts, and writes the raw figures to results/builds.csv.
The exit status is 1 if a limit is not met."""

import argparse
import pathlib
import sys

import cells
import runs
from comparison import copies, counted, paired, sizes, timed
from overhead import tables

PARTS = ("counted", "timed", "size")
PAIRS = "pairs"
NAME = "builds.csv"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=pathlib.Path, metavar="OLD", help="build folder of the old build")
    parser.add_argument("new", type=pathlib.Path, metavar="NEW", help="build folder of the new build")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of forks and plans (15)")
    parser.add_argument("--processes", type=int, default=300, help="processes of each kind, to measure starts (300)")
    parser.add_argument("--counts", type=int, default=5, help="how often each process is counted (5)")
    parser.add_argument("--only", choices=(*PARTS, PAIRS), help=f"only this part; {PAIRS} is measured only with "
                        f"this option: repeated forks, compared round by round; written to {paired.NAME}")
    parser.add_argument("--clang", default="clang-19", help="compiler for the programs on LLVM's runtime (clang-19)")
    parser.add_argument("--work", type=pathlib.Path, help="folder for programs and copies (NEW-compared, next to NEW)")
    parser.add_argument("--results", type=pathlib.Path, default=runs.BENCH / "results",
                        help="folder for the raw figures (bench/results/)")
    options = parser.parse_args()
    if min(options.rounds, options.processes, options.counts) < 1:
        parser.error("--rounds, --processes and --counts: expected at least 1")
    return options


def main():
    options = arguments()
    wanted = [options.only] if options.only else PARTS
    title = runs.heading()
    compared = copies.of(options.old, options.new, (options.work or options.new.with_name(options.new.name + "-compared")).resolve(), options.clang)
    found, verdicts = {}, []
    if "size" in wanted:
        sizes.measure(compared, found)
        verdicts += sizes.judged(found)
    if "counted" in wanted:
        counted.count(compared, found, options.counts)
        print(tables.table(*counted.table(found)) + "\n")
        verdicts += counted.judged(found)
    if "timed" in wanted:
        timed.measure(compared, found, options.rounds, options.processes)
        ratios = timed.ratios(found)
        print(tables.table(*timed.table(ratios)) + "\n")
        verdicts += timed.judged(ratios)
    if PAIRS in wanted:
        paired.measure(compared, found, options.rounds)
        ratios = paired.compared(found)
        print(tables.table(*paired.table(ratios)) + "\n")
        verdicts += paired.judged(ratios)
    written = options.results / (paired.NAME if options.only == PAIRS else NAME)
    cells.write(written, [f"{title}; {options.rounds} rounds, {options.processes} processes, {options.counts} counts"],
                timed.COLUMNS, found)
    print(tables.table(["what", "at most", "is", "verdict"],
                       [[what, f"{bar:g}", value, "met" if met else "**not met**"] for what, bar, value, met in verdicts]))
    return 0 if all(met for *_, met in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
