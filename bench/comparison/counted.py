# SPDX-License-Identifier: BSD-3-Clause
"""Instructions and system calls of a start, of a first fork and of a warm fork. These counts decide, because they hardly vary.

A warm fork is counted with two processes: one process has N forks, the other process has 2N forks. The difference of their counts, divided
by N, is the count of one warm fork. `ours` are the instructions of our own libraries and of the command. `with called` also counts
the functions that our libraries call in other libraries, but not in an OpenMP runtime. `process` is the number of all instructions of a
process with one thread. The system calls futex and sched_yield are not counted.

If nestbind sees valgrind, it does not keep the workers of inner teams, so unfollowed.c hides valgrind."""

import dataclasses
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from overhead import peers

from . import callgrind
from .copies import AFTER, AGAIN, BEFORE, BUILDS

GROUP = "counted"
FORKS = 100
TIMEOUT = 120  # time limit of a process, in seconds
OURS, CALLED, PROCESS, SYSTEM_CALLS = "ours", "with called", "process", "system calls"
START, FIRST, WARM = "start", "first fork", "warm fork"
# The allowed excess of a count is the larger of two values: a number, and a fraction of the count.
ALLOWED = {(START, OURS): (0, 0.0005), (START, PROCESS): (0, 0.0005), (START, SYSTEM_CALLS): (0, 0),
           (FIRST, OURS): (0, 0.001), (FIRST, CALLED): (0, 0.002), (FIRST, SYSTEM_CALLS): (0, 0),
           (WARM, OURS): (1, 0), (WARM, CALLED): (10, 0), (WARM, SYSTEM_CALLS): (0.1, 0)}
RUNTIMES = ("libgomp", "libomp", "libiomp")


@dataclasses.dataclass
class Case:
    kind: str
    name: str
    spec: str     # if empty, the library is preloaded, but does nothing
    words: tuple
    settings: dict = dataclasses.field(default_factory=dict)
    only: str = ""


NO_CACHE, FRESH = {"NESTBIND_CACHE": "off"}, {"NESTBIND_WORKERS": "fresh"}
NEW_WORKERS = "level 2, new workers"  # the C library creates them, with varying numbers of instructions
NESTED = "1,scatter,2,subcompact"


def warm(name, spec, outer, inner, **rest):
    return [Case(WARM, name, spec, ("comparison/warm_forks", outer, inner, forks), **rest) for forks in (FORKS, 2 * FORKS)]


CASES = (
    Case(START, "no specification", "", ("overhead/first_fork", 0)),
    Case(START, "specification", "2,scatter,2,subcompact", ("overhead/first_fork", 0)),
    Case(FIRST, "no cache", "2,scatter", ("comparison/warm_forks", 2, 0, 1), NO_CACHE),
    Case(FIRST, "cache", "2,scatter", ("comparison/warm_forks", 2, 0, 1)),
    *warm("level 1", "2,scatter", 2, 0),
    *warm("level 2", NESTED, 1, 2),
    *warm(NEW_WORKERS, NESTED, 1, 2, settings=FRESH, only="libgomp"),
)


@dataclasses.dataclass
class Configuration:
    name: str
    by_clang: bool
    by_command: bool
    settings: dict
    counting: dict    # variables for valgrind: waiting threads do not spin
    calling: dict     # variables for strace: waiting threads do not sleep


HOT = peers.HOT
CONFIGURATIONS = (
    Configuration("libgomp", False, False, {}, {"GOMP_SPINCOUNT": "0"}, {}),
    Configuration("libomp", True, False, HOT, {"KMP_BLOCKTIME": "0"}, {"KMP_BLOCKTIME": "infinite"}),
    Configuration("nestbind run --runtime=llvm", False, True, HOT, {"KMP_BLOCKTIME": "0"},
                  {"KMP_BLOCKTIME": "infinite"}),
)


class Counter:
    def __init__(self, copies, cache):
        self.copies = copies
        self.cache = cache
        self.programs = copies[BEFORE].programs
        self.unfollowed = self.programs.library("comparison/unfollowed")

    def is_possible(self, configuration, case):
        if case.only not in ("", configuration.name) or (configuration.by_command and not case.spec):
            return False
        return self.programs.clang is not None or configuration.name == "libgomp"

    def run(self, build, configuration, case, before=(), settings=None, preloads=()):
        copy = self.copies[build]
        source, *given = case.words
        program = (self.programs.by_clang if configuration.by_clang else self.programs.by_gcc)(source)
        environment = {"NESTBIND_QUIET": "1", "NESTBIND_CACHE": str(self.cache / copy.folder.name)}
        environment |= configuration.settings | case.settings | (settings or {})
        command = [program, *given]
        if configuration.by_command:
            command = [copy.folder / "bin" / "nestbind", "run", "--runtime=llvm", case.spec, "--", *command]
        else:
            environment["LD_PRELOAD"] = ":".join(str(one) for one in (copy.library, *preloads))
            if case.spec:
                environment["OMP_NESTING_TEAM_SIZE"] = case.spec
        subprocess.run([str(word) for word in (*before, *command)], env=peers.plain_environment() | environment,
                       stdout=subprocess.DEVNULL, timeout=TIMEOUT, check=True)

    def instructions(self, build, configuration, case):
        own, called = callgrind.count(lambda before: self.run(build, configuration, case, before,
                                                              configuration.counting, [self.unfollowed]))
        ours = sum(count for name, count in own.items() if is_ours(name))
        yield OURS, ours
        yield CALLED, ours + sum(count for (one, other), count in called.items()
                                 if is_ours(one) and is_library(one) and not is_ours(other) and is_library(other))
        if case.kind == START:
            yield PROCESS, sum(own.values())

    def system_calls(self, build, configuration, case):
        with tempfile.NamedTemporaryFile("r") as log:
            before = ["strace", "-f", "-qq", "-o", log.name, "-e", "trace=!futex,sched_yield"]
            self.run(build, configuration, case, before, configuration.calling)
            starts = (line.split(None, 1)[1] for line in log if len(line.split(None, 1)) == 2)
            yield SYSTEM_CALLS, sum("(" in call and not call.startswith(("<", "-", "+")) for call in starts)


