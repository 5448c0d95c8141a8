# SPDX-License-Identifier: BSD-3-Clause
"""Compares the figures with limits ("bars"). A ratio is the ratio of two medians over all rounds of a run."""

import dataclasses
import statistics

from . import forks, peers, planning, startup
from .figures import pairs, quartiles

RESOLUTION = 0.02  # microseconds; smaller overheads count as this value
POLICIES = ("", " active", " passive")
NESTBIND = "libgomp nestbind"
HOT_BOUND = "libomp hot bound"
HOT_NESTBIND = "libomp hot nestbind"
BY_LLVM = ("nestbind run --runtime=llvm", "gcc on libomp hot nestbind")
INNER = [(shape, construct) for shape in forks.SHAPES for construct in forks.CONSTRUCTS]

# A pair has two limits: a ratio, and a difference in nanoseconds. One of them must be met. The last two lines are in milliseconds.
FASTEST_NATIVE, TO_HOT, OVERSUBSCRIBED = 0.1, 2.0, {"2x2": 0.5, "2x4": 0.4, "4x4": 0.3}
SAME_POLICY, ON_LLVM, OUTER_LEVEL = (1.1, 0), (1.1, 60), (1.15, 60)
NEVER_FORKS, COMMAND, FIRST_FORK, FIRST_FORK_CACHED = 0.1, 1.0, 3.0, 0.5
PLANNED = {("1024", (1024,)): 0.15, ("1024", (32, 32)): 1.0, ("4096", (64, 64)): 10.0}  # by processors and team sizes


@dataclasses.dataclass
class Comparison:
    """A comparison of two configurations in the same case, or a single time."""
    what: str
    value: float     # a ratio, or milliseconds
    spread: tuple
    difference: float = 0  # of the medians, in nanoseconds

    def excess(self, bar, slack):
        """Returns more than 1 if both limits are exceeded."""
        return min(self.value / bar, self.difference / slack if slack else float("inf"))


@dataclasses.dataclass
class Row:
    what: str
    bar: float
    unit: str = ""
    slack: float = 0  # nanoseconds
    comparisons: list = dataclasses.field(default_factory=list)

    def worst(self):
        return max(self.comparisons, key=lambda one: one.excess(self.bar, self.slack), default=None)

    def misses(self):
        return [one for one in self.comparisons if one.excess(self.bar, self.slack) > 1]

    def verdict(self):
        if not self.comparisons:
            return "not measured"
        return "not met" if self.misses() else "met"


def ratio(figures, one, other, case, construct, other_case=None):
    """Returns a list with one comparison, or an empty list if figures are missing."""
    both = pairs(figures.of(forks.GROUP, one, case, construct), figures.of(forks.GROUP, other, other_case or case, construct))
    if not both:
        return []
    both = [(max(left, RESOLUTION), max(right, RESOLUTION)) for left, right in both]
    left, right = (statistics.median(values) for values in zip(*both))
    return [Comparison(f"{case} {construct}: {one} / {other}", left / right,
                       quartiles(mine / its for mine, its in both), 1000 * (left - right))]


def ratios(figures, one, other, cases):
    return [found for case, construct in cases for found in ratio(figures, one, other, case, construct)]


def more(figures, one, other, case, quantity):
    both = pairs(figures.of(startup.GROUP, one, case, quantity), figures.of(startup.GROUP, other, case, quantity))
    if not both:
        return []
    spread = quartiles((mine - its) / 1000 for mine, its in both)
    return [Comparison(f"{case}: {one} - {other}", spread[1], spread)]


def fastest_native(figures):
    native = [f"libgomp{bound}{policy}" for bound in ("", " bound") for policy in POLICIES]
    found = {name: figures.of(forks.GROUP, name, "1x2", "parallel") for name in native}
    found = {name: statistics.median(values.values()) for name, values in found.items() if values}
    return min(found, key=found.get, default=native[0])


def libgomp_rows(figures):
    yield Row("inner PARALLEL 1x2, libgomp with nestbind, to the fastest native libgomp setting", FASTEST_NATIVE,
              comparisons=ratio(figures, NESTBIND, fastest_native(figures), "1x2", "parallel"))
    yield Row("the same, to libomp with hot teams, bound", TO_HOT,
              comparisons=ratio(figures, NESTBIND, HOT_BOUND, "1x2", "parallel"))
    for shape, bar in OVERSUBSCRIBED.items():
        yield Row(f"inner PARALLEL {shape}, libgomp with nestbind, to libgomp bound, both passive", bar,
                  comparisons=ratio(figures, NESTBIND + " passive", "libgomp bound passive", shape, "parallel"))
    for native in ("bound", "unbound"):
        name = "libgomp bound" if native == "bound" else "libgomp"
        yield Row(f"any shape and construct, libgomp with nestbind, to native libgomp with the same wait policy, {native}",
                  SAME_POLICY[0], comparisons=[one for policy in POLICIES for one in
                                               ratios(figures, NESTBIND + policy, name + policy, INNER)])


