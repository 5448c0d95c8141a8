#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that each iteration of a loop runs exactly once, also on an overloaded machine. Repeats the cases of tests/matrix/cases/loops.case
with every setting, while busy loops use the processors. Prints the faults, and writes results/loops-coverage.csv. The exit status is 1 if
there is a fault."""

import argparse
import collections
import csv
import os
import pathlib
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(BENCH.parent / "tests" / folder) for folder in ("matrix", "runner")]

import case as cases  # noqa: E402
import variant as variants  # noqa: E402
from runner import Runner  # noqa: E402

SETTINGS = ("hybrid", "hybrid,f=0", "hybrid,f=0.5", "hybrid,f=1", "hybrid,chunk=1", "hybrid,chunk=8", "hybrid,taper",
            "hybrid,queue=l3", "hybrid,queue=numa", "hybrid,queue=all", "hybrid,weights=measured", "hybrid,f=0.5,chunk=1,loops=all")
VARIABLE = "NESTBIND_SCHEDULE"
# The loops of this program have too many iterations for settings with many chunks. So the program runs only with the settings of its own
# cases.
LARGE = "loops_large"
# In every fourth round (ACTIVE) waiting threads spin; in the other rounds they sleep.
ACTIVE = 4


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="build tree or installed prefix")
    parser.add_argument("--rounds", type=int, default=200, help="rounds of all programs (200)")
    parser.add_argument("--first", type=int, default=0, help="number of the first round, which is its seed (0)")
    parser.add_argument("--minutes", type=float, default=1e9, help="start no new round after this time; a round is finished")
    parser.add_argument("--all", action="store_true", help="every setting in each round; otherwise the next one in turn")
    parser.add_argument("--load", type=int, default=6, help="busy loops for each processor (6)")
    parser.add_argument("--jobs", type=int, default=2, help="programs at once (2)")
    parser.add_argument("--variant", action="append", default=[], help="only this variant of tests/matrix; repeatable")
    parser.add_argument("--case", default="", help="only cases with this text in their name")
    parser.add_argument("--libomp-14", default="", help="as in tests/matrix/run.py")
    parser.add_argument("--runtime", action="append", default=[], metavar="NAME=FOLDER", help="as in tests/matrix/run.py")
    parser.add_argument("--results", type=pathlib.Path, default=BENCH / "results", help="folder for the record (bench/results/)")
    return parser.parse_args()


class Load:
    """A context that runs busy loops on all processors."""

    def __init__(self, count):
        self.count = count
        self.processes = []

    def __enter__(self):
        self.processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(self.count)]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


def settings_of(case):
    """Returns the case with each setting."""
    own = case.env.get(VARIABLE)
    if own is None or case.run[0] == LARGE:
        return [case]
    made = []
    for setting in SETTINGS:
        more = ",loops=all" if "loops=" in own and "loops=" not in setting else ""
        made.append(cases.copy.deepcopy(case))
        made[-1].name = f"{case.name.partition(':')[0]}:{setting}{more}"
        made[-1].env[VARIABLE] = setting + more
    return made


def wanted_cases(chosen):
    """Returns a list for each chosen case: the case with each of its settings."""
    found = collections.defaultdict(dict)
    for case in cases.read_cases(os.path.join(variants.HERE, "cases", "loops.case")):
        base = case.name.partition(":")[0]
        if chosen in base:
            for made in settings_of(case):
                found[base].setdefault(made.name, made)
    return {base: list(made.values()) for base, made in found.items()}


def prepare(options):
    library = variants.Library.find(str(options.folder))
    folder = os.path.abspath(options.folder / "matrix")
    os.makedirs(folder, exist_ok=True)
    extra = [tuple(text.split("=", 1)) for text in options.runtime]
    found = [variant for variant in variants.all_variants(folder, library, options.libomp_14, extra)
             if variant.name in options.variant or (not options.variant and not variant.linked)]
    for variant in found:
        variants.build(variant, library)
    return Runner(library, folder), found


def applies(case, variant):
    # Here a case with the tag "stock" runs on all runtimes.
    tags = variant.tags | {"stock"}
    return not case.on or all(any(tag in tags for tag in word.split("|")) for word in case.on)


def work_of_round(number, found, by_name, takes_all):
    for variant in found:
        for made in by_name.values():
            fitting = [case for case in made if applies(case, variant)]
            if fitting:
                yield from ((variant, case) for case in (fitting if takes_all else [fitting[number % len(fitting)]]))


def run_one(runner, number, variant, case):
    changes = {"LOOPS_SEED": str(number)}
    if number % ACTIVE == ACTIVE - 1:
        changes["OMP_WAIT_POLICY"] = "active"
    begin = time.monotonic()
    status, out, err = runner.run(variant, case, env_changes=changes)
    return variant, case, time.monotonic() - begin, cases.judge(case, status, out, err, runner.names(case))


def record(path, counts):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("variant", "case", "runs", "wrong", "seconds"))
        for (variant, case), (runs, wrong, seconds) in sorted(counts.items()):
            writer.writerow((variant, case, runs, wrong, f"{seconds:.0f}"))


def main():
    options = arguments()
    runner, found = prepare(options)
    by_name = wanted_cases(options.case)
    counts = collections.defaultdict(lambda: [0, 0, 0.0])
    end = time.monotonic() + 60 * options.minutes
    with Load(options.load * os.cpu_count()), ThreadPoolExecutor(options.jobs) as pool:
        for number in range(options.first, options.first + options.rounds):
            if time.monotonic() > end:
                break
            work = work_of_round(number, found, by_name, options.all)
            for variant, case, seconds, wrong in pool.map(lambda pair: run_one(runner, number, *pair), work):
                count = counts[(variant.name, case.name)]
                count[0] += 1
                count[1] += 1 if wrong else 0
                count[2] += seconds
                for line in wrong[:6]:
                    print(f"wrong in round {number} {variant.name} {case.name}: {re.sub(chr(10), ' ', line)[:300]}", flush=True)
            print(f"round {number} done", flush=True)
    record(options.results / "loops-coverage.csv", counts)
    runs = sum(count[0] for count in counts.values())
    wrong = sum(count[1] for count in counts.values())
    print(f"{runs} runs, {wrong} wrong")
    return 1 if wrong or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
