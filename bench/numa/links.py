# SPDX-License-Identifier: BSD-3-Clause
"""Which links between nodes the counter's traffic would go over, on machines whose distances are published. Nothing of this
is counted: the guest has no links.

Two nodes have a link if their distance is among the least: the least that join all nodes. An access goes over each link of
the shortest route from its processor's node to its page's, both directions of a link being one; where several routes are as
short, each has its share of it."""

import pathlib
import statistics

MACHINES = pathlib.Path(__file__).resolve().parent.parent.parent / "tests" / "guest" / "machines"
FAR = 20  # of nodes whose machine says no distances


def distances(machine):
    """The matrix of a machine of tests/guest."""
    lines = [line.split() for line in (MACHINES / f"{machine}.machine").read_text(encoding="utf-8").splitlines()]
    rows = [[int(word) for word in words[1:]] for words in lines if words[:1] == ["distance"]]
    return rows or flat(next(int(words[1]) for words in lines if words[:1] == ["nodes"]))


def flat(nodes):
    """All nodes equally far from each other."""
    return [[10 if one == other else FAR for other in range(nodes)] for one in range(nodes)]


def reached(links, start):
    """By node how many links it is away from `start`."""
    hops = {start: 0}
    front = [start]
    while front:
        front = [other for one in front for other in neighbours(links, one) if other not in hops and
                 hops.setdefault(other, hops[one] + 1)]
    return hops


def neighbours(links, node):
    return [next(iter(link - {node})) for link in links if node in link]


def links_of(matrix):
    """The links, each a set of two nodes."""
    nodes = range(len(matrix))
    pairs = {frozenset((one, other)): min(matrix[one][other], matrix[other][one]) for one in nodes for other in nodes if one < other}
    for most in sorted(set(pairs.values())):
        links = [pair for pair, distance in pairs.items() if distance <= most]
        if len(reached(links, 0)) == len(matrix):
            return links
    return []


def routes(links, source, target):
    """All of the shortest, each a list of links."""
    if source == target:
        return [[]]
    hops = reached(links, target)
    return [[frozenset((source, step)), *rest] for step in neighbours(links, source) if hops[step] == hops[source] - 1
            for rest in routes(links, step, target)]


def load(matrix, between):
    """Accesses by link. `between`: accesses by the node they come from and the node they go to."""
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
    """Sample standard deviation of the links' loads over their mean, in per cent; 0 where nothing goes over any."""
    loads = list(load(matrix, between).values())
    mean = statistics.mean(loads)
    return 100 * statistics.stdev(loads) / mean if mean else 0.0
