#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""What NESTBIND_MEMORY=advise costs: processor time and time of heat, nested STREAM, and a program that does little but
malloc and free, each plain, plain once more, and watched. Interleaved; writes the raw figures to results/memory-cost.csv, and
prints a table, and another one of what a sample takes (sample_time.cpp)."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import cells
import runs

VARIANTS = ("plain", "plain again", "advise")
QUANTITIES = ("processor_s", "time_s", "sampler_s")
# Threads that wait spin for as long as others have the processors: processor time would be of that.
PASSIVE = {"OMP_WAIT_POLICY": "passive"}
LEAST = "1M"  # smaller regions than by default are looked at, which costs more


def programs(build):
    """Name, command and settings. Mapped anew: each block is memory that was never touched, which is the worst case."""
    churn = [build.by_gcc("memory_churn")]
    return {
        "heat": ([build.by_gcc("heat"), "1", "2", "110"], PASSIVE),
        "STREAM": ([build.by_gcc("nested_stream"), "1", "2", "2000000", "300"], PASSIVE),
        "malloc and free": (churn + ["600000"], {}),
        "malloc and free, mapped anew": (churn + ["2400"], {"MALLOC_MMAP_THRESHOLD_": "131072"}),
    }


def measured(command, settings, report):
    """Processor time and time of a process, seconds, and of its sampler where it has told that; it is stopped by its failure."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(runs.COMPETING)} | settings
    begin = time.perf_counter()
    with subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begin
    if process.returncode != 0:
        sys.exit(f"{command}: exit status {process.returncode}")
    sampler = cells.MISSING
    if os.path.exists(report):
        with open(report, encoding="utf-8") as file:
            sampler = json.load(file)["memory"]["sampler_seconds"]
        os.remove(report)
    return usage.ru_utime + usage.ru_stime, seconds, sampler


def tenth(values):
    return sorted(values)[len(values) // 10]


def rows_of(results, names):
    for name in names:
        plain = [run[0] for run in results[name, VARIANTS[0]]]
        for variant in VARIANTS:
            own = results[name, variant]
            used = [run[0] for run in own]
            ratio = statistics.median(runs.ratios(used, plain))
            samplers = [100 * float(run[2]) / run[1] for run in own if run[2] != cells.MISSING]
            yield [name, variant, f"{tenth(used):.3f}", f"{100 * (tenth(used) / tenth(plain) - 1):+.1f}",
                   f"{statistics.median(used):.3f}", f"{100 * (ratio - 1):+.1f}",
                   f"{statistics.median(samplers):.2f}" if samplers else ""]


def main():
    options = runs.arguments(__doc__, rounds=11).parse_args()
    build = runs.Build(options)
    title = f"{runs.heading()}; {options.rounds} rounds, regions from {LEAST} on"
    wanted = programs(build)
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report")
        watched = build.preloaded() | {"NESTBIND_MEMORY": f"advise,json,min={LEAST}:{report}"}
        calls = {(name, variant): lambda command=command, own=settings | (watched if variant == "advise" else {}):
                 measured(command, own, report)
                 for name, (command, settings) in wanted.items() for variant in VARIANTS}
        results = runs.interleaved(options.rounds, calls)
    cells.write_runs(options.results / "memory-cost.csv", title, ("program", "variant", "round"), QUANTITIES,
                     [key + (number, *figures) for key, values in results.items() for number, figures in enumerate(values)])
    runs.print_table("Processor time, s and per cent more than plain; the sampler's part of the time, per cent",
                     ["program", "variant", "10th percentile", "%", "median", "median of ratios, %", "sampler, %"],
                     list(rows_of(results, wanted)))
    print("A sample of a hint fault, of an array of some size, nanoseconds\n")
    lines = [line.split(",") for line in runs.output_of(build.by_gcc("sample_time"), [], {}).splitlines()]
    runs.print_table("", ["array", "for", "10th percentile", "median"], lines[1:])


if __name__ == "__main__":
    main()
