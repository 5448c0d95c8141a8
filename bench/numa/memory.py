#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the functions of nestbind/memory.h in the NUMA guest. One thread writes an array. Then the program calls a function, and uses
the array for some seconds. Then the accesses to the memory of each node are counted. Each function runs with small and huge pages, and with
automatic balancing off and on."""

import common
import counted
import memory_rounds
import memory_tables
from common import cells

SPECIFICATION = "16,compact"
USES = (("none", "parts"), ("none", "shared"), ("none", "mixed"), ("block", "parts"), ("interleave", "shared"),
        ("interleave", "mixed"), ("interleave-first", "mixed"), ("replicate", "shared"), ("numactl", "parts"), ("numactl", "shared"),
        ("numactl", "mixed"))
NUMACTL = ("numactl", "--interleave=all")
KEY = ("how", "use", "pages", "balancing", "round")
QUANTITIES = ("error", "accesses", "local_percent", "imbalance_percent", "controller0", "controller1", "controller2", "controller3",
              "pages0", "pages1", "pages2", "pages3")
# The smallest local share and the largest imbalance, in per cent.
BARS = {"block": (99, 1), "interleave": (0, 3), "interleave-first": (33, 3), "replicate": (100, 100)}


def kept(options):
    """Returns the recorded rows of all functions outside of options.only."""
    rows = [[*(row[name] for name in (*KEY, *QUANTITIES))] for row in cells.read_runs(options.results / memory_tables.FIGURES)[1]]
    flows = cells.read_runs(options.results / memory_tables.MATRICES)[1]
    matrices = [[row[name] for name in (*KEY, "from", "to", "array_accesses")] for row in flows]
    return [row for row in rows if row[0] not in options.only], [row for row in matrices if row[0] not in options.only]


def row_of(part, output):
    error, *pages = output.split(",")
    return [error, part.total("array"), f"{part.local('array'):.4f}", f"{part.imbalance('array'):.2f}", *part.controllers("array"),
            *pages]


def misses(how, part, output):
    """Returns the limits that a run does not meet, or an empty text."""
    if how not in BARS:
        return ""
    local, imbalance = BARS[how]
    if not output.startswith("0,"):
        return f"error {output}"
    if part.local("array") < local or part.imbalance("array") > imbalance:
        return f"{part.local('array'):.2f} % local, imbalance {part.imbalance('array'):.2f} %"
    return ""


def main():
    parser = memory_rounds.arguments(__doc__, float)
    parser.add_argument("--only", action="append", default=[], choices=[how for how, _ in USES],
                        help="only these ways; repeatable; the figures of the other ways stay")
    options = parser.parse_args()
    if options.tables:
        memory_tables.write(options.results)
        return
    work = memory_rounds.folder_of(options, "memory")
    program = common.compiled("memory_placement", work, f"-I{common.BENCH.parent / 'include'}")["libgomp"]
    environment = common.bound(options.build, SPECIFICATION)
    rows, matrices = kept(options) if options.only else ([], [])

    def add_jobs(boot, number):
        for how, use in [one for one in USES if one[0] in options.only or not options.only]:
            for pages in ("small", "huge"):
                for balancing in ("0", "1"):
                    before, call = (NUMACTL, "none") if how == "numactl" else ((), how)
                    boot.add((how, use, pages, balancing, number), environment, [*before, program, call, use, pages, options.seconds],
                             {counted.BALANCING: balancing})
        return 120 + int(4 * options.seconds)

    def take(number, found):
        rows.extend([*key, *row_of(part, output)] for key, (part, output) in found.items())
        matrices.extend([*key, source, target, count] for key, (part, _) in found.items()
                        for source, row in enumerate(part.between("array")) for target, count in enumerate(row))
        about = (f"{common.heading()}; an array of 16 MiB that one thread writes, {options.seconds:g} s of use by a team of 16, "
                 f"then 2 counted passes; libgomp, -O2, {common.number_of_rounds(number + 1)}")
        if options.only:
            about = f"{memory_tables.title_of(options.results)}; {', '.join(options.only)}: {common.heading()[:10]}"
        cells.write_runs(options.results / memory_tables.FIGURES, about, KEY, QUANTITIES, rows)
        cells.write_runs(options.results / memory_tables.MATRICES, about, (*KEY, "from", "to"), ("array_accesses",), matrices)
        memory_tables.write(options.results)
        return [f"{' '.join(map(str, key))}: {misses(key[0], *run)}" for key, run in found.items() if misses(key[0], *run)]

    memory_rounds.run(options, work, [program], add_jobs, take)


if __name__ == "__main__":
    main()
