# SPDX-License-Identifier: BSD-3-Clause
"""The arguments of the benchmarks here that run a program in many processes."""

import argparse
import pathlib

BENCH = pathlib.Path(__file__).resolve().parent.parent


def parser(document, rounds):
    """`document`: of the script, whose first line says what it does. `rounds`: how many, unless told."""
    result = argparse.ArgumentParser(description=document.splitlines()[0])
    result.add_argument("--build", type=pathlib.Path, default=BENCH.parent / "build", help="build folder (build/)")
    result.add_argument("--results", type=pathlib.Path, default=BENCH / "results", help="folder for the figures (bench/results/)")
    result.add_argument("--work", type=pathlib.Path, default=BENCH.parent / "build" / "balance", help="folder for the program (build/balance)")
    result.add_argument("--rounds", type=int, default=rounds, help=f"processes of each ({rounds})")
    result.add_argument("--tables", action="store_true", help="measure nothing: the table from the figures")
    return result
