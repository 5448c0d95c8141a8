#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Simulates how much longer a message takes in a torus of 8x8x8 nodes if its receiver is farther away. All messages are sent at the same
time. Nothing is measured. Writes results/torus.csv and the table of ../TOPOLOGY.md.

A route goes along x, then along y, then along z. In each dimension it goes the shorter way round, or upwards if both ways are equally long.
A link has bandwidth 1 in each direction. The messages on a link share its bandwidth equally. If another link slows down one of these
messages, the others share the unused bandwidth (max-min fairness). Messages are long, so the time of a message is 1 / its bandwidth."""

import itertools
import random
import statistics

import common
import documents
from common import cells
from tables import table

DOCUMENT = common.BENCH / "TOPOLOGY.md"
FIGURES = "torus.csv"
SIZE = 8
HOPS = range(1, 9)
KEY = ("partners", "round")
QUANTITIES = ("mean", "slowest")
NODES = list(itertools.product(range(SIZE), repeat=3))


def steps(one, other):
    """Returns the number of steps from one coordinate to another, and the direction (1 or -1)."""
    up = (other - one) % SIZE
    return (up, 1) if up <= SIZE - up else (SIZE - up, -1)


def hops(one, other):
    return sum(steps(a, b)[0] for a, b in zip(one, other))


def route(one, other):
    """Returns the links of the route as (node, dimension, direction)."""
    here = list(one)
    links = []
    for dimension in range(3):
        count, way = steps(here[dimension], other[dimension])
        for _ in range(count):
            links.append((tuple(here), dimension, way))
            here[dimension] = (here[dimension] + way) % SIZE
    return links


def partners(away, chance):
    """Returns random pairs of nodes that are `away` hops apart; None means any distance."""
    free = NODES[:]
    chance.shuffle(free)
    if away is None:
        return list(zip(free[::2], free[1::2]))
    around = [offset for offset in NODES if hops((0, 0, 0), offset) == away]
    partner = {}
    while free:
        one = free.pop()
        if one in partner:
            continue
        others = [tuple((a + b) % SIZE for a, b in zip(one, offset)) for offset in around]
        chance.shuffle(others)
        other = next((node for node in others if node not in partner), others[0])
        if other in partner:
            free.append(partner.pop(other))
        partner[one], partner[other] = other, one
    return [(one, other) for one, other in partner.items() if one < other]


def bandwidths(routes):
    """Returns the bandwidth of each route, by max-min fairness."""
    users = {}
    for number, links in enumerate(routes):
        for link in links:
            users.setdefault(link, set()).add(number)
    rest = dict.fromkeys(users, 1.0)
    found = [0.0] * len(routes)
    while users:
        link = min(users, key=lambda one: rest[one] / len(users[one]))
        part = rest[link] / len(users[link])
        for number in list(users[link]):
            found[number] = part
            for other in routes[number]:
                rest[other] -= part
                users[other].discard(number)
                if not users[other]:
                    del users[other]
    return found


def simulate(away, seed):
    pairs = partners(away, random.Random(seed))
    times = [1 / part for part in bandwidths([route(*way) for one, other in pairs for way in ((one, other), (other, one))])]
    return statistics.mean(times), max(times)


def write(results):
    title, rows = cells.read_runs(results / FIGURES)
    columns = [str(away) for away in HOPS] + ["random"]
    found = {column: [row for row in rows if row["partners"] == column] for column in columns}

    def line(name, quantity):
        return [name, *(f"{statistics.mean(float(row[quantity]) for row in found[column]):.2f}" for column in columns)]

    paper = ["the paper's curve, measured", "1", *[""] * (len(HOPS) - 2), "up to 8", ""]
    documents.put(DOCUMENT, {"torus-title": title, "torus": table(["hops to the partner", *columns], [line("simulated: mean", "mean"),
                                                                  line("simulated: slowest", "slowest"), paper])})


def main():
    parser = common.arguments(__doc__, rounds=5)
    parser.add_argument("--tables", action="store_true", help="only make the table, from the recorded figures")
    options = parser.parse_args()
    if not options.tables:
        rows = [(name, number, *(f"{value:.4f}" for value in simulate(away, number))) for number in range(options.rounds)
                for name, away in [*((str(away), away) for away in HOPS), ("random", None)]]
        cells.write_runs(options.results / FIGURES, f"simulated: a torus of {SIZE}x{SIZE}x{SIZE}, all pairs at once, long messages; over the time of one "
                         f"with a neighbour; {common.number_of_rounds(options.rounds)}", KEY, QUANTITIES, rows)
    write(options.results)


if __name__ == "__main__":
    main()
