# SPDX-License-Identifier: BSD-3-Clause
"""Common code of the scripts that make tables: the variants of a run, interleaved repetitions, and medians with quartiles."""

import argparse
import datetime
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent
COMPETING = ("OMP_", "GOMP_", "KMP_", "NESTBIND_", "LD_PRELOAD")
NATIVE = {"OMP_PROC_BIND": "spread,close", "OMP_PLACES": "cores"}


def arguments(description, rounds):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", type=pathlib.Path, default=BENCH.parent / "build",
                        help="build folder (build/)")
    parser.add_argument("--results", type=pathlib.Path, default=BENCH / "results",
                        help="folder for the raw figures (bench/results/)")
    parser.add_argument("--rounds", type=int, default=rounds,
                        help=f"interleaved repetitions ({rounds})")
    parser.add_argument("--clang", default="clang-19",
                        help="compiler for the programs on LLVM's runtime (clang-19)")
    return parser


class Build:
    """The programs in a build folder, and programs from the same sources by a second compiler."""

    def __init__(self, options):
        self.folder = options.build.resolve()
        self.clang = options.clang
        self.library = self.folder / "lib" / "libnestbind.so"
        if not self.library.exists():
            sys.exit(f"{self.library}: not there; build first (bench/quickstart.sh does), "
                     "or name the folder with --build")

    def by_gcc(self, program):
        return self.folder / "bin" / program

    def by_clang(self, program):
        """Returns the program, or None if the compiler is not installed."""
        compiler = shutil.which(self.clang)
        if compiler is None:
            print(f"{self.clang} is not installed: nothing is measured on LLVM's runtime",
                  file=sys.stderr)
            return None
        target = self.folder / "bin" / f"{pathlib.Path(program).name}-{self.clang}"
        subprocess.run([compiler, "-std=gnu11", "-fopenmp", "-O3", "-fPIE", "-pie",
                        "-ffp-contract=off", str(BENCH / f"{program}.c"), "-o", str(target), "-lm"],
                       check=True)
        return target

    def preloaded(self):
        return {"LD_PRELOAD": str(self.library)}

    def bound(self, spec):
        return self.preloaded() | {"OMP_NESTING_TEAM_SIZE": spec, "NESTBIND_QUIET": "1"}


def output_of(program, given, settings):
    """Runs a program, without variables in the environment that would compete with the settings."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(COMPETING)} | settings
    command = [str(program)] + [str(one) for one in given]
    result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True,
                            check=False)
    if result.returncode != 0:
        shown = " ".join(f"{name}={value}" for name, value in settings.items())
        sys.exit(f"{shown} {' '.join(command)}: exit status {result.returncode}")
    return result.stdout


def interleaved(rounds, runs):
    """The first round begins with the first function, the second round with the second function, and so on."""
    names = list(runs)
    results = {name: [] for name in names}
    for number in range(rounds):
        start = number % len(names)
        for name in names[start:] + names[:start]:
            results[name].append(runs[name]())
        print(f"\rround {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return results


def ratios(values, others):
    """Returns the ratios within rounds, because a disturbance affects both runs of a round, and hardly changes their ratio."""
    return [one / other for one, other in zip(values, others)]


def median_and_spread(values, digits=2):
    """Returns the median, with the quartiles in brackets."""
    middle = statistics.median(values)
    if len(values) < 2:
        return f"{middle:.{digits}f}"
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def machine():
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    nodes = len(list(pathlib.Path("/sys/devices/system/node").glob("node[0-9]*"))) or 1
    return f"{model}, {len(os.sched_getaffinity(0))} processors, {nodes} NUMA node(s)"


def heading():
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{datetime.date.today()}, {machine()}, load average {load}"


def print_table(title, columns, rows):
    """Prints a table in Markdown, for README.md."""
    print(f"\n{title}\n")
    print("| " + " | ".join(columns) + " |")
    print("|" + " --- |" * len(columns))
    for row in rows:
        print("| " + " | ".join(row) + " |")
