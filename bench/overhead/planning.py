# SPDX-License-Identifier: BSD-3-Clause
"""Measures the planning time for machines of different sizes by planning_time, with interleaved repetitions."""

import csv
import io
import subprocess
import sys

from . import peers

GROUP = "planning"
PROGRAM = "planning_time"
# The timed steps. The machine is divided into slots, then the plan is made, then every team is planned.
SLOTS, PLAN, TEAMS = QUANTITIES = ("slots", "plan", "teams")


def measured(program, repetitions):
    """Yields the specification, the number of slots, the repetition, and the microseconds of each quantity."""
    text = subprocess.run([program, str(repetitions)], env=peers.plain_environment(), stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    for row in csv.DictReader(io.StringIO(text)):
        yield (row["specification"], row["slots"], int(row["repetition"]),
               {quantity: float(row[quantity + "_us"]) for quantity in QUANTITIES})


def run(build, figures, rounds):
    program = build.by_gcc(PROGRAM)
    if not program.exists():
        peers.skip("planning", f"{program} is not built")
        return ["not measured: planning_time is not built"]
    for spec, slots, repetition, times in measured(program, rounds):
        for quantity, value in times.items():
            figures.add(GROUP, spec, slots, quantity, repetition, value)
    print(f"planning: {rounds} rounds", file=sys.stderr)
    return []


def planned(figures, spec, processors):
    """Returns the sum of PLAN and TEAMS for each round, in microseconds."""
    plan, teams = (figures.of(GROUP, spec, processors, quantity) for quantity in (PLAN, TEAMS))
    return {number: value + teams[number] for number, value in plan.items() if number in teams}


def cases(figures):
    """Yields each specification with the number of processors of its machine."""
    return list(dict.fromkeys((spec, processors) for _, spec, processors, _ in figures.keys(GROUP)))
