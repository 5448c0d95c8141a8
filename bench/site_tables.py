# SPDX-License-Identifier: BSD-3-Clause
"""Makes tables of a file that site.sh has written."""

import cells
import runs

TITLES = {
    "stream": "Nested STREAM, GB/s: more is better",
    "constructs": "Overhead in inner teams, EPCC's method, microseconds",
    "first fork": "First fork of a process",
    "mpi": "MPI and OpenMP, a stencil: more is better",
    "watch": "Nested STREAM under the memory watch",
}


def tables(path):
    notes, _, found = cells.read(path)
    yield "\n".join(f"- {note}" for note in notes)
    for part, title in TITLES.items():
        own = {key[1:]: [float(value) for value in by_round.values()] for key, by_round in found.items() if key[0] == part}
        if not own:
            continue
        names = list(dict.fromkeys(variant for _, variant, _ in own))
        rows = dict.fromkeys((shape, quantity) for shape, _, quantity in own)
        yield f"\n## {title}\n\n| shape | quantity | {' | '.join(names)} |\n| --- | --- |{' --- |' * len(names)}"
        for shape, quantity in rows:
            values = [own.get((shape, name, quantity)) for name in names]
            yield f"| {shape} | {quantity} | " + " | ".join(runs.median_and_spread(one) if one else "" for one in values) + " |"
