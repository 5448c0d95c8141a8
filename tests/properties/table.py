# SPDX-License-Identifier: BSD-3-Clause
"""The table of nestbind-workers(7): made, found in the page, put there."""

import re

from verdicts import ALIKE, DIFFERS, FRESH

BEGIN = '.\\" properties: made by tests/properties/run.py --write\n'
END = '.\\" properties: end\n'
HEAD = ('.Bl -column "memory policy: set_mempolicy inside its library" "the process\'s" "differs: as the last region"\n'
        ".It Em property Ta Em new thread Ta Em kept worker\n")
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
        return "the process's" if left.new == "creator" else "its master's"
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
    return "alike; a new one if " + ("its master" if kinds[0] == FRESH else "a worker") + " has changed it"


def line_of(row, set_before, left, sentence):
    cells = (row.name, of_new_thread(row, set_before, left), of_kept_worker(set_before, left, sentence))
    return ".It " + " Ta ".join(escaped(cell) for cell in cells) + "\n"


def name_of(line):
    return line.removeprefix(".It ").partition(" Ta ")[0].replace("\\&", "")


def lines_of_page(page):
    """The rows that stand there, by name."""
    text = page.partition(BEGIN)[2].partition(END)[0]
    return {name_of(line): line for line in text.splitlines(keepends=True)
            if line.startswith(".It ") and line != HEAD.splitlines(keepends=True)[1]}


def page_with(page, lines):
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no place for the table")
    return before + BEGIN + HEAD + "".join(lines) + TAIL + END + after
