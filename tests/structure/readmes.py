# SPDX-License-Identifier: BSD-3-Clause
"""Whether a README names files that are there."""

import pathlib
import re

FILE = re.compile(r"`([a-z][a-z0-9_./-]*\.[ch]pp)`")
TABLE = re.compile(r"^\| (?:file|folder) \|.*\n((?:\|.*\n)*)", re.M)
WORD = re.compile(r"`([a-z][\w.-]*)/?`")


def faults(files, name, text):
    """Each file that a README names, and that neither its folder nor the repository has; and of a table of files or folders, each
    word in the first column that is none there, with or without its ending. files: the repository's, as paths."""
    folder = name.rpartition("/")[0]
    inside = [file.removeprefix(folder + "/") for file in files if file.startswith(folder + "/")]
    words = {word for file in inside for part in pathlib.PurePath(file).parts for word in (part, part.partition(".")[0])}
    for file in FILE.findall(text):
        is_there = file in words or "/" in file and any(other == file or other.endswith("/" + file) for other in files)
        if not is_there:
            yield f"{name}: there is no {file} here"
    for row in "".join(TABLE.findall(text)).splitlines():
        yield from (f"{name}: there is no {word} here" for word in WORD.findall(row.split("|")[1]) if word not in words)
