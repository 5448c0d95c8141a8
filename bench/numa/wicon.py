#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the cache lines that go between nodes in the NUMA guest. All pairs of 16 threads exchange messages at the same time. Computes the
number of lines on each link. The partners are on the same node, one hop away, two hops away, or random. Writes results/numa-wicon.csv and
the table of ../TOPOLOGY.md."""

import csv
import random
import statistics

import common
import counted
import documents
import links
from common import cells
from tables import table

DOCUMENT = common.BENCH / "TOPOLOGY.md"
FIGURES = "numa-wicon.csv"
MACHINE = "barcelona"
PROCESSORS = 4  # of a node
MESSAGES = 20   # in each direction
LINES = 64      # cache lines of a message: 4 KiB
KEY = ("pattern", "round", "from", "to")
SECONDS = 120
WORDS = {"near": "near (in the node)", "1": "1 hop away", "2": "2 hops away", "random": "random"}


def pairs_apart(hops):
    """Returns pairs of processors whose nodes are this many hops apart."""
    matrix = links.distances(MACHINE)
    found = links.links_of(matrix)
    apart = [(one, other) for one in range(len(matrix)) for other in range(one) if links.reached(found, one)[other] == hops]
    free = {node: list(range(node * PROCESSORS, (node + 1) * PROCESSORS)) for node in range(len(matrix))}
    each = PROCESSORS * len(matrix) // 2 // len(apart)
    return [(free[one].pop(0), free[other].pop(0)) for one, other in apart for _ in range(each)]


def pairs_of(pattern, number):
    processors = list(range(PROCESSORS * len(links.distances(MACHINE))))
    if pattern == "near":
        return list(zip(processors[::2], processors[1::2]))
    if pattern == "random":
        random.Random(number).shuffle(processors)
        return list(zip(processors[::2], processors[1::2]))
    return pairs_apart(int(pattern))


def count(options):
    work = options.work.resolve() / "wicon"
    work.mkdir(parents=True, exist_ok=True)
    program = common.compiled("wicon_count", work, "-D_GNU_SOURCE")["libgomp"]
    boot = counted.Boot(work, options.cache, MACHINE, with_lines=True)
    boot.need(program)
    for number in range(options.rounds):
        for pattern in WORDS:
            pairs = [f"{one}:{other}" for one, other in pairs_of(pattern, number)]
            boot.add((pattern, number), {"OMP_WAIT_POLICY": "passive"}, [program, MESSAGES, LINES, *pairs])
    found = boot.run(SECONDS)
    if len(found) < len(boot.jobs):
        raise SystemExit(f"{len(boot.jobs) - len(found)} runs failed")
    return transfers(boot)


def transfers(boot):
    nodes = range(len(links.distances(MACHINE)))
    lines = {key: 0 for key in ((*boot.jobs[label][0], one, other) for label in range(len(boot.jobs)) for one in nodes for other in nodes)}
    with open(boot.lines, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["kind"] == "array":
                lines[(*boot.jobs[int(row["label"])][0], int(row["from"]), int(row["to"]))] += int(row["transfers"])
    return [(*key, number) for key, number in lines.items()]


def figures(results):
    title, rows = cells.read_runs(results / FIGURES)
    matrix = links.distances(MACHINE)
    between = {}
    for row in rows:
        key = row["pattern"], row["round"]
        between.setdefault(key, [[0] * len(matrix) for _ in matrix])[int(row["from"])][int(row["to"])] = int(row["lines"])
    found = {}
    messages = MESSAGES * PROCESSORS * len(matrix)
    for (pattern, _), lines in between.items():
        load = links.load(matrix, lines).values()
        found.setdefault(pattern, []).append((sum(map(sum, lines)) / messages, sum(load) / messages, max(load) / messages))
    return title, found


def write(results):
    title, found = figures(results)
    columns = list(zip(*(map(statistics.mean, zip(*found[pattern])) for pattern in WORDS)))
    rows = [[name, *(f"{value:.2f}" for value in values)]
            for name, values in zip(("lines between nodes", "lines times links that they go over", "lines over the busiest link"), columns)]
    documents.put(DOCUMENT, {"wicon-title": title, "wicon": table(["of a message of 64 lines", *WORDS.values()], rows)})


def main():
    parser = common.arguments(__doc__, rounds=5)
    parser.add_argument("--tables", action="store_true", help="only make the table, from the recorded figures")
    options = parser.parse_args()
    if not options.tables:
        title = f"{common.heading()}; 8 pairs at once, {MESSAGES} messages of {LINES} lines each way, libgomp, -O2, {common.number_of_rounds(options.rounds)}"
        cells.write_runs(options.results / FIGURES, title, KEY, ("lines",), count(options))
    write(options.results)


if __name__ == "__main__":
    main()
