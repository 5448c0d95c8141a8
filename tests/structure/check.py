#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the house's order: who may include whom, one place for hwloc and for setting masks, a licence
line in every file. Prints each fault, and a closing line with the number of checks."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# For each folder the folders (and headers) whose headers it may include, besides its own and the
# public interface.
MAY_INCLUDE = {
    "lib/support": [],
    "lib/mask": [],
    "lib/spec": [],
    "lib/machine": ["spec/kind.hpp"],
    "lib/planner": ["mask/", "spec/", "machine/", "plan/"],
    "lib/plan": ["spec/", "machine/"],
    "lib/show": ["mask/", "spec/", "machine/", "plan/"],
    "lib/workers": [],
    "lib/variables": [],
    "lib/runtime": ["support/", "mask/", "spec/", "planner/planner.hpp", "interpose/", "workers/", "variables/"],
    "lib/interpose": [],
    "lib/api": ["runtime/specification.hpp", "spec/"],
    "instrument/pomp2": ["instrument/pomp/"],
    "instrument": ["runtime/fork.hpp", "interpose/"],
    "cli": ["mask/", "spec/", "machine/", "show/", "variables/"],
}

SOURCES = {".c", ".h", ".cpp", ".hpp", ".f90", ".f", ".F90"}
# Files without a place for a comment, and inputs of which every byte counts.
NO_LICENCE_LINE = re.compile(
    r"(^LICENSE$|^tests/fuzz/corpus|\.xml$|\.csv$|\.png$|\.svg$|\.json$|\.expected$)")


def tracked():
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                           capture_output=True, text=True)
    if names.returncode == 0:
        return [ROOT / name for name in names.stdout.split("\n") if name and (ROOT / name).is_file()]
    skip = {"build", ".git"}
    return [p for p in ROOT.rglob("*") if p.is_file() and not skip & set(p.relative_to(ROOT).parts)]


def own_folder(name):
    if name.startswith("instrument/"):
        return "/".join(name.split("/")[:2])
    return next((folder for folder in MAY_INCLUDE if name.startswith(folder + "/")), None)


def included_faults(name, text):
    own = own_folder(name)
    if own is None:
        return
    allowed = MAY_INCLUDE[next(f for f in MAY_INCLUDE if name.startswith(f + "/"))]
    own_prefix = own[len("lib/"):] if own.startswith("lib/") else own
    for number, line in enumerate(text.split("\n"), 1):
        found = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if not found:
            continue
        header = found.group(1)
        local = (ROOT / name).parent / header
        if header.startswith(own_prefix + "/") or ("/" not in header and local.exists()):
            continue
        if not any(header == a or (a.endswith("/") and header.startswith(a)) for a in allowed):
            yield f"{name}:{number}: {own} may not include {header}"


def main():
    faults = []
    checks = 0
    for path in tracked():
        name = str(path.relative_to(ROOT))
        if not NO_LICENCE_LINE.search(name):
            checks += 1
            head = path.read_bytes()[:1000]
            if b"SPDX-License-Identifier: BSD-3-Clause" not in head:
                faults.append(f"{name}: no SPDX line")
        if path.suffix not in SOURCES:
            continue
        checks += 1
        text = path.read_text()
        faults += included_faults(name, text)
        if re.search(r"#\s*include\s*[<\"]hwloc", text) and not name.startswith("lib/machine/hwloc/"):
            faults.append(f"{name}: only lib/machine/hwloc includes hwloc")
        in_library = name.startswith(("lib/", "instrument/"))
        if in_library and "SYS_sched_setaffinity" in text and name != "lib/runtime/masks.cpp":
            faults.append(f"{name}: only lib/runtime/masks.cpp sets masks")
        if in_library and re.search(r"^(?!NESTBIND_INTERPOSE ).*\bsched_setaffinity\s*\(", text, re.M):
            faults.append(f"{name}: masks are set through lib/runtime/masks.hpp")
    for fault in faults:
        print(fault)
    print(f"structure: {checks - len(faults)} passed, {len(faults)} failed")
    return 1 if faults or checks == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
