#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the gain and the cost of nestbind on the machine of a site. Rounds of all cells run in shuffled order, until the time is over.
See site.sh."""

import argparse
import csv
import getpass
import io
import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import cells
import runs

MINUTES = 18
PATIENCE = 120  # seconds for one run
COLUMNS = ("part", "shape", "variant", "quantity")
ELEMENTS, REPETITIONS = 4000000, 8  # A thread's part of an array is larger than the caches.
SAMPLES = (5, 1000)  # of EPCC's method: the number of samples, and the microseconds of a sample


class Failed(Exception):
    """Raised if a run has no figures; the text says why."""


def nodes():
    return len(list(pathlib.Path("/sys/devices/system/node").glob("node[0-9]*"))) or 1


def shapes():
    """Returns three shapes: a full team for each node, one team of all processors, and a one-thread team for each node."""
    processors = len(os.sched_getaffinity(0))
    outer = max(2, nodes())
    inner = max(2, processors // outer)
    return [f"{outer}x{inner}", f"1x{max(2, processors)}", f"{outer}x1"]


def elements():
    """Returns ELEMENTS, or fewer if the three arrays of all threads would take more than a quarter of the free memory."""
    pages = os.sysconf("SC_AVPHYS_PAGES") // len(os.sched_getaffinity(0))
    return min(ELEMENTS, pages * os.sysconf("SC_PAGE_SIZE") // 4 // 3 // 8)


def started(words, settings):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(runs.COMPETING)} | settings
    try:
        done = subprocess.run([str(word) for word in words], env=environment, capture_output=True, text=True, errors="replace",
                              timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"it takes more than {PATIENCE} s") from None
    if done.returncode != 0:
        raise Failed(f"exit status {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def variants(build, spec):
    return {"unbound": {}, "native": runs.NATIVE, "bound": build.bound(spec), "auto": build.bound("auto")}


def stream(build, shape, settings, before=()):
    outer, inner = shape.split("x")
    text = started([*before, build.by_gcc("nested_stream"), "--csv", outer, inner, elements(), REPETITIONS],
                   {"OMP_MAX_ACTIVE_LEVELS": "2"} | settings)
    return {f"{row['kernel']}_GBps": row["median_GBps"] for row in csv.DictReader(io.StringIO(text))}


def constructs(build, shape, settings):
    outer, inner = shape.split("x")
    text = started([build.by_gcc("nested_syncbench"), "--csv", outer, inner, *SAMPLES], {"OMP_MAX_ACTIVE_LEVELS": "2"} | settings)
    return {f"{row['construct']}_us": row["median_us"] for row in csv.DictReader(io.StringIO(text)) if row["construct"] != "reference"}


def first_fork(build, threads, settings, before=()):
    text = started([*before, build.folder / "bin" / "first_fork", threads], {"OMP_NUM_THREADS": str(threads)} | settings)
    return {"first_fork_us": text.strip()}


def watched(build, run):
    """Returns the figures of a run under `nestbind memory`, and how many events were seen and lost."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report"
        figures = run([build.folder / "bin" / "nestbind", "memory", "--format", "json", "--output", report, "--"])
        told = [json.loads(line)["memory"] for line in report.read_text(encoding="utf-8").splitlines()] if report.exists() else []
    if told:  # if the run was too short, there is no report
        figures.update({name: sum(one[name] for one in told) for name in ("first_touches", "hints", "lost")})
    return figures


