#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the project's rules about its files. Prints each fault, and a last line with the number of checks."""

import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True

import hooks
import includes
import readmes
from rooms import HOUSE, short

ROOT = pathlib.Path(__file__).resolve().parents[2]

SOURCES = {".c", ".h", ".cpp", ".hpp", ".f90", ".f", ".F90"}
# Files that cannot have comments, and inputs of tests in which every byte counts.
NO_LICENCE_LINE = re.compile(
    r"(^LICENSE$|^tests/fuzz/corpus[^/]*/|\.xml$|\.csv$|\.png$|\.svg$|\.json$|\.expected$)")


def tracked():
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                           capture_output=True, text=True)
    if names.returncode == 0:
        return [ROOT / name for name in names.stdout.split("\n") if name and (ROOT / name).is_file()]
    skip = {"build", ".git"}
    return [p for p in ROOT.rglob("*") if p.is_file() and not skip & set(p.relative_to(ROOT).parts)]


def main():
    faults = list(hooks.faults(ROOT))
    checks = 1
    files = tracked()
    names = [str(path.relative_to(ROOT)) for path in files]
    for path in files:
        name = str(path.relative_to(ROOT))
        if not NO_LICENCE_LINE.search(name):
            checks += 1
            head = path.read_bytes()[:1000]
            if not re.search(rb'SPDX-License-Identifier: BSD-3-Clause(| \*/| -->|"}},)\n', head):
                faults.append(f"{name}: no SPDX line, or more text in it")
        if path.name == "README.md":
            checks += 1
            faults += readmes.faults(names, name, path.read_text())
        if name == "README.md" or path.match("docs/*.md"):
            checks += 1
            faults += readmes.broken_links(ROOT, name, path.read_text(encoding="utf-8"))
        if path.suffix not in SOURCES:
            continue
        checks += 1
        text = path.read_text()
        faults += includes.faults(ROOT, HOUSE, name, text)
        if re.search(r"#\s*include\s*[<\"]hwloc", text) and not short(name).startswith("lib/machine/"):
            faults.append(f"{name}: only lib/machine includes hwloc")
        in_library = name.startswith(("lib/", "instrument/"))
        if in_library and re.search(r"\(SYS_sched_setaffinity", text) and short(name) != "lib/binding/kernel_mask.cpp":
            faults.append(f"{name}: only lib/binding/kernel_mask.cpp sets masks")
        if in_library and re.search(r"^(?!NESTBIND_INTERPOSE ).*\bsched_setaffinity\s*\(", text, re.M):
            faults.append(f"{name}: masks are set through lib/binding/kernel_mask.hpp")
    for fault in faults:
        print(fault)
    print(f"structure: {checks - len(faults)} passed, {len(faults)} failed")
    return 1 if faults or checks == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
