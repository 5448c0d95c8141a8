#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the cost and the time of shared loops, with nestbind's schedules and with each runtime's own, in one run. Writes the raw figures
to results/schedules.csv. Makes the tables of schedules/README.md from this file only."""

import datetime
import os
import pathlib
import sys
import time

import runs
from schedules import peers, tables, timed
from overhead import figures

NAME = "schedules.csv"


def other(text):
    """Reads NAME:FILE:SCHEDULE[;SCHEDULE...]."""
    name, file, schedules = text.split(":", 2)
    return name, file, schedules.split(";")


def arguments():
    parser = runs.arguments(__doc__, rounds=7)
    parser.add_argument("--only", choices=[kind.group for kind in timed.GROUPS],
                        help="measure only this group again, and keep the figures of the other groups")
    parser.add_argument("--tables", action="store_true", help="only make the tables, from the recorded figures")
    parser.add_argument("--other", type=other, action="append", default=[], metavar="NAME:FILE:SCHEDULES",
                        help="another runtime in the place of LLVM's, such as LB4OMP, and its schedules, with ';' between them")
    parser.add_argument("--document", type=pathlib.Path, default=runs.BENCH / "schedules" / "README.md",
                        help="document that gets the tables (schedules/README.md)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: expected at least 1")
    return options


def load():
    return ", ".join(f"{value:.1f}" for value in os.getloadavg())


def measure(kind, found, results, rounds):
    results.drop(kind.group)
    before, begin = load(), time.monotonic()
    today = datetime.datetime.now().astimezone().isoformat(timespec="minutes")
    failed = timed.run(kind, found, results, rounds)
    results.notes[kind.group] = [f"{today}, {runs.machine()}", f"load average {before} before, {load()} after",
                                 f"{rounds} rounds in {time.monotonic() - begin:.0f} s", *failed]


def main():
    options = arguments()
    path = options.results / NAME
    results = figures.read(path)
    if not options.tables:
        found = list(peers.all_of(runs.Build(options), options.other, timed.PROGRAMS))
        for kind in timed.GROUPS:
            if options.only in (None, kind.group):
                measure(kind, found, results, options.rounds)
                results.write(path)
    contents = tables.write(results, options.document)
    if not contents:
        sys.exit(f"{path} does not exist: measure first")
    print(contents.get("loops-bars", ""))


if __name__ == "__main__":
    main()
