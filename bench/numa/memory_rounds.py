# SPDX-License-Identifier: BSD-3-Clause
"""Shared by memory.py and memory_programs.py: options, and rounds."""

import sys

import common
import counted

SECONDS = 20  # of use; the kernel or the library scans the pages once a second


def arguments(description, kind):
    """`kind` is the type of the number of seconds (int or float)."""
    parser = common.arguments(description)
    parser.add_argument("--seconds", type=kind, default=SECONDS, help=f"seconds of use before the counted part ({SECONDS})")
    parser.add_argument("--tables", action="store_true", help="only make the tables, from the recorded figures")
    return parser


def folder_of(options, name):
    work = options.work / name
    work.mkdir(parents=True, exist_ok=True)
    return work


def run(options, work, files, add_jobs, take):
    """The guest gets `files`. add_jobs(boot, number) must call boot.add() for each job of a round, and return the time limit of a job in
    seconds. take(number, results) must store the figures of a round, and return a list of faults."""
    wrong = []
    for number in range(options.rounds):
        boot = counted.Boot(work, options.cache)
        boot.need(*files, *common.library_files(options.build))
        found = boot.run(seconds=add_jobs(boot, number))
        wrong += ["a run failed"] * (len(boot.jobs) - len(found)) + take(number, found)
    if wrong:
        sys.exit("\n".join(wrong))
