#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs bench/heat with 32^3 cells in the NUMA guest: unbound, native and bound. Counts the memory accesses to each node."""

import pathlib
import sys

import common
import counted

SHAPES = ("1x1", "2x1", "4x1", "8x1", "4x4", "2x8", "8x2", "16x1")
CELLS = 32
SECONDS = 600  # limit of a run; 16 derivatives take nearly a minute on two cores
NATIVE = {"OMP_PROC_BIND": "spread,close", "OMP_PLACES": "cores"}


def main():
    parser = common.arguments(__doc__)
    parser.add_argument("--program", type=pathlib.Path, help="heat (BUILD/bin/heat)")
    options = parser.parse_args()
    program = options.program or options.build.resolve() / "bin" / "heat"
    if not program.exists():
        sys.exit(f"{program} is not built: it needs a Fortran compiler")
    runs = {}
    missing = 0
    for number in range(options.rounds):
        boot = counted.Boot(options.work / "heat", options.cache)
        boot.need(program, *common.library_files(options.build))
        for shape in SHAPES:
            outer, inner = shape.split("x")
            run = [program, "--csv", outer, inner, CELLS]
            bound = common.bound(options.build, f"{outer},scatter,{inner},subcompact")
            for name, env in (("bound", bound), ("unbound", {}), ("OMP_PROC_BIND=spread,close", NATIVE)):
                boot.add(("libgomp", shape, name, number), env, run)
        found = boot.run(SECONDS)
        runs.update(found)
        missing += len(boot.jobs) - len(found)
        title = f"{common.heading()}; heat, -O3, {CELLS}^3 cells, {common.number_of_rounds(number + 1)}"
        common.write_summary(options.results / "numa-heat.csv", runs, title)
    if missing:
        sys.exit(f"{missing} runs failed")


if __name__ == "__main__":
    main()
