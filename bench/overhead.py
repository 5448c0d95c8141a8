#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the cost of a fork, a start and a plan. One run measures every OpenMP runtime with its own settings and with nestbind. Writes
the raw figures to results/overhead.csv. Makes the tables, verdicts and pictures of README.md from this file only."""

import datetime
import os
import pathlib
import subprocess
import sys
import time

import runs
from overhead import figures, forks, peers, pictures, planning, startup, tables

PROCESSES = 300  # of each kind, to measure the start-up


def arguments():
    parser = runs.arguments(__doc__, rounds=7)
    parser.add_argument("--only", choices=(forks.GROUP, startup.GROUP, planning.GROUP),
                        help="measure only this group again, and keep the figures of the other groups")
    parser.add_argument("--processes", type=int, default=PROCESSES, help=f"processes of each kind, to measure the start-up ({PROCESSES})")
    parser.add_argument("--tables", action="store_true", help="only make the tables and pictures, from the recorded figures")
    parser.add_argument("--install", action="store_true", help="first download Intel's runtime (PyPI) into the build folder")
    parser.add_argument("--document", type=pathlib.Path, default=runs.BENCH / "README.md",
                        help="document that gets the tables (README.md)")
    options = parser.parse_args()
    if options.rounds < 1 or options.processes < 1:
        parser.error("--rounds and --processes: expected at least 1")
    return options


def first_line(*command):
    try:
        text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    except OSError:
        return "not installed"
    return text.splitlines()[0].strip() if text else "?"


def versions(build):
    intel = build.folder / "runtimes" / "libiomp5.version"
    found = [first_line("gcc", "--version"),
             first_line(build.clang, "--version"), first_line("likwid-pin", "--version"),
             "libiomp5 " + (intel.read_text(encoding="utf-8").strip() if intel.exists() else "not there"),
             "Linux " + os.uname().release, first_line(build.folder / "bin" / "nestbind", "--version")]
    return ", ".join(found)


def load():
    return ", ".join(f"{value:.1f}" for value in os.getloadavg())


def measure(group, build, found, options):
    found.drop(group.GROUP)
    rounds = options.processes if group is startup else options.rounds
    before, begin = load(), time.monotonic()
    today = datetime.datetime.now().astimezone().isoformat(timespec="minutes")
    failed = group.run(build, found, rounds)
    found.notes[group.GROUP] = [f"{today}, {runs.machine()}", f"load average {before} before, {load()} after",
                                f"{rounds} rounds in {time.monotonic() - begin:.0f} s", versions(build), *failed]


def main():
    options = arguments()
    path = options.results / figures.NAME
    found = figures.read(path)
    if not options.tables:
        build = runs.Build(options)
        if options.install:
            peers.install(build)
        for group in (startup, planning, forks):
            if options.only in (None, group.GROUP):
                measure(group, build, found, options)
                found.write(path)
    elif not path.exists():
        sys.exit(f"{path} does not exist: measure first")
    print(tables.write(found, options.document, options.results))
    pictures.draw(found, options.results)


if __name__ == "__main__":
    main()
