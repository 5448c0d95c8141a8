# SPDX-License-Identifier: BSD-3-Clause
"""Checks that each file exists if a README names it. Checks lengths and links of README.md and docs/."""

import pathlib
import re

FILE = re.compile(r"`([a-z][a-z0-9_./-]*\.[ch]pp)`")
TABLE = re.compile(r"^\| (?:file|folder) \|.*\n((?:\|.*\n)*)", re.M)
WORD = re.compile(r"`([a-z][\w.-]*)/?`")
LINK = re.compile(r"\]\(([^)#:]+)\)")

MOST_COLUMNS = 100
MOST_LINES = 120  # of README.md


def faults(files, name, text):
    """Returns a fault for each missing file that a README names. The file must be in the folder of the README or in the repository. Each
    word in the first column of a table of files or folders must also name an existing file or folder, with or without its suffix."""
    folder = name.rpartition("/")[0]
    inside = [file.removeprefix(folder + "/") for file in files if file.startswith(folder + "/")]
    words = {word for file in inside for part in pathlib.PurePath(file).parts for word in (part, part.partition(".")[0])}
    for file in FILE.findall(text):
        is_there = file in words or "/" in file and any(other == file or other.endswith("/" + file) for other in files)
        if not is_there:
            yield f"{name}: there is no {file} here"
    for row in "".join(TABLE.findall(text)).splitlines():
        yield from (f"{name}: there is no {word} here" for word in WORD.findall(row.split("|")[1]) if word not in words)


def page_faults(root, name, text):
    """Returns the faults of README.md and of pages in docs/: long lines, a README with too many lines, and broken links."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_COLUMNS:
            yield f"{name}: line {number} has {len(line)} columns, more than {MOST_COLUMNS}"
    if name == "README.md" and len(lines) > MOST_LINES:
        yield f"{name}: {len(lines)} lines, more than {MOST_LINES}"
    yield from (f"{name}: there is no {link}" for link in LINK.findall(text) if not (root / name).parent.joinpath(link).exists())
