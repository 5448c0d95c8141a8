# SPDX-License-Identifier: BSD-3-Clause
"""Measures repeated forks in pairs. Each round runs the builds "before", "again" and "after", one directly after the other."""

import random
import statistics

from overhead import forks

from .copies import AFTER, AGAIN, BEFORE
from .timed import time_forks

NAME = "pairs.csv"
CONSTRUCT = "parallel"
CASES = ("1x2", "2x2", "4x4", forks.OUTER)
CONFIGURATIONS = ("libgomp nestbind", "libgomp nestbind active", "libgomp nestbind passive", "libomp hot nestbind")
BAR = 1.03
RESAMPLED = 2000


def measure(copies, cells, rounds):
    """Adds the times to `cells`, like timed.measure."""
    time_forks(copies, cells, rounds, CASES, CONFIGURATIONS)


def of_rounds(numerators, denominators):
    """Returns the ratios of all rounds that have both values."""
    return [value / denominators[number] for number, value in numerators.items() if number in denominators]


def spread(ratios):
    """In 95 of 100 random samples of the ratios, the median differs from 1 by at most the result."""
    order = random.Random(forks.SEED)
    medians = (statistics.median(order.choices(ratios, k=len(ratios))) for _ in range(RESAMPLED))
    return statistics.quantiles((abs(median - 1) for median in medians), n=20)[-1]


def compared(cells):
    found = {}
    for group, name, case, construct, build in cells:
        if build == BEFORE and construct == CONSTRUCT:
            before, again, after = (cells.get((group, name, case, construct, one), {}) for one in (BEFORE, AGAIN, AFTER))
            found[name, case] = statistics.median(before.values()), of_rounds(again, before), of_rounds(after, before)
    return found


def shown(ratios):
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"{middle:.3f} ({low:.3f} to {high:.3f})"


def table(found):
    head = ["configuration", "case", "before, us", "again", "after", "at most"]
    return head, [[name, case, f"{microseconds:.2f}", shown(again), shown(after), f"{BAR + spread(again):.3f}"]
                  for (name, case), (microseconds, again, after) in sorted(found.items())]


def judged(found):
    beyond = [f"{name} {case}: {statistics.median(after):.3f}, at most {BAR + spread(again):.3f}"
              for (name, case), (_, again, after) in found.items() if statistics.median(after) > BAR + spread(again)]
    yield f"repeated forks whose median ratio is above {BAR} and the spread of before to itself", 0, \
        "; ".join([f"{len(beyond)} of {len(found)}", *beyond]), not beyond
