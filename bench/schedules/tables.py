# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of README.md, only from the file of results."""

import sys

import runs
from overhead.tables import digits, spread, table

from . import bars, timed

sys.path.append(str(runs.BENCH / "numa"))
import documents  # noqa: E402


def notes(figures):
    return "\n".join(f"- {group}: {'; '.join(lines)}" for group, lines in figures.notes.items())


def bar_table(figures):
    rows = []
    for bar in bars.all_bars(figures):
        low, middle, high = bar.spread
        rows.append([bar.what, f"{bar.at_most:g}", f"{bar.is_:.3g}", f"{middle:.3g} ({low:.3g} to {high:.3g})", bar.of[0],
                     bar.verdict()])
    return table(["what", "at most", "is", "rounds: median (quartiles)", "of", "verdict"], rows)


def group_table(figures, kind, unit):
    cases = figures.names(kind.group, 2)
    rows = []
    for name in figures.names(kind.group, 1):
        row = [name]
        for case in cases:
            found = figures.of(kind.group, name, case, kind.quantity)
            row.append(f"{digits(min(found.values()))}; {spread(found.values())}" if found else "-")
        rows.append(row)
    return table([unit, *cases], rows)


def write(figures, document):
    """Writes each table that has figures into its place in the document."""
    contents = {}
    if figures.notes:
        contents |= {"loops-notes": notes(figures), "loops-bars": bar_table(figures)}
    for kind, unit in ((timed.Cost, "ns: least; median (quartiles) of rounds"),
                       (timed.Shapes, "us: least; median (quartiles) of rounds"),
                       (timed.Unset, "ns of a call: least; median (quartiles) of rounds")):
        if figures.keys(kind.group):
            contents[f"loops-{kind.group}"] = group_table(figures, kind, unit)
    documents.put(document, contents)
    return contents