def beside_rows(figures):
    for native in ("bound", "unbound"):
        name = "libgomp bound" if native == "bound" else "libgomp"
        for what, case in (("beside its own", forks.BESIDE), ("alone", forks.OUTER)):
            yield Row(f"the outer level beside kept inner workers, to native libgomp's {what}, same wait policy, {native}",
                      SAME_POLICY[0],
                      comparisons=[one for policy in POLICIES
                                   for one in ratio(figures, NESTBIND + policy, name + policy, forks.BESIDE, "parallel",
                                                    other_case=case)])


def llvm_rows(figures):
    by_llvm = next((name for name in BY_LLVM if figures.of(forks.GROUP, name, "1x2", "parallel")), BY_LLVM[0])
    yield Row("GCC program with --runtime=llvm, to a Clang build on libomp with hot teams, bound, all shapes",
              ON_LLVM[0], slack=ON_LLVM[1], comparisons=ratios(figures, by_llvm, HOT_BOUND, INNER))
    yield Row("the same, to GCC's program on libomp, bound by OMP_PROC_BIND", ON_LLVM[0], slack=ON_LLVM[1],
              comparisons=ratios(figures, by_llvm, "gcc on libomp hot bound", INNER))
    yield Row("libomp with nestbind, to libomp with hot teams, bound by OMP_PROC_BIND, all shapes", ON_LLVM[0],
              slack=ON_LLVM[1], comparisons=ratios(figures, HOT_NESTBIND, HOT_BOUND, INNER))
    yield Row("the same, to libomp with an idle OMPT tool", ON_LLVM[0], slack=ON_LLVM[1],
              comparisons=ratios(figures, HOT_NESTBIND, HOT_BOUND + peers.IDLE, INNER))
    outer = [(forks.OUTER, "parallel")]
    yield Row("outer PARALLEL of 2, with nestbind, to native bound, libgomp and libomp", OUTER_LEVEL[0],
              slack=OUTER_LEVEL[1],
              comparisons=[one for policy in POLICIES
                           for one in ratios(figures, NESTBIND + policy, "libgomp bound" + policy, outer)]
              + ratios(figures, HOT_NESTBIND, HOT_BOUND, outer))


def startup_rows(figures):
    cases = figures.names(startup.GROUP, 2)
    never = [case for case in cases if case.startswith(startup.NEVER)]
    first = [case for case in cases if case.startswith(startup.FORK)]
    yield Row("a process that never forks, with the library preloaded and a specification of numbers set, more than "
              "with an empty preload", NEVER_FORKS, "ms",
              comparisons=[one for case in never
                           for one in more(figures, "nestbind", "empty preload", case, startup.WALL)])
    yield Row("`nestbind run` itself, more than the process with its variables", COMMAND, "ms",
              comparisons=more(figures, "nestbind run", "variables only", startup.COMMAND, startup.WALL))
    yield Row("`nestbind run` itself, more than the least launcher", COMMAND, "ms",
              comparisons=more(figures, "nestbind run", "static launcher", startup.COMMAND, startup.WALL))
    for what, configuration, bar in (("without cache", "nestbind", FIRST_FORK),
                                     ("with cache", "nestbind cached", FIRST_FORK_CACHED)):
        yield Row(f"first fork, more than native: {what}", bar, "ms",
                  comparisons=[one for case in first for native in ("native", "native bound")
                               for one in more(figures, configuration, native, case, startup.FIRST)])


def sizes_of(spec):
    return tuple(int(word) for word in spec.split(",") if word.strip().isdigit())


def planning_rows(figures):
    for (processors, sizes), bar in PLANNED.items():
        found = []
        for spec, case in planning.cases(figures):
            if case == processors and sizes_of(spec) == sizes:
                spread = quartiles(value / 1000 for value in planning.planned(figures, spec, case).values())
                found.append(Comparison(f"`{spec}`", spread[1], spread))
        yield Row(f"{'x'.join(map(str, sizes))} on {processors} PUs, planned", bar, "ms", comparisons=found)


def all_rows(figures):
    return [*libgomp_rows(figures), *beside_rows(figures), *llvm_rows(figures), *startup_rows(figures), *planning_rows(figures)]
