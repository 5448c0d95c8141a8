#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs heat and nested STREAM in the NUMA guest; one thread initialises their arrays. Counts the memory accesses to each node, for each
remedy. There are runs with and without automatic balancing of the kernel. With balancing, the programs run for some more seconds before the
count. Also records the reports of `nestbind memory` about both programs."""

import json
import re
import shlex
import subprocess
import sys

import common
import counted
import memory_rounds
import memory_tables
from common import cells

SPECIFICATION = "1,scatter,16,compact"
CELLS = 48        # in each direction; an array has 1 MB
ELEMENTS = 65536  # for each thread; an array has 8 MiB
REPETITIONS = 2
TOLD = "/tmp/told"
LEAST = "512K"  # regions below this size are neither reported nor moved
FIXES = {"none": ["--serial"], "parallel": [], "block": ["--serial", "--fix=block"], "interleave": ["--serial", "--fix=interleave"],
         "apply": ["--serial"], "advise": ["--serial"]}
# Each run has a remedy, a kind of pages, and automatic balancing (0 or 1).
RUNS = [(how, "small", balancing) for how in FIXES for balancing in "01" if balancing == "1" or how not in ("apply", "advise")]
RUNS += [(how, "huge", balancing) for how in ("none", "block") for balancing in "01"]
KEY = ("program", "how", "pages", "balancing", "round")
QUANTITIES = ("accesses", "local_percent", "imbalance_percent", "controller0", "controller1", "controller2", "controller3", "moved")
ADVICE = ("regions", "alike", "remedy", "function", "line", "mebibytes", "samples", "local_percent", "imbalance_percent",
          "local_then_percent", "imbalance_then_percent")
# The smallest local share and the largest imbalance of STREAM, in per cent.
BARS = {"parallel": (99, 1), "block": (99, 1), "interleave": (0, 3)}


def libdw():
    """The command finds source lines only with this library."""
    listed = subprocess.run(["ldconfig", "-p"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return re.findall(r"libdw\.so\.1 .*=> (/\S+)", listed)[:1]


def command(name, how, seconds, program, build):
    """Returns a shell command. The command prints the output of the program, and then the report of nestbind."""
    options = [word for option in FIXES[how] + [f"--use={seconds:g}"] for word in (option.split("=") if name == "STREAM" else [option])]
    sizes = ["1", "16", CELLS] if name == "heat" else ["1", "16", ELEMENTS, REPETITIONS]
    # Heat accepts its numbers at any place, STREAM only after the options.
    words = [program, "--csv", *options, *sizes]
    environment = common.bound(build, SPECIFICATION)
    if how == "advise":
        words = [build.resolve() / "bin" / "nestbind", "memory", "--json", "--min", LEAST, "--output", TOLD, "--", *words]
        del environment["LD_PRELOAD"]
    if how == "apply":
        words = [build.resolve() / "bin" / "nestbind", "run", f"--memory=apply,json,min={LEAST}:{TOLD}", SPECIFICATION, "--", *words]
        del environment["LD_PRELOAD"]
    settings = [f"{variable}={value}" for variable, value in environment.items()]
    return f"rm -f {TOLD}; env {shlex.join(map(str, [*settings, *words]))}; status=$?; cat {TOLD} 2>/dev/null; exit $status"


def told(output, kind):
    """Returns the value of this key in the JSON objects that the command has printed."""
    lines = [line for line in output.splitlines() if line.startswith(f'{{"{kind}"')]
    return json.loads(lines[-1])[kind] if lines else None


def row_of(part, output):
    report = told(output, "memory")
    moved = sum(one["pages"] for one in report.get("applied", [])) if report else 0
    return [part.total("array"), f"{part.local('array'):.4f}", f"{part.imbalance('array'):.2f}", *part.controllers("array"), moved]


def advice_of(output):
    """Returns figures of the first region of the report, and how many regions have the same remedy."""
    report = told(output, "memory")
    if not report or not report["regions"]:
        return None
    first, *_ = regions = report["regions"]
    print("\n".join(region["text"] for region in regions[:2]), file=sys.stderr)
    source = first["first_touch"].get("source", [{}])[0]
    return [len(regions), sum(region["remedy"] == first["remedy"] for region in regions), first["remedy"],
            source.get("function", "-"), source.get("line", "-"), f"{first['bytes'] / 2**20:.1f}", first["samples"],
            first["local"], first["imbalance"], first.get("local_then", "-"), first.get("imbalance_then", "-")]


def misses(key, part):
    """Returns the limits that a run does not meet, or an empty text."""
    name, how, pages, *_ = key
    local, imbalance = BARS.get(how, (0, 200)) if (name, pages) == ("STREAM", "small") else (0, 200)
    if part.local("array") >= local and part.imbalance("array") <= imbalance:
        return ""
    return f"{' '.join(map(str, key))}: {part.local('array'):.2f} % local, imbalance {part.imbalance('array'):.2f} %"


def main():
    parser = memory_rounds.arguments(__doc__, int)
    parser.add_argument("--only", action="append", choices=list(FIXES), help="only these remedies; repeatable; writes no table")
    options = parser.parse_args()
    if options.tables:
        memory_tables.write(options.results)
        return
    work = memory_rounds.folder_of(options, "memory-programs")
    heat = options.build.resolve() / "bin" / "heat"
    if not heat.exists():
        sys.exit(f"{heat} is not built: it needs a Fortran compiler")
    programs = {"heat": heat, "STREAM": common.compiled("nested_stream", work, "-g", "-ffp-contract=off")["libgomp"]}
    rows, advice = [], []

    def add_jobs(boot, number):
        for name, program in programs.items():
            for how, pages, balancing in RUNS:
                if options.only and how not in options.only:
                    continue
                line = command(name, how, options.seconds if balancing == "1" else 1, program, options.build)
                kernel = {counted.BALANCING: balancing, counted.HUGE_PAGES: "always" if pages == "huge" else "never"}
                boot.add((name, how, pages, balancing, number), {}, ["sh", "-c", line], kernel)
        return 300 + 5 * options.seconds

    def take(number, found):
        wrong = []
        for key, (part, output) in found.items():
            if key[1] == "advise":
                advised = advice_of(output)
                advice.extend([[*key, *advised]] if advised else [])
                wrong += [] if advised else [f"{key[0]}: no advice"]
                continue
            rows.append([*key, *row_of(part, output)])
            wrong += filter(None, [misses(key, part)])
        if options.only:
            print(*rows, *advice, sep="\n")
            return wrong
        about = (f"{common.heading()}; heat of {CELLS}^3 cells, and STREAM with arrays of {ELEMENTS * 16 * 8 >> 20} MiB and {REPETITIONS} "
                 f"counted repetitions, 1x16 threads bound by {SPECIFICATION}; libgomp, -O3 and -O2, {common.number_of_rounds(number + 1)}; "
                 f"{options.seconds} s of use where balancing is on")
        cells.write_runs(options.results / memory_tables.PROGRAMS, about, KEY, QUANTITIES, rows)
        cells.write_runs(options.results / memory_tables.ADVICE, about, KEY, ADVICE, advice)
        memory_tables.write(options.results)
        return wrong

    memory_rounds.run(options, work, [*programs.values(), options.build.resolve() / "bin" / "nestbind", *libdw()], add_jobs, take)


if __name__ == "__main__":
    main()
