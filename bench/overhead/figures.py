# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes the file of raw figures, which has every repetition of every measurement."""

import statistics

import cells

COLUMNS = ("group", "configuration", "case", "quantity")  # the parts of a key; values are microseconds
NAME = "overhead.csv"


class Figures:
    """Rows by their key (group, configuration, case, quantity). The notes of a group have its date, its machine, and the versions."""

    def __init__(self):
        self.notes = {}
        self.values = {}  # by key: a dictionary {round: microseconds}

    def add(self, group, configuration, case, quantity, number, microseconds):
        self.values.setdefault((group, configuration, case, quantity), {})[number] = microseconds

    def expect(self, *key):
        """Reserves the place of the key in the order of the file."""
        self.values.setdefault(key, {})

    def drop(self, group):
        self.notes.pop(group, None)
        self.values = {key: values for key, values in self.values.items() if key[0] != group}

    def of(self, group, configuration, case, quantity):
        return self.values.get((group, configuration, case, quantity), {})

    def keys(self, group):
        return [key for key, values in self.values.items() if key[0] == group and values]

    def names(self, group, column):
        """Returns all configurations (if `column` is 1), cases (2) or quantities (3) of a group, in the order of the file."""
        return list(dict.fromkeys(key[column] for key in self.keys(group)))

    def write(self, path):
        cells.write(path, [f"{group}: {line}" for group, lines in self.notes.items() for line in lines], COLUMNS,
                    {key: {number: f"{value:.4f}" for number, value in values.items()}
                     for key, values in self.values.items()})


def read(path):
    figures = Figures()
    if not path.exists():
        return figures
    notes, _, found = cells.read(path)
    for line in notes:
        group, note = line.split(": ", 1)
        figures.notes.setdefault(group, []).append(note)
    for key, values in found.items():
        figures.values[key] = {number: float(value) for number, value in values.items()}
    return figures


def quartiles(values):
    values = list(values)
    if len(values) < 2:
        return values[0], values[0], values[0]
    return tuple(statistics.quantiles(values, n=4, method="inclusive"))


def pairs(one, other):
    return [(one[number], other[number]) for number in one if number in other]
