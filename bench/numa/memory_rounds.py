# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the counted runs of memory: options, and rounds. Each round has a guest of its own."""

import sys

import common
import counted

SECONDS = 20  # of use; meanwhile the kernel or the library sees which node uses which pages: one scan each second


def arguments(description, kind):
    """kind: what the number of seconds means."""
    parser = common.arguments(description)
    parser.add_argument("--seconds", type=kind, default=SECONDS, help=f"of use before the counted part ({SECONDS})")
    parser.add_argument("--tables", action="store_true", help="count nothing: the tables from the figures")
    return parser


def folder_of(options, name):
    work = options.work / name
    work.mkdir(parents=True, exist_ok=True)
    return work


def run(options, work, files, add_jobs, take):
    """Runs the rounds. files: what the guest needs. add_jobs: adds the jobs of a round, given its number, to a boot, and returns their
    time limit in seconds. take: gets the number and the results, stores the figures, and returns the faults, as a list of texts. Ends
    the program if there were faults."""
    wrong = []
    for number in range(options.rounds):
        boot = counted.Boot(work, options.cache)
        boot.need(*files, *common.library_files(options.build))
        found = boot.run(seconds=add_jobs(boot, number))
        wrong += ["a run failed"] * (len(boot.jobs) - len(found)) + take(number, found)
    if wrong:
        sys.exit("\n".join(wrong))
