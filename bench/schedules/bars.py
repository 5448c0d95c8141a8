# SPDX-License-Identifier: BSD-3-Clause
"""Compares the figures of shared loops with limits ("bars"). The figure of a configuration is the smallest value of its
rounds."""

import dataclasses
import math

from overhead.figures import pairs, quartiles

from . import peers, timed

RUNTIMES = ("libgomp", "libomp")
COST, SHAPES, UNSET = timed.Cost, timed.Shapes, timed.Unset
TAKE_NS = 40
HOOK_NS = 5
# A loop with nestbind may take this much longer than a loop of the runtime. For comparison, a static loop of one thread takes 18 ns on
# libgomp. With a tool, a barrier of LLVM's runtime takes 14 ns longer.
LOOP_MORE_NS = 25
REGION_MORE_NS = 80
HOOK_INSTRUCTIONS = 7  # a load, a test for null, a jump, and a few more if arguments are on the stack
# Hard cases: no schedule gains anything for these loops.
HARD = ("one iteration takes all", "some microseconds", "fewer iterations than threads", "no iteration", "one thread",
        "one thread, some microseconds", "8 threads on 2 processors", "a thousand loops")


@dataclasses.dataclass
class Bar:
    what: str
    at_most: float
    of: tuple = ()
    is_: float = 0
    spread: tuple = ()   # of the ratios within rounds
    unit: str = ""
    more: float = math.inf  # additional nanoseconds with nestbind
    or_more: float = 0

    def is_met(self):
        return self.is_ <= self.at_most or self.more <= self.or_more

    def verdict(self):
        if self.is_ <= self.at_most:
            return "met"
        return f"{self.more:.0f} ns more" if self.is_met() else "**not met**"


def values(figures, kind, runtime, schedule, case):
    return figures.of(kind.group, f"{runtime} {schedule}", case, kind.quantity)


def ratio(figures, kind, runtime, ours, others, case, what, at_most, or_more=0):
    """Compares nestbind's schedule with the fastest other schedule. Yields nothing if figures are missing."""
    mine = values(figures, kind, runtime, ours, case)
    known = {name: values(figures, kind, runtime, name, case) for name in others}
    known = {name: its for name, its in known.items() if its}
    if not mine or not known:
        return
    best = min(known, key=lambda name: min(known[name].values()))
    rounds = pairs(mine, known[best])
    if not rounds:
        return
    least, others_least = min(mine.values()), min(known[best].values())
    nanoseconds = 1000 if kind.quantity.endswith("_us") else 1
    yield Bar(what, at_most, (f"{runtime}, {case}: `{ours}` / `{best}`",), least / others_least,
              quartiles([one / other for one, other in rounds]), "", (least - others_least) * nanoseconds, or_more)


def cost_bars(figures):
    for runtime in RUNTIMES:
        for case in ("one each", "none", "nowait"):
            for threads in COST.threads:
                for ours in (peers.ALL_STATIC, peers.AUTO):
                    yield from ratio(figures, COST, runtime, ours, (peers.STATIC,), f"{threads}: {case}",
                                     f"a loop, to the runtime's own static, or {LOOP_MORE_NS} ns more", 1.0, LOOP_MORE_NS)
        mine = values(figures, COST, runtime, peers.SINGLE_TAKES, "2 threads: iteration")
        if mine:
            yield Bar("a take from the own queue, ns", TAKE_NS, (f"{runtime}: `{peers.SINGLE_TAKES}`, 2 threads",),
                      min(mine.values()), quartiles(mine.values()), "ns")


def shape_bars(figures):
    for runtime in RUNTIMES:
        yield from ratio(figures, SHAPES, runtime, peers.AUTO, (peers.GUIDED, peers.DYNAMIC), "ramp",
                         "uneven, to the best of guided and dynamic,8", 1.03)
        yield from ratio(figures, SHAPES, runtime, peers.AUTO, (peers.STATIC,), "ramp", "uneven, to static", 0.85)
        yield from ratio(figures, SHAPES, runtime, peers.AUTO, (peers.STATIC,), "cache", "in the cache, to static", 1.12)
        yield from ratio(figures, SHAPES, runtime, peers.AUTO, (peers.DYNAMIC,), "cache", "in the cache, to dynamic,8", 0.9)
        yield from ratio(figures, SHAPES, runtime, peers.AUTO, (peers.STATIC,), "even", "even, to static", 1.02)
        for case in HARD:
            yield from ratio(figures, SHAPES, runtime, peers.AUTO, (peers.STATIC,), case,
                             f"must not hurt, to static, or {REGION_MORE_NS} ns more", 1.05, REGION_MORE_NS)


def unset_bars(figures):
    for runtime in RUNTIMES:
        for case in UNSET.cases():
            mine = values(figures, UNSET, runtime, peers.UNSET, case)
            others = values(figures, UNSET, runtime, peers.WITHOUT, case)
            rounds = [one - other for one, other in pairs(mine, others)]
            if rounds:
                yield Bar("a hooked call with nothing set, ns more", HOOK_NS, (f"{runtime}, {case}",),
                          min(mine.values()) - min(others.values()), quartiles(rounds), "ns")
            counted = figures.of(UNSET.group, f"{runtime} {peers.UNSET}", case, UNSET.counted)
            if counted:
                yield Bar("a hooked call with nothing set, instructions of ours", HOOK_INSTRUCTIONS, (f"{runtime}, {case}",),
                          min(counted.values()), quartiles(counted.values()))


def all_bars(figures):
    yield from cost_bars(figures)
    yield from shape_bars(figures)
    yield from unset_bars(figures)
