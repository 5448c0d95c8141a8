#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs nested STREAM in the NUMA guest: unbound, bound, and with other tools. Counts the memory accesses to each node."""

import glob
import shutil
import sys

import common
import counted
import model

SHAPES = ("1x1", "1x4", "4x1", "4x4", "2x8", "8x2")
ELEMENTS = 524288  # 4 MiB for each member and array
REPETITIONS = 2
NATIVE = {"OMP_PROC_BIND": "spread,close", "OMP_PLACES": "cores"}


def likwid_files():
    """Returns the files that likwid-pin opens."""
    command = shutil.which("likwid-pin")
    if command is None:
        print("likwid is not installed: likwid-pin is left out", file=sys.stderr)
        return []
    libraries = glob.glob("/usr/lib/*/liblikwid*.so*") + glob.glob("/lib/*/libpthread.so.0")
    return [command, "/bin/bash", "/usr/bin/lua5.3", "/usr/share/lua/likwid.lua", *libraries]


def variants(runtime, shape, program, build, likwid):
    """Returns a dictionary: name -> (environment, command, settings of the kernel)."""
    outer, inner = shape.split("x")
    run = [program, "--csv", outer, inner, ELEMENTS, REPETITIONS]
    bound = common.bound(build, f"{outer},scatter,{inner},subscatter")
    found = {
        "bound": (bound, run, None),
        "unbound": ({}, run, None),
        "OMP_PROC_BIND=spread,close": (NATIVE, run, None),
    }
    if runtime == "libomp":
        found["KMP_AFFINITY=compact"] = {"KMP_AFFINITY": "granularity=core,compact"}, run, None
        found["KMP_AFFINITY=scatter"] = {"KMP_AFFINITY": "granularity=core,scatter"}, run, None
        return found
    found["unbound, no balancing"] = {}, run, {counted.BALANCING: "0"}
    found["bound, no huge pages"] = bound, run, {counted.HUGE_PAGES: "never"}
    found["numactl --interleave"] = {}, ["numactl", "--interleave=all", *run], None
    if likwid:
        found["likwid-pin"] = {}, ["likwid-pin", "-q", "-c", "0-15", *run], None
    return found


def main():
    options = common.arguments(__doc__, rounds=3).parse_args()
    work = options.work / "stream"
    work.mkdir(parents=True, exist_ok=True)
    programs = common.compiled("nested_stream", work, "-ffp-contract=off")
    likwid = likwid_files()
    runs = {}
    missing = 0
    for number in range(options.rounds):
        boot = counted.Boot(work, options.cache)
        boot.need(*programs.values(), *common.library_files(options.build), *likwid)
        for runtime, program in programs.items():
            for shape in SHAPES:
                for name, settings in variants(runtime, shape, program, options.build, likwid).items():
                    boot.add((runtime, shape, name, number), *settings)
        found = boot.run(seconds=300)
        runs.update(found)
        missing += len(boot.jobs) - len(found)
        write(options.results, runs, title(number + 1))
    if missing:
        sys.exit(f"{missing} runs failed")


def write(results, runs, about):
    """Writes all results. It is called after each round, so that an interruption loses only one round."""
    common.write_summary(results / "numa-stream.csv", runs, about, ("Barcelona", "Tigerton"), model)
    common.write_matrices(results / "numa-stream-traffic.csv", runs, about)


def title(rounds):
    return (f"{common.heading()}; nested STREAM, -O2, arrays of {ELEMENTS * 8 / 2**20:.0f} MiB for each member, "
            f"{REPETITIONS} counted repetitions, {common.number_of_rounds(rounds)}")


if __name__ == "__main__":
    main()
