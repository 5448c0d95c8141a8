# SPDX-License-Identifier: BSD-3-Clause
"""Counts the instructions of a program and of its child processes by valgrind's callgrind, separately for each program file and library."""

import collections
import re
import tempfile
import pathlib

OBJECT = re.compile(r"(c?ob)=\((\d+)\)(?: (.*))?$")
TOOL = ["valgrind", "-q", "--tool=callgrind", "--trace-children=yes", "--dump-before=exec*"]


def read(path):
    """Returns two counters. The keys of the second counter are pairs (caller, callee)."""
    names, own, called = {}, collections.Counter(), collections.Counter()
    here = there = None
    is_call = False
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            named = OBJECT.match(line)
            if named:
                kind, number, name = named.groups()
                names.setdefault(number, name)
                if kind == "ob":
                    here = names[number]
                else:
                    there = names[number]
            elif line.startswith("calls="):
                is_call = True
            elif line[0] in "+-*0123456789":
                count = int(line.split()[1])
                if is_call:
                    called[here, there or here] += count
                    there = None
                else:
                    own[here] += count
                is_call = False
    return own, called


def count(run):
    """run(words) must start the program under valgrind: `words` is the beginning of the command. Returns the two counters of read(), summed
    over all processes."""
    own, called = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        run([*TOOL, f"--callgrind-out-file={folder}/out.%p"])
        for path in pathlib.Path(folder).iterdir():
            for total, found in zip((own, called), read(path)):
                total.update(found)
    return own, called
