#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Runs PyPI's numpy, scipy, scikit-learn, xgboost and lightgbm in one process, without and with nestbind. The results, and the numbers of
processors and processes, must be equal. Each copy of an OpenMP runtime must have at most one bound team, and no workload must be slower.
Prints the table of README.md. Not part of CI, because it downloads 300 MB and measures times. The exit status is 1 if there is a fault."""
import argparse
import collections
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import venv

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ("numpy", "scipy", "scikit-learn", "xgboost-cpu", "lightgbm", "threadpoolctl")
MODES = PLAIN, AGAIN, BOUND = ("plain", "plain again", "nestbind")
SPECIFICATION = "2,scatter"
THREADS = "2"
BAR = 1.05
COMPETING = ("OMP_", "GOMP_", "KMP_", "NESTBIND_", "LD_PRELOAD", "OPENBLAS_", "MKL_")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="build folder")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--venv", type=pathlib.Path, help="virtual environment for the packages; made if missing (default: BUILD/pypi)")
    return parser.parse_args()


def python_of(folder):
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


def environment(mode, library, report):
    found = {name: value for name, value in os.environ.items() if not name.startswith(COMPETING)}
    if mode != BOUND:
        return found | {"OMP_NUM_THREADS": THREADS}
    return found | {"OMP_NUM_THREADS": THREADS, "LD_PRELOAD": str(library), "OMP_NESTING_TEAM_SIZE": SPECIFICATION,
                    "NESTBIND_REPORT": f"json:{report}"}


def run(python, mode, library, report):
    process = subprocess.run([python, HERE / "workloads.py"], env=environment(mode, library, report), stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, check=False)
    if process.returncode != 0:
        sys.exit(f"{mode}: status {process.returncode}\n{process.stderr}")
    return json.loads(process.stdout)


def teams_of(report, process):
    """The keys are the threads of an outermost team."""
    told = collections.Counter()
    for line in report.read_text(encoding="utf-8").splitlines():
        team = json.loads(line)
        if team["process"] == process and team["level"] == 1:
            told[tuple(member["thread"] for member in team["threads"])] += 1
    return told


def differences(found, told):
    plain, again, bound = (found[mode][0] for mode in MODES)
    for name, result in plain["workloads"].items():
        steady = {run["workloads"][name]["digest"] for run in found[PLAIN] + found[AGAIN]}
        ours = {run["workloads"][name]["digest"] for run in found[BOUND]}
        if len(steady) == 1 and ours != steady:
            yield f"{name}: another result"
    for what, number in plain["counted"].items():
        if bound["counted"][what] != number:
            yield f"{what}: {bound['counted'][what]}, plain {number}"
    if plain["runtimes"] != bound["runtimes"]:
        yield f"other runtimes: {bound['runtimes']}"
    if len(told) > len(bound["runtimes"]) or max(told.values(), default=0) != 1:
        yield f"{len(told)} teams of {len(bound['runtimes'])} runtimes were reported: {sorted(told.values())} times"


def ratios(found, mode, name):
    pairs = zip(found[mode], found[PLAIN])
    return [one["workloads"][name]["seconds"] / other["workloads"][name]["seconds"] for one, other in pairs]


def show(found):
    """Prints the table, and returns a line for each workload that is slower with nestbind."""
    slower = []
    print("| workload | plain, ms | plain again | nestbind | results |\n| --- | --- | --- | --- | --- |")
    for name in found[PLAIN][0]["workloads"]:
        again, bound = (ratios(found, mode, name) for mode in (AGAIN, BOUND))
        milliseconds = 1000 * statistics.median(run["workloads"][name]["seconds"] for run in found[PLAIN])
        steady = len({run["workloads"][name]["digest"] for run in found[PLAIN] + found[AGAIN]}) == 1
        shown = ["{1:.3f} ({0:.3f} to {2:.3f})".format(*statistics.quantiles(some, n=4)) for some in (again, bound)]
        print(f"| {name.replace('_', ' ')} | {milliseconds:.1f} | {shown[0]} | {shown[1]} | "
              f"{'the same, bit for bit' if steady else 'differ in plain runs'} |")
        if statistics.median(bound) > BAR:
            slower.append(f"{name}: {statistics.median(bound):.3f} of its plain time")
    return slower


def main():
    options = arguments()
    library = (options.build / "lib" / "libnestbind.so").resolve()
    python = python_of((options.venv or options.build / "pypi").resolve())
    found = {mode: [] for mode in MODES}
    order = random.Random(12)
    told = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds):
            for mode in order.sample(MODES, len(MODES)):
                report = pathlib.Path(folder) / f"report{number}"
                found[mode].append(run(python, mode, library, report))
                if mode == BOUND and number == 0:
                    told = teams_of(report, found[mode][0]["process"])
            print(f"\rround {number + 1} of {options.rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{len(found[BOUND][0]['runtimes'])} runtimes in the process, {len(told)} teams bound; counted: {found[BOUND][0]['counted']}\n")
    wrong = show(found) + list(differences(found, told))
    print("\n" + "\n".join(wrong or ["nothing differs"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
