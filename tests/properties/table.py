# SPDX-License-Identifier: BSD-3-Clause
"""The table of nestbind-workers(7): made, found in the page, put there."""

import re

from verdicts import ALIKE, DIFFERS, FRESH

BEGIN = '.\\" properties: made by tests/properties/run.py --write\n'
END = '.\\" properties: end\n'
# The page's parts: what kept workers are in all rows of the part, and its words. Two columns fit a
# narrow screen; the last part's rows say in a third what comes instead.
PARTS = [
    ("alike", "Alike:"),
    ("alike; a new one if a worker has changed it", "Alike; a new one if a worker has changed it:"),
    ("alike; a new one if its primary thread has changed it", "Alike; a new one if its primary thread has changed it:"),
    ("a new one", "A new one, if its primary thread or a worker has changed it:"),
    ("", "Different:"),
]
HEADS = {2: ".It Em property Ta Em new thread\n", 3: ".It Em property Ta Em new thread Ta Em kept worker\n"}
TAIL = ".El\n"


def escaped(text):
    """Words that mdoc would take for its own."""
    return re.sub(r"(?<![^ ])([A-Z][a-z]|Nm|Ns)(?![^ ,.;:])", r"\\&\1", text.replace("\\", "\\e"))


def of_new_thread(row, set_before, left):
    if row.is_placed:
        return "as planned"
    if row.is_asked:
        return "as asked"
    if set_before.new == "creator":
        return "the process's" if left.new == "creator" else "its primary thread's"
    # What comes of a worker alone comes of its end.
    return "at its end" if left.new == "creator" else "begins anew"


def of_kept_worker(set_before, left, sentence):
    kinds = (set_before.kind, left.kind)
    if DIFFERS in kinds:
        return sentence
    if FRESH not in kinds:
        return "alike"
    if ALIKE not in kinds:
        return "a new one"
    return "alike; a new one if " + ("its primary thread" if kinds[0] == FRESH else "a worker") + " has changed it"


def line_of(row, set_before, left, sentence):
    cells = (row.name, of_new_thread(row, set_before, left), of_kept_worker(set_before, left, sentence))
    return ".It " + " Ta ".join(escaped(cell) for cell in cells) + "\n"


def name_of(line):
    return line.removeprefix(".It ").partition(" Ta ")[0].replace("\\&", "")


def part_of(line):
    """The part's number."""
    kept = line.rstrip("\n").rpartition(" Ta ")[2]
    return next((number for number, (kind, _) in enumerate(PARTS) if kind == kept), len(PARTS) - 1)


def lines_of_page(page):
    """The rows that stand there, by name: with all three cells, wherever they stand."""
    text = page.partition(BEGIN)[2].partition(END)[0]
    kinds = {words: kind for kind, words in PARTS}
    found = {}
    kind = ""
    for line in text.splitlines(keepends=True):
        kind = kinds.get(line.rstrip("\n"), kind)
        if line.startswith(".It ") and line not in HEADS.values():
            found[name_of(line)] = line.rstrip("\n") + (f" Ta {kind}" if kind else "") + "\n"
    return found


def columns(rows):
    """The list's beginning: each column as wide as its widest cell."""
    cells = [[cell.replace("\\&", "") for cell in row.removeprefix(".It ").rstrip("\n").split(" Ta ")] for row in rows]
    widest = [max(column, key=len) for column in zip(*cells)]
    return ".Bl -column " + " ".join(f'"{cell}"' for cell in widest) + "\n"


def part_lines(number, lines):
    kind, words = PARTS[number]
    rows = [line.removesuffix(f" Ta {kind}\n") + "\n" if kind else line for line in lines]
    return f".Pp\n{words}\n" + columns(rows) + HEADS[2 if kind else 3] + "".join(rows) + TAIL


def page_with(page, lines):
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no place for the table")
    parts = [[line for line in lines if part_of(line) == number] for number in range(len(PARTS))]
    return before + BEGIN + "".join(part_lines(number, rows) for number, rows in enumerate(parts) if rows) + END + after
