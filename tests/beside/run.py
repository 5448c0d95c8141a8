#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a nested program under nestbind together with other preloads, tools and launchers. The masks and the exit status of the program must
be the same as under nestbind alone, and the other tool must have done its work. A tool that is not installed is skipped.

usage: run.py [--case NAME]... FOLDER      FOLDER: a build tree or an installed prefix of nestbind
"""

import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "runner"))

import running  # noqa: E402

SPEC = "2,scatter,2,subcompact"
STATUS = 42

Finished = collections.namedtuple("Finished", "status out err")


def library(name):
    """Returns the path of a system library, or None if the library is missing."""
    return next((found for folder in ("/usr/lib/*-linux-gnu", "/usr/lib64") for found in sorted(glob.glob(f"{folder}/{name}"))), None)


class Trial:

    def __init__(self, folder, scratch):
        self.command = os.path.join(folder, "bin", "nestbind")
        found = [os.path.join(root, name) for root, _, names in os.walk(folder) for name in names if name == "libnestbind.so"]
        self.library, self.scratch = os.path.realpath(sorted(found, key=len)[0]), scratch
        self.program, self.tracer = self.path("program"), self.path("libtracer.so")
        subprocess.run(["gcc", "-O1", "-g", "-fopenmp", os.path.join(HERE, "program.c"), "-o", self.program], check=True)
        subprocess.run(["gcc", "-O1", "-shared", "-fPIC", os.path.join(HERE, "tracer.c"), "-o", self.tracer], check=True)

    def path(self, name):
        return os.path.join(self.scratch, name)

    def start(self, words, env=None):
        return Finished(*running.run(words, 120, env=running.environment(NESTBIND_QUIET="1", **(env or {})), cwd=self.scratch))

    def bound(self, *words, env=None, before=()):
        """Runs `words` under `nestbind run`."""
        return self.start([*before, self.command, "run", SPEC, "--", *words], env)


# Each function below returns a function that runs a tool in a trial.
def preloaded(pattern, **env):
    def tool(trial):
        path = library(pattern)
        if path is None:
            return None
        process = trial.bound(trial.program, os.path.basename(path), env={"LD_PRELOAD": path, **env})
        return process, os.path.basename(path) + " year" in process.out
    return tool


def by_command(name, *options, evidence, status=STATUS, **env):
    """nestbind run starts the tool, and the tool starts the program."""
    def tool(trial):
        if shutil.which(name) is None:
            return None
        process = trial.bound(name, *options, trial.program, env=env)
        return process._replace(status=STATUS if process.status == status else process.status), evidence(trial, process)
    return tool


def tracer(first):
    def tool(trial):
        if first:
            env = {"LD_PRELOAD": f"{trial.tracer}:{trial.library}", "OMP_NESTING_TEAM_SIZE": SPEC}
            process = trial.start([trial.program, "libtracer"], env)
        else:
            process = trial.bound(trial.program, "libtracer", env={"LD_PRELOAD": trial.tracer})
        return process, "tracer: regions 60 members 120 threads yes files yes" in process.err
    return tool


def has_file(pattern):
    return lambda trial, process: any(os.path.getsize(name) > 0 for name in glob.glob(trial.path(pattern)))


def says(text):
    return lambda trial, process: text in process.out + process.err


TOOLS = {
    "tracer before nestbind": tracer(True),
    "tracer after nestbind": tracer(False),
    "jemalloc": preloaded("libjemalloc.so.2"),
    "tcmalloc": preloaded("libtcmalloc_minimal.so.4"),
    "mimalloc": preloaded("libmimalloc.so.2*"),
    "libeatmydata": preloaded("libeatmydata.so"),
    "gperftools, CPU profiler": preloaded("libprofiler.so.0", CPUPROFILE="cpu.profile"),
    "faketime": by_command("faketime", "2001-02-03 04:05:06", evidence=says("year 2001")),
    "fakeroot": by_command("fakeroot", "--", evidence=says("year")),
    "heaptrack": by_command("heaptrack", "-o", "heap", evidence=has_file("heap*")),
    "valgrind memcheck": by_command("valgrind", "--error-exitcode=9", evidence=says("ERROR SUMMARY: 0 errors")),
    "valgrind callgrind": by_command("valgrind", "--tool=callgrind", evidence=has_file("callgrind.out.*")),
    "gdb": by_command("gdb", "-q", "-batch", "-ex", "run", "-ex", "quit", "--args", evidence=says("exited with code 052"), status=0),
    "strace": by_command("strace", "-f", "-o", "calls", evidence=has_file("calls")),
    "ltrace": by_command("ltrace", "-f", "-o", "functions", evidence=has_file("functions"), status=0),
    "perf": by_command("perf", "record", "-q", "-o", "perf.data", evidence=has_file("perf.data")),
    "likwid-perfctr": by_command("likwid-perfctr", "-c", "0", "-g", "CLOCK", evidence=says("Runtime (RDTSC)"), status=0),
    "numactl": by_command("numactl", "--interleave=all", evidence=says("year")),
    "time": by_command("time", "-v", evidence=says("Maximum resident set size")),
}


def masks(process):
    return re.findall(r"^\d\.\d [0-9a-f]{8}$", process.out, re.M)


def faults_of(alone, process, has_worked):
    faults = [] if masks(process) == masks(alone) else [f"masks {masks(process)}, alone {masks(alone)}"]
    faults += [] if has_worked else ["the tool has had no effect"]
    faults += [] if process.status == STATUS else [f"status {process.status}"]
    return faults + (process.out + process.err).splitlines()[-8:] if faults else []


def main():
    parser = running.parser(__doc__, without=("--build", "--all", "--jobs"))
    arguments = parser.parse_args()
    results = running.Results()
    for name in [name for name in TOOLS if not arguments.case or any(case in name for case in arguments.case)]:
        with tempfile.TemporaryDirectory(prefix="nestbind-beside-") as scratch:
            trial = Trial(os.path.abspath(arguments.folder), scratch)
            alone = trial.bound(trial.program)
            tried = TOOLS[name](trial)
            if tried is None:
                results.skip(name, "not installed")
            elif "Unsupported" in tried[0].err:  # likwid, on processors that it does not know
                results.skip(name, "it does not know this processor")
            else:
                results.show(name, faults_of(alone, *tried))
    return results.close()


if __name__ == "__main__":
    sys.exit(main())