def hybrid(program, launcher, ranks, shape, settings, binding):
    outer, inner = shape.split("x")
    text = started([*launcher, "-n", ranks, *binding, program, outer, inner],
                   {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_MAX_ACTIVE_LEVELS": "2"} | settings)
    return {"Mcells_per_s": text.split()[0]}


def hybrid_calls(build, notes):
    """Yields MPI runs with a rank for each node: unbound, bound by mpiexec itself, and bound by nestbind."""
    compiler, launcher = shutil.which("mpicc"), shutil.which("mpiexec")
    if compiler is None or launcher is None:
        notes.append("no mpicc or no mpiexec: no MPI program")
        return
    program = build.folder / "bin" / "hybrid"
    subprocess.run([compiler, "-O3", "-fopenmp", runs.BENCH / "hybrid.c", "-o", program], check=True)
    version = started([launcher, "--version"], {}).splitlines()[0]
    notes.append(f"MPI: {version}")
    option = "--bind-to" if "Open" in version else "-bind-to"
    ranks = max(2, nodes())
    threads = max(1, len(os.sched_getaffinity(0)) // ranks)
    shape = f"2x{threads // 2}" if threads >= 4 else f"1x{threads}"
    spec = shape.replace("x", ",scatter,") + ",subcompact"
    for variant, settings, binding in (("unbound", {}, "none"), ("native", runs.NATIVE, "numa"),
                                       ("bound", build.bound(spec), "none")):
        yield (("mpi", f"{ranks} ranks of {shape}", variant),
               lambda s=settings, b=binding: hybrid(program, [launcher], ranks, shape, s, [option, b]))


def calls_of(build, notes):
    for shape in shapes():
        outer, inner = shape.split("x")
        for variant, settings in variants(build, f"{outer},scatter,{inner},subscatter").items():
            yield ("stream", shape, variant), lambda s=shape, v=settings: stream(build, s, v)
        for variant, settings in variants(build, f"{outer},scatter,{inner},subcompact").items():
            yield ("constructs", shape, variant), lambda s=shape, v=settings: constructs(build, s, v)
    shape = shapes()[0]
    yield ("watch", shape, "bound, watched"), lambda: watched(build, lambda before: stream(
        build, shape, build.bound(shape.replace("x", ",scatter,") + ",subscatter"), before))
    threads = len(os.sched_getaffinity(0))
    for variant, settings in variants(build, f"{threads},scatter").items():
        yield ("first fork", str(threads), variant), lambda v=settings: first_fork(build, threads, v)
    yield ("first fork", str(threads), "unbound, watched"), lambda: watched(
        build, lambda before: first_fork(build, threads, {}, before))
    yield from hybrid_calls(build, notes)


def nameless(text):
    """Returns the text without the names of this host and this user, and without the folder of the source."""
    host = socket.gethostname()
    for name in (str(runs.BENCH.parent), socket.getfqdn(), host, host.split(".")[0], getpass.getuser(), str(pathlib.Path.home())):
        if len(name) > 1:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "-", text)
    return text


def about(build):
    yield runs.heading()
    yield f"Linux {os.uname().release}; nestbind {started([build.folder / 'bin' / 'nestbind', '--version'], {}).split()[-1]}"
    if shutil.which("gcc"):
        yield started(["gcc", "--version"], {}).splitlines()[0]
    for path in sorted(pathlib.Path("/sys/devices/system/node").glob("node[0-9]*")):
        yield f"{path.name}: processors {(path / 'cpulist').read_text().strip()}, distances {(path / 'distance').read_text().strip()}"


def measure(calls, minutes, notes):
    """Runs all cells once in each round, each time in another order. Ends if the remaining time is perhaps too short for one more round."""
    found, dropped, begin, longest, number = {}, set(), time.monotonic(), 0, 0
    shuffled = random.Random(1)
    while number == 0 or time.monotonic() - begin + longest < 60 * minutes:
        start = time.monotonic()
        order = [key for key in calls if key not in dropped]
        shuffled.shuffle(order)
        for key in order:
            if time.monotonic() - begin > 60 * minutes:
                break
            try:
                for quantity, value in calls[key]().items():
                    found.setdefault((*key, quantity), {})[number] = value
            except (Failed, OSError, ValueError, KeyError) as why:
                dropped.add(key)
                notes.append(f"{', '.join(key)}: {type(why).__name__} {' '.join(str(why).split())}")
        longest = max(longest, time.monotonic() - start)
        number += 1
        print(f"\rround {number}, {time.monotonic() - begin:.0f} s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    notes.append(f"{number} rounds in {time.monotonic() - begin:.0f} s")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"minutes for all runs ({MINUTES})")
    parser.add_argument("--clang", default="")
    parser.add_argument("file", type=pathlib.Path)
    options = parser.parse_args()
    build = runs.Build(options)
    notes = list(about(build))
    calls = dict(calls_of(build, notes))
    found = measure(calls, options.minutes, notes)
    ordered = {key: found[key] for call in calls for key in found if key[:3] == call}
    cells.write(options.file, [nameless(note) for note in notes], COLUMNS, ordered)
    print(f"{options.file}: {options.file.stat().st_size / 1000:.0f} kB")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
