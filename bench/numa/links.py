# SPDX-License-Identifier: BSD-3-Clause
"""Computes the traffic on the links between nodes from the counted accesses. The guest has no links, so this traffic cannot be counted. The
links are computed from published distances of machines.

Two nodes have a link if their distance is at most D. D is the smallest distance that connects all nodes. An access uses each link of the
shortest route from the node of the processor to the node of the page. If several routes are equally short, each route gets an equal number
of the accesses."""

import pathlib
import statistics

MACHINES = pathlib.Path(__file__).resolve().parent.parent.parent / "tests" / "guest" / "machines"
FAR = 20  # distance between any two nodes if the machine has no published distances


def distances(machine):
    """Returns the distances of a machine of tests/guest, as a matrix."""
    lines = [line.split() for line in (MACHINES / f"{machine}.machine").read_text(encoding="utf-8").splitlines()]
    rows = [[int(word) for word in words[1:]] for words in lines if words[:1] == ["distance"]]
    return rows or flat(next(int(words[1]) for words in lines if words[:1] == ["nodes"]))


def flat(nodes):
    """Returns a matrix of equal distances between all nodes."""
    return [[10 if one == other else FAR for other in range(nodes)] for one in range(nodes)]


def reached(links, start):
    """Returns, for each node, the number of links on the shortest route from `start`."""
    hops = {start: 0}
    front = [start]
    while front:
        front = [other for one in front for other in neighbours(links, one) if other not in hops and
                 hops.setdefault(other, hops[one] + 1)]
    return hops


def neighbours(links, node):
    return [next(iter(link - {node})) for link in links if node in link]


def links_of(matrix):
    """Returns the links as sets of two nodes."""
    nodes = range(len(matrix))
    pairs = {frozenset((one, other)): min(matrix[one][other], matrix[other][one]) for one in nodes for other in nodes if one < other}
    for most in sorted(set(pairs.values())):
        links = [pair for pair, distance in pairs.items() if distance <= most]
        if len(reached(links, 0)) == len(matrix):
            return links
    return []


def routes(links, source, target):
    """Returns all shortest routes as lists of links."""
    if source == target:
        return [[]]
    hops = reached(links, target)
    return [[frozenset((source, step)), *rest] for step in neighbours(links, source) if hops[step] == hops[source] - 1
            for rest in routes(links, step, target)]


def load(matrix, between):
    """`between[a][b]` is the number of accesses from processors of node a to pages of node b."""
    links = links_of(matrix)
    found = dict.fromkeys(links, 0.0)
    for source, row in enumerate(between):
        for target, count in enumerate(row):
            ways = routes(links, source, target)
            for way in ways:
                for link in way:
                    found[link] += count / len(ways)
    return found


def imbalance(matrix, between):
    """Returns the sample standard deviation of the links' loads divided by their mean, in per cent."""
    loads = list(load(matrix, between).values())
    mean = statistics.mean(loads)
    return 100 * statistics.stdev(loads) / mean if mean else 0.0
