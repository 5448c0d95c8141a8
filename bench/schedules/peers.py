# SPDX-License-Identifier: BSD-3-Clause
"""The compared schedules for loops with schedule(runtime): each runtime's own schedules, and nestbind's schedules on the same runtime."""

import dataclasses
import pathlib

from comparison import callgrind
from overhead import peers as runtimes

STATIC, DYNAMIC, SINGLE, GUIDED, STEAL = "static", "dynamic,8", "dynamic,1", "guided", "static_steal"
AUTO, ALL_STATIC, HALF, MOST, NONE_STATIC = ("hybrid", "hybrid,f=1", "hybrid,f=0.5,chunk=8", "hybrid,f=0.75,chunk=8",
                                             "hybrid,f=0,chunk=8")
SINGLE_TAKES = "hybrid,f=0,chunk=1"
# In these configurations no schedule is set, so the times show the cost of the hooks.
WITHOUT, UNSET = "without nestbind", "nothing set"
BOUND = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}  # the same for all schedules


@dataclasses.dataclass
class Peer:
    """A schedule on a runtime."""
    runtime: str
    schedule: str
    programs: dict  # program files by name
    settings: dict

    @property
    def name(self):
        return f"{self.runtime} {self.schedule}"

    def output(self, program, given, timeout, binds=True):
        """Raises subprocess.SubprocessError if the program fails or takes too long."""
        settings = self.settings | (BOUND if binds else {})
        return runtimes.Peer(self.name, self.programs[program], lambda spec: settings).output(given, "", timeout)

    def instructions_of_ours(self, program, given, timeout):
        """Returns how many instructions of libnestbind.so the program executes, counted by valgrind."""
        own, _ = callgrind.count(lambda before: runtimes.Peer(
            self.name, self.programs[program], lambda spec: self.settings, lambda spec: before).output(given, "", timeout))
        return sum(count for name, count in own.items() if pathlib.Path(name).name.startswith("libnestbind.so"))


def of_runtime(build, name, programs, where, schedules):
    for schedule in schedules:
        yield Peer(name, schedule, programs, where | {"OMP_SCHEDULE": schedule})
    yield Peer(name, WITHOUT, programs, where)
    yield Peer(name, UNSET, programs, where | build.preloaded())
    for schedule in (AUTO, ALL_STATIC, HALF, MOST, NONE_STATIC, SINGLE_TAKES):
        # If nestbind does not replace dynamic,1, the loops become slow.
        yield Peer(name, schedule, programs, where | build.preloaded() | {"NESTBIND_SCHEDULE": schedule,
                                                                          "OMP_SCHEDULE": SINGLE})


def all_of(build, others, names):
    """Yields all peers. `others` has (name, file, schedules) of runtimes that replace LLVM's, for example LB4OMP."""
    own = (STATIC, DYNAMIC, SINGLE, GUIDED)
    yield from of_runtime(build, "libgomp", {name: build.by_gcc(name) for name in names}, {}, own)
    by_clang = {name: build.by_clang(name) for name in names}
    if None in by_clang.values():
        return
    yield from of_runtime(build, "libomp", by_clang, {}, (*own, STEAL))
    for name, file, schedules in others:
        where = runtimes.in_place_of(build, "libomp.so.5", pathlib.Path(file).resolve())
        for schedule in schedules:
            yield Peer(name, schedule, by_clang, where | {"OMP_SCHEDULE": schedule})
