# SPDX-License-Identifier: BSD-3-Clause
"""Tests the machine cache: one process reads the machine and caches it for the next process."""

import json
import os
import shutil
import struct
import tempfile
from contextlib import contextmanager

import case as cases

VARIANTS = ("gcc-libgomp-preload", "clang19-libomp-preload")
TOPOLOGY = "/sys/devices/system/cpu/cpu0/topology"
HWLOC = "libhwloc.so"


def two_threads(machine="here 2"):
    case = cases.Case(name="cached", where="cached.py", machine=machine, spec="2,scatter", run=["script", "fork=2"])
    first, second = ("first", "second") if case.kernel else ("0", "8")
    case.expected = {("-", "0"): first, ("-", "1"): second}
    return case


class Runs:
    """Runs the programs of one variant, and collects the faults."""

    def __init__(self, runner, variant):
        self.runner = runner
        self.variant = variant
        self.wrong = []

    def opened(self, case, **env):
        """Runs the case, and returns strace's log of the opened files."""
        case.env = {"XDG_RUNTIME_DIR": "", **env}
        with tempfile.NamedTemporaryFile("r", prefix="strace-", dir=self.runner.folder) as log:
            before = [shutil.which("strace"), "-f", "--seccomp-bpf", "-qq", "-o", log.name, "-e", "trace=open,openat"]
            status, out, err = self.runner.run(self.variant, case, before)
            self.wrong += cases.judge(case, status, out, err, self.runner.names(case))
            return log.read()

    def reads(self, why, case=None, **env):
        names = self.opened(case or two_threads(), **env)
        if case is None and TOPOLOGY not in names:
            self.wrong.append(f"{why}: the topology is not read from the kernel")
        if HWLOC not in names:
            self.wrong.append(f"{why}: hwloc is not loaded")

    def adopts(self, why, **env):
        names = self.opened(two_threads(), **env)
        for name in (TOPOLOGY, HWLOC):
            if name in names:
                self.wrong.append(f"{why}: {name} is opened")

    def holds(self, why, folder, files):
        found = os.listdir(folder) if os.path.isdir(folder) else []
        if len(found) != files:
            self.wrong.append(f"{why}: {files} files expected, there are {found}")
        return [os.path.join(folder, name) for name in found]


@contextmanager
def folder_for(runs):
    with tempfile.TemporaryDirectory(prefix="cache-", dir=runs.runner.folder) as folder:
        yield folder


def adopted(runs):
    with folder_for(runs) as folder:
        runs.reads("the first process", NESTBIND_CACHE=folder)
        runs.holds("the first process", folder, 1)
        runs.adopts("the second process", NESTBIND_CACHE=folder)
        runs.holds("the second process", folder, 1)


def by_default(runs):
    with folder_for(runs) as folder:
        runs.reads("the first process", XDG_RUNTIME_DIR=folder)
        runs.adopts("the second process", XDG_RUNTIME_DIR=folder)
        runs.holds("the second process", folder, 1)
        runs.reads("off", XDG_RUNTIME_DIR=folder, NESTBIND_CACHE="off")


def nowhere(runs):
    with folder_for(runs) as folder:
        runs.reads("off", XDG_RUNTIME_DIR=folder, NESTBIND_CACHE="off")
        runs.reads("a described machine", two_threads("barcelona"), NESTBIND_CACHE=folder)
        runs.reads("a variable of hwloc", NESTBIND_CACHE=folder, HWLOC_COMPONENTS="-x86")
        os.chmod(folder, 0o777)
        runs.reads("a folder that others can write to", NESTBIND_CACHE=folder)
        runs.holds("no machine may be cached", folder, 0)


def is_made(runs):
    with folder_for(runs) as folder:
        made = os.path.join(folder, "made")
        runs.reads("the first process", NESTBIND_CACHE=made)
        runs.adopts("the second process", NESTBIND_CACHE=made)
        if os.path.isdir(made) and os.stat(made).st_mode & 0o777 != 0o700:
            runs.wrong.append("the folder is not for the user alone")


def through_a_link(runs):
    with folder_for(runs) as folder:
        target, link = os.path.join(folder, "target"), os.path.join(folder, "link")
        os.mkdir(target, 0o700)
        os.symlink(target, link)
        for end in ("", "/", "/.", "//./", "/.."):
            runs.reads(f"a link with '{end}' at its end", NESTBIND_CACHE=link + end)
        runs.holds("a link", target, 0)
        runs.holds("a link", folder, 2)


def hashed(body):
    """Returns the hash of a cache file, computed as in lib/planner/machine/cache/record.hpp."""
    whole = (1 << 64) - 1
    value = 0xcbf29ce484222325 + len(body)
    for at in range(0, len(body), 8):
        word, = struct.unpack("<Q", body[at:at + 8].ljust(8, b"\0"))
        value = (value ^ word) * 0x9e3779b97f4a7c15 & whole
        value ^= value >> 32
    return value


