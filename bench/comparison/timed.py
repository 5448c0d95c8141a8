# SPDX-License-Identifier: BSD-3-Clause
"""Measures the times of forks, starts and plans, for the configurations of ../overhead.py with nestbind. Runs of the builds "before",
"again" and "after" are interleaved."""

import dataclasses
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

from overhead import forks, peers, planning, startup, verdicts

from .copies import AFTER, AGAIN, BEFORE, BUILDS

COLUMNS = ("group", "configuration", "case", "quantity", "build")
OURS = "nestbind"  # the names of the compared configurations contain this word
PLANNINGS = 3      # repetitions in a process; the median is recorded
MEAN_BAR = 1.01
MORE_THAN_SPREAD = 0.03
HALVES = 200


def add(cells, key, number, value):
    cells.setdefault(key, {})[number] = value


def time_forks(copies, cells, rounds, cases=forks.SHAPES + (forks.OUTER, forks.BESIDE), wanted=()):
    """If `wanted` is empty, all configurations with nestbind are measured."""
    order = random.Random(forks.SEED)
    found = {build: {peer.name: peer for peer in peers.all_of(copy) if OURS in peer.name}
             for build, copy in copies.items() if build != AGAIN}
    found[AGAIN] = found[BEFORE]
    names = [name for name in found[BEFORE] if name in found[AFTER] and (not wanted or name in wanted)]
    for number in range(rounds):
        for case in order.sample(cases, len(cases)):
            for name in order.sample(names, len(names)):
                for build in order.sample(BUILDS, len(BUILDS)):
                    try:
                        for construct, value in forks.measure(found[build][name], case).items():
                            add(cells, (forks.GROUP, name, case, construct, build), number, value)
                    except subprocess.SubprocessError as fault:
                        print(f"\nno figure of {name}, {case}, {build}, round {number}: {fault}", file=sys.stderr)
        print(f"\rforks: round {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def time_starts(copies, cells, processes):
    with tempfile.TemporaryDirectory() as name:
        wanted = []
        for build, copy in copies.items():
            cache = pathlib.Path(name) / copy.folder.name
            cache.mkdir(exist_ok=True)
            wanted += [(*one, build) for one in startup.kinds(copy, cache) if one[0].startswith(OURS)]
        times = startup.spawned(copies[BEFORE], [one[2:4] for one in wanted], processes)
    for which, number, wall, printed in times:
        configuration, case, _, _, build = wanted[which]
        quantity, value = startup.quantity_of(case, wall, printed)
        add(cells, (startup.GROUP, configuration, case, quantity, build), number, value)


def time_planning(copies, cells, rounds):
    if not all(copy.by_build(planning.PROGRAM).exists() for copy in copies.values()):
        peers.skip("planning", f"not both builds have {planning.PROGRAM}")
        return
    order = random.Random(forks.SEED)
    for number in range(rounds):
        for build in order.sample(BUILDS, len(BUILDS)):
            found = {}
            for spec, slots, _, times in planning.measured(copies[build].by_build(planning.PROGRAM), PLANNINGS):
                found.setdefault((spec, slots, planning.SLOTS), []).append(times[planning.SLOTS])
                found.setdefault((spec, slots, "planned"), []).append(times[planning.PLAN] + times[planning.TEAMS])
            for key, values in found.items():
                add(cells, (planning.GROUP, *key, build), number, statistics.median(values))


def measure(copies, cells, rounds, processes):
    """Adds repetitions to `cells`."""
    time_starts(copies, cells, processes)
    time_planning(copies, cells, rounds)
    time_forks(copies, cells, rounds)


def tenth(values):
    """Returns the 10th percentile of the repetitions, because disturbances only make a run longer."""
    values = [max(value, verdicts.RESOLUTION) for value in values]
    return statistics.quantiles(values, n=10, method="inclusive")[0] if len(values) > 1 else values[0]


def spread(values):
    """Divides the values into two random halves, many times. Returns the largest ratio of the two halves."""
    order = random.Random(forks.SEED)
    half = len(values) // 2
    most = 1
    for _ in range(HALVES):
        values = order.sample(values, len(values))
        one, other = tenth(values[:half]), tenth(values[half:])
        most = max(most, one / other, other / one)
    return most


@dataclasses.dataclass
class Compared:
    """The ratios of 10th percentiles for one cell."""
    again: float
    after: float
    least: float   # after / the slower of before and again
    spread: float

    def leaves(self):
        return self.least > self.spread + MORE_THAN_SPREAD


def ratios(cells):
    """Returns a Compared for each cell."""
    found = {}
    for *cell, build in cells:
        three = [list(cells.get((*cell, one), {}).values()) for one in BUILDS]
        if build == BEFORE and all(three):
            before, again, after = (tenth(values) for values in three)
            found[tuple(cell)] = Compared(again / before, after / before, after / max(before, again),
                                          spread(three[0] + three[1]))
    return found


def mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def table(found):
    """Returns a row for each configuration, with the means over its cells, and its worst cell."""
    configurations = {}
    for cell, ratio in found.items():
        name = cell[:1] if cell[0] == planning.GROUP else cell[:2]
        configurations.setdefault(" ".join(name), []).append((ratio, cell))
    rows = []
    for name, some in configurations.items():
        worst, cell = max(some, key=lambda one: one[0].after)
        rows.append([name, str(len(some)), f"{mean(ratio.again for ratio, _ in some):.3f}",
                     f"{mean(ratio.after for ratio, _ in some):.3f}", f"{worst.after:.3f}", " ".join(cell[-2:])])
    return ["10th percentiles, to before", "cells", "before again", "after", "the worst, after", "of"], rows


def judged(found):
    """Yields (quantity, limit, value, is_met)."""
    again, after = (mean(values) for values in zip(*((ratio.again, ratio.after) for ratio in found.values())))
    yield "geometric mean of the ratios, after to before", MEAN_BAR, f"{after:.4f}; before again {again:.4f}", \
        after <= MEAN_BAR
    beyond = [f"{' '.join(cell)}: {ratio.after:.3f}, before again {ratio.again:.3f}, spread {ratio.spread:.3f}"
              for cell, ratio in found.items() if ratio.leaves()]
    yield "cells that leave the spread of before to before by more than three points", 0, \
        "; ".join([f"{len(beyond)} of {len(found)}", *beyond]), not beyond