def is_ours(name):
    return pathlib.Path(name).name.startswith(("libnestbind", "nestbind"))


def is_library(name):
    base = pathlib.Path(name).name
    return ".so" in base and not base.startswith(RUNTIMES)


def count(copies, cells, repetitions):
    tools = [(tool, shutil.which(tool)) for tool in ("valgrind", "strace")]
    for tool, path in tools:
        if path is None:
            sys.exit(f"{tool} is not installed (Debian: {tool})")
    with tempfile.TemporaryDirectory() as cache:
        counter = Counter(copies, pathlib.Path(cache))
        for build, copy in copies.items():
            (counter.cache / copy.folder.name).mkdir(exist_ok=True)
        possible = [(one, case) for one in CONFIGURATIONS for case in CASES if counter.is_possible(one, case)]
        for configuration, case in possible:
            if case.name == "cache":
                for build in BUILDS:
                    counter.run(build, configuration, case)
            for number in range(repetitions):
                for build in BUILDS:
                    for measure in (counter.instructions, counter.system_calls):
                        for quantity, value in measure(build, configuration, case):
                            key = GROUP, configuration.name, title(case), quantity, build
                            cells.setdefault(key, {})[number] = value
            print(f"counted: {configuration.name}, {title(case)}", file=sys.stderr, flush=True)


def title(case):
    return f"{case.kind}: {case.name}" + (f", {case.words[-1]} forks" if case.kind == WARM else "")


def settled(quantity, by_round):
    """Returns the smallest count of system calls, or the most frequent count of instructions."""
    return min(by_round.values() if quantity == SYSTEM_CALLS else statistics.multimode(by_round.values()))


def rows(cells):
    """Yields the configuration, the case, the quantity, and the counts of the three builds."""
    for configuration in CONFIGURATIONS:
        for kind, name in dict.fromkeys((case.kind, case.name) for case in CASES):
            for quantity in (OURS, CALLED, PROCESS, SYSTEM_CALLS):
                def of(build, suffix=""):
                    key = GROUP, configuration.name, f"{kind}: {name}{suffix}", quantity, build
                    return settled(quantity, cells[key])

                try:
                    if kind == WARM:
                        counts = [(of(build, f", {2 * FORKS} forks") - of(build, f", {FORKS} forks")) / FORKS
                                  for build in BUILDS]
                    else:
                        counts = [of(build) for build in BUILDS]
                except KeyError:
                    continue
                yield configuration.name, kind, name, quantity, dict(zip(BUILDS, counts))


def excess(kind, name, quantity, counts):
    """Returns a positive number if the count of the new build is too large. Returns None if the count has no limit."""
    if (kind, quantity) not in ALLOWED or (name, quantity) == (NEW_WORKERS, CALLED):
        return None
    fixed, part = ALLOWED[kind, quantity]
    most = max(counts[BEFORE], counts[AGAIN])
    return counts[AFTER] - most - max(fixed, part * most)


def table(cells):
    shown = []
    for configuration, kind, name, quantity, counts in rows(cells):
        over = excess(kind, name, quantity, counts)
        verdict = "" if over is None else "**more**" if over > 0 else "met"
        shown.append([configuration, f"{kind}: {name}", quantity, *(f"{counts[build]:g}" if kind == WARM else
                                                                    f"{counts[build]}" for build in BUILDS), verdict])
    return ["", "of each", "", "before", "again", "after", ""], shown


def judged(cells):
    for what, quantities in (("instructions", (OURS, CALLED, PROCESS)), (SYSTEM_CALLS, (SYSTEM_CALLS,))):
        wanted = [(row, excess(*row[1:])) for row in rows(cells) if row[3] in quantities]
        wanted = [(row, over) for row, over in wanted if over is not None]
        more = [f"{row[0]}, {row[1]}: {row[2]}, {row[3]}" for row, over in wanted if over > 0]
        yield f"{what} above before: of starts, first forks and warm forks", 0, \
            f"{len(more)} of {len(wanted)}" + "".join(f"; {one}" for one in more), not more
