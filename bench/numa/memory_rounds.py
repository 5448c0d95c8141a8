# SPDX-License-Identifier: BSD-3-Clause
"""What the counted runs of memory have in common: their options, and round after round in a guest each."""

import sys

import common
import counted

SECONDS = 20  # of use, in which the kernel or the library finds out who uses what: it scans once a second


def arguments(description, kind):
    """kind: of the number of seconds."""
    parser = common.arguments(description)
    parser.add_argument("--seconds", type=kind, default=SECONDS, help=f"of use before the counted part ({SECONDS})")
    parser.add_argument("--tables", action="store_true", help="count nothing: the tables from the figures")
    return parser


def folder_of(options, name):
    work = options.work / name
    work.mkdir(parents=True, exist_ok=True)
    return work


def run(options, work, files, add_jobs, take):
    """Runs the rounds. files: what the guest needs. add_jobs: adds a round's to a boot, by its number, and returns how many seconds they
    may take. take: of the number and what was found, keeps the figures, and returns what is wrong, as a list of texts. Ends the program
    where anything was."""
    wrong = []
    for number in range(options.rounds):
        boot = counted.Boot(work, options.cache)
        boot.need(*files, *common.library_files(options.build))
        found = boot.run(seconds=add_jobs(boot, number))
        wrong += ["a run failed"] * (len(boot.jobs) - len(found)) + take(number, found)
    if wrong:
        sys.exit("\n".join(wrong))
