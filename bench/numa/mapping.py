#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the cache lines that go between nodes if pairs of threads exchange messages in the NUMA guest. The threads are in the order of
their numbers, or in the order of nestbind map. Also compares the mapping methods."""

import csv
import os
import statistics
import subprocess
import sys
from collections import defaultdict

import common
import counted
import documents
import tables
import traffic
from common import cells

THREADS = 16
LINES = 4096
ROUNDS = 4  # The second half is counted.
SEEDS = (1, 2, 3)
SPECIFICATIONS = ("16,compact",)
MACHINE = common.BENCH.parent / "tests" / "machines" / "barcelona.xml"
DOCUMENT = common.BENCH / "TOPOLOGY.md"
FIGURES = "numa-mapping.csv"
COSTS = "mapping-cost.csv"
KEY = ("runtime", "specification", "order", "seed", "round")
QUANTITIES = ("message_lines", "all_lines")
BAR = 95


def transfers_of(boot):
    """Counts the cache lines that go between nodes. Returns two counts for each run: messages only, and the whole program."""
    found = {}
    keys = [job[0] for job in boot.jobs]
    messages = defaultdict(int)
    everything = defaultdict(int)
    with open(boot.lines, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            everything[int(row["label"])] += int(row["transfers"])
            messages[int(row["label"])] += int(row["transfers"]) if row["kind"] == "array" else 0
    for label in traffic.read(boot.matrix):
        found[keys[label]] = [messages[label], everything[label]]
    return found


def ordered(options, program, seed, specification, work):
    """Writes a file with the order that nestbind map finds for the program's pairs."""
    pairs = work / f"pairs-{seed}"
    with open(pairs, "w", encoding="utf-8") as file:
        subprocess.run([program, "pairs", str(THREADS), str(seed)], stdout=file, check=True)
    order = work / f"order-{seed}-{specification}"
    subprocess.run([options.build / "bin" / "nestbind", "map", "--communication", pairs, "--output", order, "--machine", MACHINE,
                    specification], stdout=subprocess.DEVNULL, check=True)
    return order.resolve()


def count(options, work):
    programs = common.compiled("pair_traffic", work)
    rows = []
    for number in range(options.rounds):
        boot = counted.Boot(work, options.cache, with_lines=True)
        boot.need(*programs.values(), *common.library_files(options.build))
        for runtime, program in programs.items():
            for specification in SPECIFICATIONS:
                for seed in SEEDS:
                    order = ordered(options, program, seed, specification, work)
                    boot.need(order)
                    bound = common.bound(options.build, specification) | {"OMP_WAIT_POLICY": "passive"}
                    command = [program, "run", THREADS, seed, LINES, ROUNDS]
                    boot.add((runtime, specification, "plain", seed, number), bound, command)
                    boot.add((runtime, specification, "mapped", seed, number), bound | {"NESTBIND_ORDER": str(order)}, command)
        outputs = boot.run(seconds=240)
        lines = transfers_of(boot)
        if len(outputs) < len(boot.jobs):
            sys.exit(f"{len(boot.jobs) - len(outputs)} runs failed")
        rows += [[*key, *lines[key]] for key in outputs]
    title = (f"{common.heading()}; {THREADS} threads in scrambled pairs, {ROUNDS // 2} counted rounds of messages of {LINES} lines, -O2, "
             f"{common.number_of_rounds(options.rounds)}")
    cells.write_runs(options.results / FIGURES, title, KEY, QUANTITIES, rows)


def count_costs(options):
    program = options.build / "bin" / "mapping_cost"
    if not program.exists():
        print(f"{program} is not built: SCOTCH was not installed at that time", file=sys.stderr)
        return
    output = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = [[row["problem"], row["method"], row["round"], row["cost"]] for row in csv.DictReader(output.splitlines())]
    title = "64 threads, 64,compact, on four packages of four caches of four cores; distances 1 to 3; each problem scrambled 20 times"
    cells.write_runs(options.results / COSTS, title, ("problem", "method", "round"), ("cost",), rows)


def traffic_table(results):
    title, rows = cells.read_runs(results / FIGURES)
    lines = []
    for runtime in dict.fromkeys(row["runtime"] for row in rows):
        for seed in dict.fromkeys(row["seed"] for row in rows):
            figure = {order: [row for row in rows if (row["runtime"], row["seed"], row["order"]) == (runtime, seed, order)]
                      for order in ("plain", "mapped")}
            total = {order: sum(float(row["all_lines"]) for row in found) for order, found in figure.items()}
            lines.append([runtime, seed, *(tables.cell(figure[order], column, 0) for column in QUANTITIES for order in figure),
                          f"{100 * (1 - total['mapped'] / total['plain']):.1f}"])
    heads = ["", "pairs", "messages: by number", "mapped", "all: by number", "mapped", "fewer, %"]
    return title, tables.table(heads, lines), [float(line[-1]) for line in lines]


def costs_table(results):
    title, rows = cells.read_runs(results / COSTS)
    methods = list(dict.fromkeys(row["method"] for row in rows))
    lines = []
    for problem in dict.fromkeys(row["problem"] for row in rows):
        found = {method: [float(row["cost"]) for row in rows if (row["problem"], row["method"]) == (problem, method)]
                 for method in methods}
        lines.append([problem, *(f"{statistics.mean(costs):.0f} ({min(costs):.0f} to {max(costs):.0f})" for costs in found.values())])
    return title + ".\n\n" + tables.table(["mean (least to most)", *methods], lines)


def write(results):
    title, table, fewer = traffic_table(results)
    documents.put(DOCUMENT, {"mapping-lines": title + ".\n\n" + table, "mapping-costs": costs_table(results)})
    return fewer


def main():
    parser = common.arguments(__doc__)
    parser.add_argument("--tables", action="store_true", help="only make the tables, from the recorded figures")
    options = parser.parse_args()
    if not options.tables:
        work = options.work / "mapping"
        work.mkdir(parents=True, exist_ok=True)
        os.environ.pop("NESTBIND_ORDER", None)
        count_costs(options)
        count(options, work)
    fewer = write(options.results)
    if min(fewer) < BAR:
        sys.exit(f"nestbind map avoids only {min(fewer)} % of the lines between nodes, not {BAR} %")


if __name__ == "__main__":
    main()
