# SPDX-License-Identifier: BSD-3-Clause
"""Checks that each file exists if a README names it, or if README.md or a page in docs/ has a link to it."""

import pathlib
import re

FILE = re.compile(r"`([a-z][a-z0-9_./-]*\.[ch]pp)`")
TABLE = re.compile(r"^\| (?:file|folder) \|.*\n((?:\|.*\n)*)", re.M)
WORD = re.compile(r"`([a-z][\w.-]*)/?`")
LINK = re.compile(r"\]\(([^)#:]+)\)")


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


def broken_links(root, name, text):
    yield from (f"{name}: there is no {link}" for link in LINK.findall(text) if not (root / name).parent.joinpath(link).exists())
