#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of the counted results into ../NUMA.md, between its markers."""

import statistics
from collections import defaultdict

import common
import documents
import model
import paper
from common import cells

SHAPES = ("1x1", "1x4", "4x1", "4x4", "2x8", "8x2")
PAPER_SHAPES = SHAPES[:4]
DOCUMENT = common.BENCH / "NUMA.md"


def grouped(rows):
    found = defaultdict(list)
    for row in rows:
        found[row["runtime"], row["shape"], row["variant"]].append(row)
    return found


def cell(rows, column, digits=1):
    """Returns the median over the rounds, and the range if the rounds differ."""
    values = [float(row[column]) for row in rows]
    if not values:
        return "-"
    low, middle, high = (f"{value:.{digits}f}" for value in (min(values), statistics.median(values), max(values)))
    return middle if low == high else f"{middle} ({low} to {high})"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def names_of(groups, runtime):
    return list(dict.fromkeys(name for one, _, name in groups if one == runtime))


def by_shape(groups, runtime, column, shapes=SHAPES, digits=1):
    return table([runtime, *shapes], [[f"`{name}`" if "=" in name or "-" in name else name]
                                      + [cell(groups[runtime, shape, name], column, digits) for shape in shapes]
                                      for name in names_of(groups, runtime)])


def rest_table(groups):
    rows = []
    for runtime in dict.fromkeys(key[0] for key in groups):
        for name in names_of(groups, runtime):
            group = groups[runtime, "4x4", name]
            rows.append([runtime, name, cell(group, "array_accesses", 0), cell(group, "array_local_percent", 2),
                         cell(group, "rest_accesses", 0), cell(group, "rest_local_percent")])
    return table(["4x4", "", "array accesses", "local, %", "other accesses", "local, %"], rows)


def model_table(groups, runtime="libgomp"):
    figures = paper.bandwidths()
    rows = []
    for machine in ("Barcelona", "Tigerton"):
        for name in ("unbound", "bound"):
            row = [machine, name]
            for shape in PAPER_SHAPES:
                modelled = cell(groups[runtime, shape, name], f"model_{machine}_GBps")
                row.append(f"{modelled} / {figures[machine, name, shape]}")
            row += [cell(groups[runtime, shape, name], f"model_{machine}_GBps") for shape in SHAPES[4:]]
            rows.append(row)
        native = [cell(groups[runtime, shape, "OMP_PROC_BIND=spread,close"], f"model_{machine}_GBps") for shape in SHAPES]
        rows.append([machine, "native", *native])
    return table(["GB/s: modelled / the paper's", "", *SHAPES], rows)


def priced_table(groups, runtime="libgomp", machine="Barcelona"):
    def median(shape, column):
        return statistics.median(float(row[column]) for row in groups[runtime, shape, "unbound"])

    figures = paper.bandwidths()
    shares = {shape: median(shape, "array_local_percent") / 100 for shape in PAPER_SHAPES}
    unpriced = {shape: median(shape, f"model_{machine}_GBps") for shape in PAPER_SHAPES}
    if shares["1x4"] == 1:
        return "No price: unbound 1x4 had no remote accesses."
    rows = [["no price"] + [f"{unpriced[shape]:.1f}" for shape in PAPER_SHAPES]]
    for kind, name in (("core", "cores wait"), ("links", "links are full")):
        rows.append([name] + [f"{priced_bandwidth(machine, kind, shape, shares, unpriced):.1f}" for shape in PAPER_SHAPES])
    rows.append(["the paper's"] + [f"{figures[machine, 'unbound', shape]}" for shape in PAPER_SHAPES])
    return table([f"{machine}, unbound, GB/s", *PAPER_SHAPES], rows)


def priced_bandwidth(machine, kind, shape, shares, unpriced):
    outer, inner = (int(size) for size in shape.split("x"))
    return model.priced(machine, kind, outer * inner, shares[shape], shares["1x4"], unpriced[shape])


