# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes files of results: a row for each cell, with all repetitions in one field (results/README.md)."""

import csv

VALUES = "values"
MISSING = "-"  # stands for a round without a value


def write(path, notes, columns, cells):
    """`columns` are the names of the parts of a key. `cells` has a dictionary from round to value for each key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as out:
        out.writelines(f"# {note}\n" for note in notes)
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*columns, VALUES])
        for key, by_round in cells.items():
            if by_round:
                values = [str(by_round.get(number, MISSING)) for number in range(max(by_round) + 1)]
                writer.writerow([*key, " ".join(values)])


def read(path):
    """Returns the notes, the columns and the cells of a file. Values are text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    notes = [line[2:] for line in lines if line.startswith("# ")]
    columns, *rows = csv.reader(lines[len(notes):])
    cells = {tuple(key): {number: value for number, value in enumerate(values.split()) if value != MISSING}
             for *key, values in rows}
    return notes, tuple(columns[:-1]), cells


def write_runs(path, title, key, quantities, runs):
    """Each row of `runs` has the fields of a key, one of which is "round", and then a value for each quantity."""
    rest = [place for place, name in enumerate(key) if name != "round"]
    cells = {}
    for row in runs:
        cell = tuple(row[place] for place in rest)
        for quantity, value in zip(quantities, row[len(key):], strict=True):
            cells.setdefault((*cell, quantity), {})[int(row[key.index("round")])] = value
    write(path, [title], [*(key[place] for place in rest), "quantity"], cells)


def read_runs(path):
    """Returns the title, and a dictionary for each run."""
    notes, columns, cells = read(path)
    runs = {}
    for (*key, quantity), by_round in cells.items():
        for number, value in by_round.items():
            run = runs.setdefault((*key, number), dict(zip(columns, key)) | {"round": str(number)})
            run[quantity] = value
    return notes[0], list(runs.values())
