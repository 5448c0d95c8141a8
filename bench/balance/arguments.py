# SPDX-License-Identifier: BSD-3-Clause
"""Options for those benchmarks in this folder that run a program in many processes."""

import argparse
import pathlib

BENCH = pathlib.Path(__file__).resolve().parent.parent


def parser(document, rounds):
    """`document` is the script's docstring. `rounds` is the default number of rounds."""
    result = argparse.ArgumentParser(description=document.splitlines()[0])
    result.add_argument("--build", type=pathlib.Path, default=BENCH.parent / "build", help="build folder (build/)")
    result.add_argument("--results", type=pathlib.Path, default=BENCH / "results", help="folder for the figures (bench/results/)")
    result.add_argument("--work", type=pathlib.Path, default=BENCH.parent / "build" / "balance", help="folder for the program (build/balance)")
    result.add_argument("--rounds", type=int, default=rounds, help=f"processes of each kind ({rounds})")
    result.add_argument("--tables", action="store_true", help="only make the table, from the recorded figures")
    return result
