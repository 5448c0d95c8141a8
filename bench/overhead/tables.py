# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of ../README.md, only from the file of results."""

import csv
import sys

import runs

from . import forks, planning, startup, verdicts
from .figures import quartiles

sys.path.append(str(runs.BENCH / "numa"))
import documents  # noqa: E402


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def digits(value):
    """Returns the value with three significant digits."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread(values):
    low, middle, high = quartiles(values)
    return f"{digits(middle)} ({digits(low)} to {digits(high)})"


def cell(figures, *key, scale=1.0):
    values = figures.of(*key)
    return spread([value * scale for value in values.values()]) if values else "-"


def verdict_line(row):
    bar = f"{row.bar:g} {row.unit}".strip() + (f", or {row.slack:g} ns" if row.slack else "")
    worst = row.worst()
    if worst is None:
        return [row.what, bar, "-", "-", "-", row.verdict()]
    low, middle, high = worst.spread
    value = f"{worst.value:.3g} {row.unit}".strip()
    if row.slack and worst.value > row.bar:
        value += f", {worst.difference:+.0f} ns"
    misses = len(row.misses())
    verdict = f"**{row.verdict()}**" if misses else row.verdict()
    count = len(row.comparisons)
    return [row.what, bar, value, f"{middle:.3g} ({low:.3g} to {high:.3g})",
            worst.what + (f" (worst of {count})" if count > 1 else ""),
            verdict + (f", {misses} of {count}" if misses and count > 1 else "")]


def verdict_table(figures):
    return table(["what", "at most", "is", "within rounds: median (quartiles)", "of", "verdict"],
                 [verdict_line(row) for row in verdicts.all_rows(figures)])


def construct_table(figures, construct):
    return table([f"{construct.upper()}, us", *forks.SHAPES],
                 [[name] + [cell(figures, forks.GROUP, name, shape, construct) for shape in forks.SHAPES]
                  for name in figures.names(forks.GROUP, 1)])


def outer_table(figures):
    cases = (forks.OUTER, forks.BESIDE)
    rows = [[name] + [cell(figures, forks.GROUP, name, case, "parallel") for case in cases]
            for name in figures.names(forks.GROUP, 1)]
    return table(["PARALLEL of the outermost level, us", *cases],
                 [row for row in rows if row[1:] != ["-", "-"]])


def startup_table(figures):
    return table(["ms", "", "median (quartiles)"],
                 [[case, configuration, cell(figures, startup.GROUP, configuration, case, quantity, scale=0.001)]
                  for _, configuration, case, quantity in figures.keys(startup.GROUP)])


def planning_table(figures):
    return table(["PUs", "specification", "machine cut into slots, us", "plan made", "every team", "the last two"],
                 [[case, f"`{spec}`"]
                  + [cell(figures, planning.GROUP, spec, case, quantity) for quantity in planning.QUANTITIES]
                  + [spread(planning.planned(figures, spec, case).values())] for spec, case in planning.cases(figures)])


def notes(figures):
    """Returns a line for each group. Groups with the same versions share one line for the versions."""
    versions = dict.fromkeys(lines[3] for lines in figures.notes.values())
    return "\n".join([f"- {group}: {'; '.join(lines[:3] + lines[4:])}" for group, lines in figures.notes.items()]
                     + [f"- {line}" for line in versions])


def soak_line(path):
    """Returns a table of a record of soak.c."""
    if not path.exists():
        return "no record yet"
    with open(path, encoding="utf-8", newline="") as source:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(source)]
    early = [row for row in rows if row["forks"] <= rows[-1]["forks"] / 10] or rows[:1]
    late = rows[len(early):] or rows
    return table([f"{rows[-1]['forks']:.0f} forks in {rows[-1]['seconds']:.0f} s", "most in the first tenth",
                  "most after it", "at the end"],
                 [[what] + [f"{max(row[column] for row in some):.0f}" for some in (early, late, rows[-1:])]
                  for what, column in (("memory, kB", "rss_kb"), ("threads", "threads"), ("mappings", "mappings"))])


def write(figures, document, results):
    """Writes each table into the document."""
    contents = {"overhead-notes": notes(figures), "overhead-verdicts": verdict_table(figures)}
    for construct in forks.CONSTRUCTS:
        contents[f"overhead-{construct}"] = construct_table(figures, construct)
    contents |= {"overhead-outer": outer_table(figures), "overhead-start-up": startup_table(figures),
                 "overhead-planning": planning_table(figures), "soak": soak_line(results / "soak.csv")}
    documents.put(document, contents)
    return contents["overhead-verdicts"]
