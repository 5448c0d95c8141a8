# SPDX-License-Identifier: BSD-3-Clause
"""Measures the start of processes that never fork, the start of `nestbind run`, and the first fork of a process."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from . import peers

GROUP = "start-up"
SPEC = "2,scatter,2,subcompact"
RUN_SPEC = "2,scatter"
WALL, FIRST = "process", "first fork"
NEVER, COMMAND, FORK = "never forks", "nestbind run", "first fork"


def programs(build):
    found = {"true": [shutil.which("true")], "gcc": [build.by_gcc("first_fork")]}
    by_clang = build.by_clang("overhead/first_fork")
    if by_clang is not None:
        found["clang"] = [by_clang]
    return found


def cache_settings(build, folder):
    """Yields the settings without and with a cache of the topology."""
    if not peers.knows(build.library, "NESTBIND_CACHE"):
        peers.skip("first fork with a cache", "this libnestbind.so has none")
        return {"nestbind": {}}
    return {"nestbind": {"NESTBIND_CACHE": "off"}, "nestbind cached": {"NESTBIND_CACHE": str(folder)}}


def never_forking(build, found):
    empty = build.folder / "lib" / "libempty_preload.so"
    for name, command in found.items():
        command = command + ([] if name == "true" else ["0"])
        case = f"{NEVER}: {name}"
        yield "no preload", case, {}, command
        yield "empty preload", case, {"LD_PRELOAD": str(empty)}, command
        yield "nestbind", case, build.bound(SPEC), command


def by_command(build, found):
    settings = build.bound(RUN_SPEC)
    assignments = [f"{name}={value}" for name, value in settings.items()]
    yield "variables only", COMMAND, settings, found["true"]
    yield "static launcher", COMMAND, {}, [build.folder / "bin" / "launcher", *assignments, "--", *found["true"]]
    yield "nestbind run", COMMAND, {"NESTBIND_QUIET": "1"}, [build.folder / "bin" / "nestbind", "run", RUN_SPEC, "--",
                                                            *found["true"]]


def forking(build, found, folder):
    sizes = {"OMP_NUM_THREADS": "2"}
    for name, command in found.items():
        if name == "true":
            continue
        case = f"{FORK}: {name}"
        yield "native", case, sizes, command + ["2"]
        yield "native bound", case, sizes | {"OMP_PROC_BIND": "spread", "OMP_PLACES": "cores"}, command + ["2"]
        for configuration, cache in cache_settings(build, folder).items():
            yield configuration, case, build.bound(SPEC) | cache, command + ["2"]


def line_of(number, settings, command):
    return "\t".join([str(number), *(f"{name}={value}" for name, value in settings.items()), "--",
                      *(str(word) for word in command)])


def kinds(build, folder):
    """Yields the configuration, the case, the settings and the command of each kind of process."""
    found = programs(build)
    return [*never_forking(build, found), *by_command(build, found), *forking(build, found, folder)]


def spawned(build, wanted, rounds):
    lines = [line_of(number, settings, command) for number, (settings, command) in enumerate(wanted)]
    text = subprocess.run([build.by_gcc("spawn_times"), str(rounds)], input="\n".join(lines) + "\n",
                          env=peers.plain_environment(), stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in text.splitlines():
        number, repetition, wall, printed = line.split(",")
        yield int(number), int(repetition), float(wall), float(printed or "nan")


def quantity_of(case, wall, printed):
    return (FIRST, printed) if case.startswith(FORK) else (WALL, wall)


def run(build, figures, rounds):
    """Measures `rounds` processes of each kind."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("XDG_RUNTIME_DIR")) as name:
        wanted = kinds(build, pathlib.Path(name))
        times = list(spawned(build, [one[2:] for one in wanted], rounds))
    for which, number, wall, printed in times:
        configuration, case = wanted[which][:2]
        quantity, value = quantity_of(case, wall, printed)
        figures.add(GROUP, configuration, case, quantity, number, value)
    print(f"start-up: {rounds} rounds of {len(wanted)} processes", file=sys.stderr)
    return []
