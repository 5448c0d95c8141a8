# SPDX-License-Identifier: BSD-3-Clause
"""The groups of timed measurements: the cost of a loop, the times of loops of several shapes, and interposed calls."""

import csv
import io
import random
import shutil
import subprocess
import sys

from . import peers

SEED = 6
TIMEOUT = 120  # seconds for a process


class Cost:
    """A loop of empty iterations, on one thread and on two. Its figure is the smallest of a process's samples, in nanoseconds."""
    group, program, quantity = "cost", "loop_cost", "least_ns"
    threads = {"1 thread": 1, "2 threads": 2}
    schedules = (peers.STATIC, peers.DYNAMIC, peers.SINGLE, peers.GUIDED, peers.STEAL, peers.AUTO, peers.ALL_STATIC, peers.HALF,
                 peers.NONE_STATIC, peers.SINGLE_TAKES)

    @classmethod
    def cases(cls):
        return list(cls.threads)

    @classmethod
    def measure(cls, peer, case):
        text = peer.output(cls.program, ["--csv", cls.threads[case]], TIMEOUT)
        return {f"{case}: {row['case']}": float(row[cls.quantity]) for row in csv.DictReader(io.StringIO(text))}


class Shapes:
    """Regions with one loop each. The figure is the 10th percentile of a process's regions, in microseconds."""
    group, program, quantity = "shapes", "loop_shapes", "p10_us"
    # case: (shape, threads, regions, whether threads are bound)
    what = {
        "even": ("even", 2, 300, True),
        "ramp": ("ramp", 2, 300, True),
        "cache": ("cache", 2, 300, True),
        "one iteration takes all": ("one", 2, 300, True),
        "some microseconds": ("tiny", 2, 3000, True),
        "fewer iterations than threads": ("few", 2, 3000, True),
        "no iteration": ("none", 2, 3000, True),
        "one thread": ("even", 1, 300, True),
        "one thread, some microseconds": ("tiny", 1, 3000, True),
        "8 threads on 2 processors": ("even", 8, 50, False),
        "a thousand loops": ("many", 2, 50, True),
    }
    schedules = (peers.STATIC, peers.DYNAMIC, peers.GUIDED, peers.STEAL, peers.AUTO, peers.HALF, peers.MOST)

    @classmethod
    def cases(cls):
        return list(cls.what)

    @classmethod
    def measure(cls, peer, case):
        shape, threads, regions, binds = cls.what[case]
        text = peer.output(cls.program, ["--csv", shape, threads, regions], TIMEOUT, binds)
        row = next(csv.DictReader(io.StringIO(text)))
        return {case: float(row[cls.quantity])}


class Unset:
    """Calls that nestbind interposes, if no variable of nestbind is set. The figures are the nanoseconds and the instructions of one
    call."""
    group, program, quantity, counted = "unset", "hook_cost", "least_ns", "instructions"
    calls, samples, few = 100000, 50, 3000
    schedules = (peers.WITHOUT, peers.UNSET)

    @classmethod
    def cases(cls):
        return ["barrier", "loop"]

    @classmethod
    def measure(cls, peer, case):
        text = peer.output(cls.program, [case, cls.calls, cls.samples], TIMEOUT)
        return {case: float(next(csv.DictReader(io.StringIO(text)))[cls.quantity])}

    @classmethod
    def count(cls, peer, case):
        """Returns the instructions of one call."""
        few, many = (peer.instructions_of_ours(cls.program, [case, calls], TIMEOUT) for calls in (cls.few, 2 * cls.few))
        return (many - few) / cls.few


GROUPS = (Cost, Shapes, Unset)
PROGRAMS = tuple(group.program for group in GROUPS)


def run(kind, found, figures, rounds):
    """A round runs all cases in shuffled order, and for each case all peers in shuffled order. Returns the failures."""
    failed = []
    order = random.Random(SEED)
    found = [peer for peer in found if peer.schedule in kind.schedules or
             (peer.runtime not in ("libgomp", "libomp") and kind is not Unset)]
    for number in range(rounds):
        for case in order.sample(kind.cases(), len(kind.cases())):
            for peer in order.sample(found, len(found)):
                try:
                    for what, value in kind.measure(peer, case).items():
                        figures.add(kind.group, peer.name, what, kind.quantity, number, value)
                except subprocess.SubprocessError as fault:
                    failed.append(f"no figure of {peer.name}, {case}, round {number}: {type(fault).__name__}")
                    print(f"\n{failed[-1]}: {fault}", file=sys.stderr)
        print(f"\r{kind.group}: round {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return failed + (count(kind, found, figures) if kind is Unset else [])


def count(kind, found, figures):
    """Counts the instructions once, because the counts do not vary."""
    if shutil.which("valgrind") is None:
        return ["no instructions: valgrind is not installed"]
    for peer in found:
        if peer.schedule == peers.UNSET:
            for case in kind.cases():
                figures.add(kind.group, peer.name, case, kind.counted, 0, kind.count(peer, case))
    return []