def impossible_machines(cpus):
    """Returns {description: record} of machines that are impossible, or that are not this machine. An object is a list of its parent, its
    type, whether it is a board, and its level. The last two entries are its first processor, and the processor after its last one. The root
    has neither parent nor processors."""
    def record(numbers, objects, allowed=None, numa=()):
        n = len(numbers)
        flat = [n, *numbers, n, *(allowed or [1] * n), 0, 1, len(objects), *sum(objects, [])]
        flat += [len(numa), *sum(([len(node), *node] for node in numa), []), 0]
        return struct.pack(f"<{len(flat)}i", *flat)

    machine, core = [0, 0, 0], 9
    count = len(cpus)
    cores = [[0, core, 0, 1, i, i + 1] for i in range(count)]
    return {
        "without cores": record(cpus, [machine]),
        "with cores that leave processors out": record(cpus, [machine, *cores[:-1]]),
        "with a core in a core": record(cpus, [machine, [0, core, 0, 1, 0, count], [1, core, 0, 2, 0, 1]]),
        "with no processor allowed": record(cpus, [machine, *cores], [0] * count),
        "with one processor twice": record([cpus[0]] * count, [machine, *cores]),
        "with processors beyond every mask": record([1 << 19, *cpus[1:]], [machine, *cores]),
        "with other processors": record([cpu + 4000 for cpu in cpus], [machine, *cores]),
        "with NUMA nodes that overlap": record(cpus * 1 + [4000], [machine, *cores, [0, core, 0, 1, count, count + 1]],
                                               numa=([0, 1], [1, 2])),
        "of nothing": record([], [machine]),
    }


def overwritten(runs):
    """Report, cache and machine must follow the original settings if a program overwrites its environment."""
    def case_on(expected):
        case = two_threads()
        case.run = ["script", "overwrite", "fork=2"]
        case.expected = {("-", str(thread)): cpus for thread, cpus in enumerate(expected)}
        return case

    with folder_for(runs) as folder:
        cache, report = os.path.join(folder, "cache"), os.path.join(folder, "report")
        runs.opened(case_on(["first", "second"]), NESTBIND_CACHE=cache)
        runs.holds("the first process", cache, 1)
        runs.adopts("the second process", NESTBIND_CACHE=cache)
        runs.opened(case_on(["all", "all"]), NESTBIND_REPORT=f"json:{report}", NESTBIND_MACHINE="pack:2 core:8 pu:1")
        with open(report, encoding="utf-8") as lines:
            threads = [thread["cpus"] for line in lines for thread in json.loads(line)["threads"]]
        if threads != [[0], [8]]:
            runs.wrong.append(f"on a described machine the report has {threads}")


def impossible(runs):
    """A cache file with a valid hash and impossible contents must be replaced."""
    with folder_for(runs) as folder:
        runs.reads("the first process", NESTBIND_CACHE=folder)
        for name in runs.holds("the first process", folder, 1):
            with open(name, "rb") as file:
                good = file.read()
            begin = 24  # the bytes before are magic number, format and hash
            key, = struct.unpack("<Q", good[begin:begin + 8])
            for why, record in impossible_machines(sorted(runs.runner.allowed)).items():
                body = good[begin:begin + 8 + key] + record
                with open(name, "wb") as file:
                    file.write(good[:16] + struct.pack("<Q", hashed(body)) + body)
                runs.reads(f"a machine {why}", NESTBIND_CACHE=folder)
                runs.adopts(f"after a machine {why}", NESTBIND_CACHE=folder)
                with open(name, "rb") as file:
                    if file.read() != good:
                        runs.wrong.append(f"a machine {why} is not replaced")


def left_behind(runs):
    """Tests a cache folder in which a killed process has left a temporary file."""
    with folder_for(runs) as folder:
        runs.reads("the first process", NESTBIND_CACHE=folder)
        for name in runs.holds("the first process", folder, 1):
            os.rename(name, name + ".4711.1700000000.123456789")
            runs.reads("after a killed writer", NESTBIND_CACHE=folder)
            runs.holds("after a killed writer", folder, 1)
            runs.adopts("the process after it", NESTBIND_CACHE=folder)


def not_believed(runs):
    with folder_for(runs) as folder:
        runs.reads("the first process", NESTBIND_CACHE=folder)
        for name in runs.holds("the first process", folder, 1):
            with open(name, "rb") as file:
                good = file.read()
            damages = {"cut": good[:-1], "changed": good[:-9] + b"\1" + good[-8:], "empty": b"",
                       "of another boot": good.replace(b"-", b"+")}
            for why, damaged in damages.items():
                with open(name, "wb") as file:
                    file.write(damaged)
                runs.reads(why, NESTBIND_CACHE=folder)
                runs.adopts(f"after a file that was {why}", NESTBIND_CACHE=folder)
            os.chmod(name, 0o666)
            runs.reads("a file that others can write to", NESTBIND_CACHE=folder)
            runs.adopts("the process after it", NESTBIND_CACHE=folder)


def run_action(runner, variant, action):
    runs = Runs(runner, variant)
    action(runs)
    return f"{variant.name} cached/{action.__name__.replace('_', '-')}", runs.wrong


def check(runner, found, pool):
    """Returns a name and a list of faults for each test."""
    if shutil.which("strace") is None or len(runner.allowed) < 2:
        print("not run cached: needs strace and 2 processors")
        return []
    actions = (adopted, by_default, nowhere, is_made, not_believed, through_a_link, impossible, left_behind, overwritten)
    pairs = [(variant, action) for variant in found if variant.name in VARIANTS for action in actions]
    return list(pool.map(lambda pair: run_action(runner, *pair), pairs))
