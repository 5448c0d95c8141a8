# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of ../MEMORY.md, only from the files of results."""

from collections import defaultdict

import common
import documents
import links
from common import cells
from tables import cell, table

FIGURES = "numa-memory.csv"
MATRICES = "numa-memory-traffic.csv"
PROGRAMS = "numa-memory-programs.csv"
ADVICE = "numa-memory-advice.csv"
DOCUMENT = common.BENCH / "MEMORY.md"

# Dashti and others, ASPLOS 2013, table 1. Local accesses, imbalance of the controllers and imbalance of the links are in per cent. Latency
# is in cycles.
PAPER = {("Streamcluster", "first touch"): (25, 200, 86, 1169), ("Streamcluster", "interleaved"): (25, 7, 21, 471),
         ("PCA", "first touch"): (33, 154, 64, 665), ("PCA", "interleaved"): (25, 4, 19, 480)}
# The runs of memory.py that are similar to the paper's runs.
COUNTED = {("Streamcluster", "first touch"): ("none", "shared"), ("Streamcluster", "interleaved"): ("interleave", "shared"),
           ("PCA", "first touch"): ("none", "mixed"), ("PCA", "interleaved"): ("interleave", "mixed")}
AS_THEIRS = ("small", "0")  # small pages, which the kernel does not move
AS_USUAL = ("small", "1")
BY_COMMAND = {"first touch": "none", "interleaved": "numactl"}
NETWORKS = {"a square": links.distances("barcelona"), "each with each": links.flat(4)}
WORDS = {"none": "nothing (first touch)", "block": "`NESTBIND_BLOCK`", "interleave": "`NESTBIND_INTERLEAVE`",
         "interleave-first": "`NESTBIND_INTERLEAVE`, the shared half", "replicate": "`nestbind_memory_replicate`",
         "numactl": "`numactl --interleave=all`"}
PROGRAM_WORDS = {"none": "initialised by one thread", "parallel": "initialised in parallel", "apply": "`nestbind run --memory=apply`"}
REMEDIES = {"block": "BLOCK distribution: `NESTBIND_BLOCK`", "own": "each page on the node that uses it",
            "interleave": "INTERLEAVE distribution: `NESTBIND_INTERLEAVE`", "local": "all on the node that uses it: `NESTBIND_LOCAL`",
            "none": "nothing to fix"}


def cycles(local, imbalance):
    """Returns the modelled latency in cycles. The constants are from the paper."""
    return 240 + 60 * (1 - local / 100) + 900 * (imbalance / 200) ** 2


def title_of(results):
    return cells.read_runs(results / FIGURES)[0]


class Figures:
    def __init__(self, results):
        self.title, rows = cells.read_runs(results / FIGURES)
        self.runs = defaultdict(list)
        self.matrices = defaultdict(lambda: [[0] * 4 for _ in range(4)])
        for row in rows:
            self.runs[row["how"], row["use"], row["pages"], row["balancing"]].append(row)
        for row in cells.read_runs(results / MATRICES)[1]:
            key = (row["how"], row["use"], row["pages"], row["balancing"], row["round"])
            self.matrices[key][int(row["from"])][int(row["to"])] = int(row["array_accesses"])

    def figures(self, key):
        found = []
        for row in self.runs[key]:
            between = self.matrices[(*key, row["round"])]
            local, imbalance = float(row["local_percent"]), float(row["imbalance_percent"])
            found.append({"local": local, "imbalance": imbalance, "cycles": cycles(local, imbalance)}
                         | {name: links.imbalance(matrix, between) for name, matrix in NETWORKS.items()})
        return found


def papers_table(figures):
    columns = list(PAPER)
    found = {column: figures.figures((*COUNTED[column], *AS_THEIRS)) for column in columns}
    usual = {column: figures.figures((BY_COMMAND[column[1]], COUNTED[column][1], *AS_USUAL)) for column in columns}

    def line(name, quantity):
        return [name, *(cell(found[column], quantity, 0) for column in columns)]

    def theirs(name, place):
        return [name, *(str(PAPER[column][place]) for column in columns)]

    def as_usual(quantity):
        return ["counted, balancing on: the kernel alone, numactl", *(cell(usual[column], quantity, 0) for column in columns)]

    rows = [theirs("local access ratio, %: the paper's", 0), line("counted", "local"), as_usual("local"),
            theirs("memory controllers' imbalance, %: the paper's", 1), line("counted", "imbalance"), as_usual("imbalance"),
            theirs("links' imbalance, %: the paper's", 2),
            *(line(f"counted, by routes: {name}", name) for name in NETWORKS),
            theirs("memory latency, cycles: the paper's", 3), line("modelled", "cycles")]
    return table(["", *(f"{program}, {way}" for program, way in columns)], rows)


def ways_table(figures):
    """Returns a row for each function and use."""
    kinds = [(pages, balancing) for pages in ("small", "huge") for balancing in ("0", "1")]
    rows = []
    for how, use in dict.fromkeys(key[:2] for key in figures.runs):
        found = [figures.figures((how, use, *kind)) for kind in kinds]
        rows.append([use, WORDS[how], *(f"{cell(runs, 'local')}; {cell(runs, 'imbalance', 0)}" for runs in found)])
    heads = [f"{pages} pages, balancing {'on' if balancing == '1' else 'off'}" for pages, balancing in kinds]
    return table(["local, %; imbalance, %", "", *heads], rows)


def programs_table(rows):
    """Returns a row for each remedy and kind of pages."""
    runs = defaultdict(list)
    for row in rows:
        runs[row["how"], row["pages"], row["program"], row["balancing"]].append(row)
    columns = [(program, balancing) for program in dict.fromkeys(row["program"] for row in rows) for balancing in "01"]
    lines = []
    for how, pages in dict.fromkeys(key[:2] for key in runs):
        found = [runs[how, pages, *column] for column in columns]
        cells_of = [f"{cell(some, 'local_percent')}; {cell(some, 'imbalance_percent', 0)}" if some else "-" for some in found]
        lines.append([PROGRAM_WORDS.get(how) or WORDS[how], pages, *cells_of])
    heads = [f"{program}, {'balancing on' if balancing == '1' else 'at once'}" for program, balancing in columns]
    return table(["local, %; imbalance, %", "pages", *heads], lines)


def advice_table(rows):
    """Returns rows about the first region of each report."""
    lines = []
    for row in rows:
        lines.append([row["program"], f"{row['mebibytes']} MiB, touched first in {row['function']}, line {row['line']}",
                      f"{row['local_percent']}; {row['imbalance_percent']}", REMEDIES.get(row["remedy"], row["remedy"]),
                      f"{row['local_then_percent']}; {row['imbalance_then_percent']}", f"{row['alike']} of {row['regions']}", row["samples"]])
    return table(["", "the first region", "local, %; imbalance, %", "remedy", "with it", "regions with this remedy", "samples"], lines)


def write(results):
    figures = Figures(results)
    contents = {"memory-title": figures.title + ".", "memory-paper": papers_table(figures), "memory-ways": ways_table(figures)}
    if (results / PROGRAMS).exists():
        title, rows = cells.read_runs(results / PROGRAMS)
        contents["memory-programs-title"] = title + "."
        contents["memory-programs"] = programs_table(rows)
        contents["memory-advice"] = advice_table(cells.read_runs(results / ADVICE)[1])
    documents.put(DOCUMENT, contents)