def locality(groups, variant):
    """Returns the worst figures of all runs of 4x4, in per cent: the smallest local share, and the largest difference between two
    controllers. Also returns the number of runs."""
    rows = [row for (_, shape, name), some in groups.items() for row in some if (shape, name) == ("4x4", variant)]
    counts = [[int(row[f"controller{node}"]) for node in range(4)] for row in rows]
    differences = [100 * (max(count) - min(count)) / min(count) for count in counts]
    return min(float(row["array_local_percent"]) for row in rows), max(differences), len(rows)


def checks(groups):
    """Returns a pair for each limit of the bound runs: True if the limit is met, and a line of text."""
    found = []
    for variant in ("bound", "bound, no huge pages"):
        least, worst, runs = locality(groups, variant)
        found.append((least >= 99, f"4x4 {variant}, {runs} runs: at least {least:.2f} % of the array accesses are local "
                                   "(wanted: 99)"))
        found.append((worst <= 10, f"4x4 {variant}: the controllers' array accesses differ by {worst:.2f} % at most "
                                   "(wanted: 10)"))
    alone = [row for (_, shape, name), some in groups.items() for row in some if (shape, name) == ("1x4", "bound")]
    elsewhere = sum(int(row[f"controller{node}"]) for row in alone for node in range(1, 4))
    single = min(float(row["array_local_percent"]) for row in alone)
    found.append((elsewhere == 0 and single == 100,
                  f"`1,scatter,4,subscatter`, {len(alone)} runs: {elsewhere} array accesses to nodes other than node 0, "
                  f"{single:.2f} % local"))
    return found


def heat_tables(path):
    title, rows = cells.read_runs(path)
    groups = grouped(rows)
    shapes = tuple(dict.fromkeys(row["shape"] for row in rows))
    local = by_shape(groups, "libgomp", "array_local_percent", shapes).replace("libgomp", "local, %", 1)
    imbalance = by_shape(groups, "libgomp", "array_imbalance_percent", shapes, 0).replace("libgomp", "imbalance, %", 1)
    return f"{title}.\n\n{local}\n\n{imbalance}"


def lines_cell(rows, construct, teams):
    """Returns the number of cache lines that one repetition in one team sends to other nodes, as median and range."""
    values = [(int(row["transfers"]) - int(row["transfers_without"])) / int(row["repetitions"]) / teams
              for row in rows if row["construct"] == construct]
    return cell([{"lines": value} for value in values], "lines")


def syncbench_table(path):
    title, rows = cells.read_runs(path)
    groups = grouped(rows)
    shapes = tuple(dict.fromkeys(row["shape"] for row in rows))
    constructs = tuple(dict.fromkeys(row["construct"] for row in rows))
    lines = []
    for runtime in dict.fromkeys(key[0] for key in groups):
        for name in names_of(groups, runtime):
            found = [lines_cell(groups[runtime, shape, name], construct, int(shape.split("x")[0]))
                     for construct in constructs for shape in shapes]
            lines.append([runtime, f"`{name}`" if "=" in name else name, *found])
    head = ["", "", *(f"{construct.upper()} {shape}" for construct in constructs for shape in shapes)]
    return f"{title}.\n\n{table(head, lines)}"


def main():
    options = common.arguments(__doc__).parse_args()
    title, rows = cells.read_runs(options.results / "numa-stream.csv")
    groups = grouped(rows)
    verdicts = checks(groups)
    lines = [f"- {'met' if met else '**not met**'}: {line}" for met, line in verdicts]
    contents = {"stream-title": title + ".", "checks": "\n".join(lines), "rest": rest_table(groups),
                "model": model_table(groups), "priced": priced_table(groups)}
    for runtime in dict.fromkeys(key[0] for key in groups):
        contents[f"local-{runtime}"] = by_shape(groups, runtime, "array_local_percent")
        contents[f"imbalance-{runtime}"] = by_shape(groups, runtime, "array_imbalance_percent", digits=0)
    heat = options.results / "numa-heat.csv"
    if heat.exists():
        contents["heat"] = heat_tables(heat)
    syncbench = options.results / "numa-syncbench.csv"
    if syncbench.exists():
        contents["syncbench"] = syncbench_table(syncbench)
    documents.put(DOCUMENT, contents)
    print("\n".join(lines))
    return 0 if all(met for met, _ in verdicts) else 1


if __name__ == "__main__":
    raise SystemExit(main())
