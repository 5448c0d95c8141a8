#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""The cost of a fork, a start and a plan: every OpenMP runtime and setting, and nestbind on it, side by side in one run. Writes the
raw figures to results/overhead.csv, and from them alone the tables, verdicts and pictures of README.md."""

import datetime
import os
import pathlib
import subprocess
import sys
import time

import runs
from overhead import figures, forks, peers, pictures, planning, startup, tables

PROCESSES = 300  # of each kind, for the start-up


def arguments():
    parser = runs.arguments(__doc__, rounds=7)
    parser.add_argument("--only", choices=(forks.GROUP, startup.GROUP, planning.GROUP),
                        help="measure this group again, and keep the others' figures")
    parser.add_argument("--processes", type=int, default=PROCESSES, help=f"of each kind, of the start-up ({PROCESSES})")
    parser.add_argument("--tables", action="store_true", help="measure nothing: tables and pictures from the figures")
    parser.add_argument("--install", action="store_true", help="get Intel's runtime (PyPI) into the build folder first")
    parser.add_argument("--document", type=pathlib.Path, default=runs.BENCH / "README.md",
                        help="where the tables go (README.md)")
    options = parser.parse_args()
    if options.rounds < 1 or options.processes < 1:
        parser.error("at least one round, and one process")
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
        sys.exit(f"{path}: not there; measure first")
    print(tables.write(found, options.document, options.results))
    pictures.draw(found, options.results)


if __name__ == "__main__":
    main()
