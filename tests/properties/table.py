# SPDX-License-Identifier: BSD-3-Clause
"""Makes the table of nestbind-workers(7), finds the table in the page, and replaces it."""

import re

from verdicts import ALIKE, DIFFERS, FRESH

BEGIN = '.\\" properties: made by tests/properties/run.py --write\n'
END = '.\\" properties: end\n'
# For each part: the result of all rows in it, and its heading. The first part has the rows that differ, with columns for a new and for a
# kept thread.
PARTS = [
    ("", "A program can see these differences:"),
    ("alike", "A kept thread has the same values as a new thread:"),
    ("alike; a new one if a worker has changed it",
     "A kept thread has the same values as a new thread; if a worker has changed them, a new thread begins:"),
    ("alike; a new one if its primary thread has changed it",
     "A kept thread has the same values as a new thread; if the primary thread has changed them, a new thread begins:"),
    ("a new one", "After these changes a new thread begins, so that no difference can be seen:"),
]
HEAD = ".It Em property Ta Em new thread Ta Em kept thread\n"
TAIL = ".El\n"


def escaped(text):
    """Returns the text for mdoc. Words that look like mdoc's macros are escaped."""
    return re.sub(r"(?<![^ ])([A-Z][a-z]|Nm|Ns)(?![^ ,.;:])", r"\\&\1", text.replace("\\", "\\e"))


def of_new_thread(row, set_before, left):
    if row.is_placed:
        return "as planned"
    if row.is_asked:
        return "as asked"
    if set_before.new == "creator":
        return "the process's" if left.new == "creator" else "its primary thread's"
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
    kept = of_kept_worker(set_before, left, sentence)
    is_alone = any(kept == kind for kind, _ in PARTS)
    cells = (row.name, kept) if is_alone else (row.name, of_new_thread(row, set_before, left), kept)
    return ".It " + " Ta ".join(escaped(cell) for cell in cells) + "\n"


def name_of(line):
    return line.removeprefix(".It ").partition(" Ta ")[0].replace("\\&", "")


def part_of(line):
    """Returns the index in PARTS of the part that has this row."""
    kept = line.rstrip("\n").rpartition(" Ta ")[2]
    return next((number for number, (kind, _) in enumerate(PARTS) if kind == kept), 0)


def lines_of_page(page):
    """Returns {name: row} for the rows of all parts in the page."""
    kinds = {words: kind for kind, words in PARTS}
    found = {}
    kind = subject = ""
    for line in page.partition(BEGIN)[2].partition(END)[0].splitlines():
        if line in kinds:
            kind = kinds[line]
        elif not kind and line.startswith(".It ") and line + "\n" != HEAD:
            found[name_of(line)] = line + "\n"
        elif line.startswith(".It ") and line.endswith(":"):
            subject = line.removeprefix(".It ")
        elif kind and (line.startswith(".It ") or not line.startswith(".")):
            name = line.removeprefix(".It ") if line.startswith(".It ") else f"{subject} {line.removesuffix(';')}"
            found[name] = f".It {escaped(name)} Ta {kind}\n"
    return found


def columns(rows):
    """Returns the first line of a list with columns."""
    cells = [[cell.replace("\\&", "") for cell in row.removeprefix(".It ").rstrip("\n").split(" Ta ")] for row in rows]
    widest = [max(column, key=len) for column in zip(*cells)]
    return ".Bl -column " + " ".join(f'"{cell}"' for cell in widest) + "\n"


def by_subject(names):
    subjects = {}
    for name in names:
        subject, colon, way = name.partition(": ")
        subjects.setdefault(subject + colon.strip(), []).extend([way] if way else [])
    items = [f".It {subject}\n" + ";\n".join(ways) + ("\n" if ways else "") for subject, ways in subjects.items()]
    return '.Bl -tag -width "floating point" -compact\n' + "".join(items)


def part_lines(number, lines):
    kind, words = PARTS[number]
    rows = by_subject(map(name_of, lines)) if kind else columns(lines) + HEAD + "".join(lines)
    return f".Pp\n{words}\n" + rows + TAIL


def page_with(page, lines):
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no place for the table")
    parts = [[line for line in lines if part_of(line) == number] for number in range(len(PARTS))]
    return before + BEGIN + "".join(part_lines(number, rows) for number, rows in enumerate(parts) if rows) + END + after
