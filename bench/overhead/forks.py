# SPDX-License-Identifier: BSD-3-Clause
"""Measures PARALLEL, BARRIER and REDUCTION in inner teams, and forks of the outermost level, for every peer."""

import csv
import io
import random
import subprocess
import sys

from . import peers

GROUP = "forks"
SHAPES = ("1x2", "2x1", "2x2", "2x4", "4x4")
CONSTRUCTS = ("parallel", "barrier", "reduction")
OUTER = "outer 2"                  # without inner teams
BESIDE = "outer 2 beside 2x2"      # inner teams are forked before each sample
SAMPLES, TARGET, BUDGET = 15, 4000, 200  # number of samples, microseconds of a sample, milliseconds of all samples
TIMEOUT = 60                       # seconds for a process
SEED = 6


def call_of(case):
    """Returns the arguments of the program, and the specification."""
    rest = [SAMPLES, TARGET, BUDGET]
    if case == OUTER:
        return ["--csv", "--outer", 2, 0, *rest], "2,scatter"
    if case == BESIDE:
        return ["--csv", "--outer", 2, 2, *rest], "2,scatter,2,subcompact"
    outer, inner = case.split("x")
    return ["--csv", outer, inner, *rest], f"{outer},scatter,{inner},subcompact"


def measure(peer, case):
    """Returns the microseconds of each construct, as the median of the samples of one process."""
    given, spec = call_of(case)
    text = peer.output(given, spec, TIMEOUT)
    return {row["construct"]: float(row["median_us"]) for row in csv.DictReader(io.StringIO(text))
            if row["construct"] != "reference"}


def run(build, figures, rounds):
    """A round runs all cases in shuffled order, and for each case all peers in shuffled order. Returns the failures."""
    failed = []
    order = random.Random(SEED)
    found = list(peers.all_of(build))
    for peer in found:
        for case in SHAPES + (OUTER, BESIDE):
            for construct in CONSTRUCTS:
                figures.expect(GROUP, peer.name, case, construct)
    for number in range(rounds):
        for case in order.sample(SHAPES + (OUTER, BESIDE), len(SHAPES) + 2):
            for peer in order.sample(found, len(found)):
                if peer.cases and case not in peer.cases:
                    continue
                try:
                    for construct, value in measure(peer, case).items():
                        figures.add(GROUP, peer.name, case, construct, number, value)
                except subprocess.SubprocessError as fault:
                    failed.append(f"no figure of {peer.name}, {case}, round {number}: {type(fault).__name__}")
                    print(f"\n{failed[-1]}: {fault}", file=sys.stderr)
        print(f"\rforks: round {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return failed
