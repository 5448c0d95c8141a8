# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the counted benchmarks: options, the environment of bound runs, and files of results."""

import argparse
import datetime
import pathlib
import shutil
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(BENCH))
import cells  # noqa: E402

COMPILERS = {"libgomp": "gcc", "libomp": "clang-19"}
KEY = ("runtime", "shape", "variant", "round")


def arguments(description, rounds=1):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", type=pathlib.Path, default=BENCH.parent / "build", help="build folder (build/)")
    parser.add_argument("--results", type=pathlib.Path, default=BENCH / "results",
                        help="folder for the figures (bench/results/)")
    parser.add_argument("--cache", type=pathlib.Path, default=BENCH.parent / "build" / "guest",
                        help="the guest's packages and image (build/guest)")
    parser.add_argument("--work", type=pathlib.Path, default=BENCH.parent / "build" / "numa",
                        help="folder for programs and raw counts (build/numa)")
    parser.add_argument("--rounds", type=int, default=rounds, help=f"how often each run is counted ({rounds})")
    return parser


def compiled(benchmark, folder, *flags):
    """Compiles the source with -O2, once for each available runtime."""
    programs = {}
    for runtime, compiler in COMPILERS.items():
        if shutil.which(compiler) is None:
            print(f"{compiler} is not installed: nothing is counted on {runtime}", file=sys.stderr)
            continue
        target = folder / f"{benchmark}-{runtime}"
        subprocess.run([compiler, "-std=gnu11", "-fopenmp", "-O2", "-fPIE", "-pie", *flags, BENCH / f"{benchmark}.c",
                        "-o", target, "-lm"], check=True)
        programs[runtime] = target
    return programs


def library(build):
    return build.resolve() / "lib" / "libnestbind.so"


def library_files(build):
    return [library(build), library(build).parent / "nestbind"]


def bound(build, specification):
    """Returns the environment of a bound run."""
    return {"LD_PRELOAD": str(library(build)), "OMP_NESTING_TEAM_SIZE": specification}


def heading():
    return f"{datetime.date.today()}, counted in a QEMU guest: barcelona, 4 nodes of 4 processors"


def number_of_rounds(count):
    return f"{count} round" + ("s" if count != 1 else "")


def write_summary(path, runs, title, machines=(), model=None):
    """Writes a row for each run, with its counts and the model's results for them."""
    quantities = ("array_accesses", "array_local_percent", "array_imbalance_percent", "rest_accesses",
                  "rest_local_percent", "controller0", "controller1", "controller2", "controller3",
                  *(f"model_{machine}_GBps" for machine in machines))
    rows = []
    for key, (part, _) in runs.items():
        modelled = [f"{model.bandwidth(part, machine):.2f}" for machine in machines]
        rows.append([*key, part.total("array"), f"{part.local('array'):.4f}", f"{part.imbalance('array'):.2f}",
                     part.total("rest"), f"{part.local('rest'):.2f}", *part.controllers("array"), *modelled])
    cells.write_runs(path, title, KEY, quantities, rows)


def write_matrices(path, runs, title):
    cells.write_runs(path, title, KEY + ("from", "to"), ("array_accesses",),
                     [[*key, source, target, count] for key, (part, _) in runs.items()
                      for source, row in enumerate(part.between("array")) for target, count in enumerate(row)])
