# SPDX-License-Identifier: BSD-3-Clause
"""Reads the access counter's file, and computes figures from it."""

import csv
import statistics
from collections import defaultdict


class Traffic:
    """The traffic of one timed part: accesses and bytes, by processor and by the node of the page."""

    def __init__(self):
        self.accesses = defaultdict(lambda: defaultdict(int))  # kind -> (processor, node) -> loads and stores
        self.bytes = defaultdict(lambda: defaultdict(int))
        self.home = {}  # processor -> node of the processor
        self.nodes = 0

    def add(self, row):
        processor, home, node = int(row["processor"]), int(row["home"]), int(row["node"])
        self.home[processor] = home
        self.nodes = max(self.nodes, home + 1, node + 1)
        self.accesses[row["kind"]][processor, node] += int(row["loads"]) + int(row["stores"])
        self.bytes[row["kind"]][processor, node] += int(row["load_bytes"]) + int(row["store_bytes"])

    def total(self, kind):
        return sum(self.accesses[kind].values())

    def local(self, kind):
        """Returns how many accesses go to the processor's own node, in per cent."""
        own = sum(count for (processor, node), count in self.accesses[kind].items() if self.home[processor] == node)
        return 100 * own / self.total(kind) if self.total(kind) else 0.0

    def controllers(self, kind):
        """Returns the number of accesses to each node."""
        return [sum(count for (_, node), count in self.accesses[kind].items() if node == number)
                for number in range(self.nodes)]

    def imbalance(self, kind):
        """Returns the sample standard deviation of the controllers' accesses divided by their mean, in per cent."""
        counts = self.controllers(kind)
        mean = statistics.mean(counts)
        return 100 * statistics.stdev(counts) / mean if mean and len(counts) > 1 else 0.0

    def spread(self, kind):
        """Returns the difference between the most and the fewest accesses of a controller, in per cent of the fewest."""
        counts = self.controllers(kind)
        return 100 * (max(counts) - min(counts)) / min(counts) if min(counts) else float("inf")

    def between(self, kind):
        """Returns a matrix of accesses: [node of the processor][node of the page]."""
        matrix = [[0] * self.nodes for _ in range(self.nodes)]
        for (processor, node), count in self.accesses[kind].items():
            if node >= 0:
                matrix[self.home[processor]][node] += count
        return matrix


def read_transfers(matrix, lines):
    """Returns a list for each label, with one count of cache lines for each part. In the file `lines` parts with a count of 0 are missing.
    The file `matrix` has all parts."""
    found = defaultdict(lambda: defaultdict(int))
    for path, column in ((matrix, None), (lines, "transfers")):
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                found[int(row["label"])][int(row["section"])] += int(row[column]) if column else 0
    return {label: [parts[section] for section in sorted(parts)] for label, parts in found.items()}


def read(path):
    """Returns the traffic of each label in the counter's file."""
    parts = defaultdict(Traffic)
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            parts[int(row["label"])].add(row)
    return dict(parts)
