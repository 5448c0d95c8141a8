#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Runs millions of consecutive nowait loops with several schedules of nestbind.

Before a loop, some threads wait (nowait.c). The runtimes are libgomp and libomp; libomp runs code of GCC, too. Prints the faults, and adds
the counts to results/loops-nowait.csv. The exit status is 1 if there is a fault."""

import argparse
import collections
import csv
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tests" / folder) for folder in ("matrix", "runner")]

import variant as variants  # noqa: E402

SETTINGS = ("hybrid", "hybrid,f=0", "hybrid,f=0.5,chunk=1", "hybrid,taper,loops=all", "hybrid,queue=all,loops=all",
            "hybrid,weights=measured,loops=all", "hybrid,f=0,chunk=1,loops=all")
COMPETING = ("OMP_", "GOMP_", "KMP_", "NESTBIND_", "LD_PRELOAD")
COLUMNS = ("variant", "setting", "processes", "loops", "iterations", "wrong", "seconds")
HANG = 600  # seconds for one process


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="build tree or installed prefix")
    parser.add_argument("--loops", type=float, default=10e6, help="loops of each variant (10e6)")
    parser.add_argument("--slice", type=int, default=100000, help="loops of one process (100000)")
    parser.add_argument("--variant", action="append", default=[], help="gcc-libgomp, clang19-libomp, gcc-libomp; repeatable")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first process (1)")
    parser.add_argument("--minutes", type=float, default=1e9, help="start no new process after this time")
    parser.add_argument("--results", type=pathlib.Path, default=HERE.parent / "results", help="folder for the record (bench/results/)")
    return parser.parse_args()


def programs(folder):
    """Compiles the programs. Returns a program and a value of LD_LIBRARY_PATH for each variant."""
    folder.mkdir(parents=True, exist_ok=True)
    for compiler in ("gcc", "clang-19"):
        variants.run_quietly([compiler, "-O2", "-fopenmp", HERE / "nowait.c", "-o", folder / f"nowait-{compiler}"])
    return {"gcc-libgomp": (folder / "nowait-gcc", ""), "clang19-libomp": (folder / "nowait-clang-19", variants.libomp_folder()),
            "gcc-libomp": (folder / "nowait-gcc", variants.private_gomp(str(folder), variants.libomp_folder()))}


def stacks(process):
    if subprocess.run(["which", "gdb"], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        return ""
    command = ["gdb", "-q", "-batch", "-p", str(process), "-ex", "thread apply all backtrace 12"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stdout


def is_taken(program, path, library, report):
    """Returns True if nestbind distributes the iterations of this program's loops."""
    fault = run(program, path, "hybrid,loops=all", library, 2000, 1, {"NESTBIND_REPORT": f"json:{report}"})[1]
    told = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {"loops": []}
    # 2000 loops are twenty rounds of a hundred loops, in two teams. The report counts each loop of a team as one execution.
    return not fault and sum(loop["executions"] for loop in told["loops"]) >= 1800


def run(program, path, setting, library, loops, seed, more=()):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(COMPETING)}
    environment |= {"LD_PRELOAD": library, "NESTBIND_SCHEDULE": setting, "LD_LIBRARY_PATH": path, "KMP_WARNINGS": "0",
                    "OMP_WAIT_POLICY": "active" if seed % 4 == 3 else "passive"} | dict(more)
    process = subprocess.Popen([program, str(loops), str(seed)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        out, error = process.communicate(timeout=HANG)
    except subprocess.TimeoutExpired:
        fault = "hangs\n" + stacks(process.pid)
        process.kill()
        process.communicate()
        return (0, 0, 0), fault
    found = re.fullmatch(r"(\d+) loops, (\d+) iterations, (\d+) wrong\n", out)
    if found is None or error or process.returncode != 0:
        return tuple(map(int, found.groups())) if found else (0, 0, 0), f"status {process.returncode}\n{error}"
    return tuple(map(int, found.groups())), ""


def read(path):
    counts = collections.defaultdict(lambda: [0] * 5)
    if path.exists():
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                counts[row["variant"], row["setting"]] = [int(row[name]) for name in COLUMNS[2:]]
    return counts


def record(path, counts):
    with open(path, "w", encoding="utf-8", newline="") as file:
        load = ", ".join(f"{number:.0f}" for number in os.getloadavg())
        file.write(f"# {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}, {os.cpu_count()} processors, load average {load} at the end\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for names, numbers in sorted(counts.items()):
            writer.writerow((*names, *(round(number) for number in numbers)))


def main():
    options = arguments()
    library = variants.Library.find(str(options.folder)).preload
    found = programs(options.folder.resolve() / "nowait")
    path = options.results / "loops-nowait.csv"
    counts = read(path)
    wanted = options.variant or list(found)
    for variant in wanted:
        if not is_taken(*found[variant], library, options.folder.resolve() / "nowait" / f"report-{variant}"):
            sys.exit(f"{variant}: nestbind does not share the loops")
    seed = options.seed
    is_good = True
    end = time.monotonic() + 60 * options.minutes

    def done(variant):
        return sum(numbers[1] for (name, _), numbers in counts.items() if name == variant)

    while time.monotonic() < end and any(done(variant) < options.loops for variant in wanted):
        for variant in wanted:
            if done(variant) >= options.loops:
                continue
            setting = SETTINGS[seed % len(SETTINGS)]
            begin = time.monotonic()
            numbers, fault = run(*found[variant], setting, library, options.slice, seed)
            if fault:
                is_good = False
                print(f"wrong: {variant} {setting} seed {seed}: {fault}", flush=True)
            for i, number in enumerate((1, *numbers, time.monotonic() - begin)):
                counts[variant, setting][i] += number
            record(path, counts)
        seed += 1
    for variant in wanted:
        print(f"{variant}: {done(variant)} loops")
    wrong = sum(numbers[3] for numbers in counts.values())
    print(f"{wrong} wrong iterations")
    return 0 if is_good and wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
