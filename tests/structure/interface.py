#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""interface.py [--types] BUILD: checks that programs linked with an earlier version can use this libnestbind.so. The file
packaging/interface/SONAME lists the functions, each with the version that added it. --types: abidw reads the structures and enumerations
of the public headers, and they must be the same as in SONAME.types. The exit status is 77 if abidw is not installed."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

sys.dont_write_bytecode = True

import objects
from symbols import OWN_INTERFACE

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = "libnestbind.so"


def soname(file):
    shown = subprocess.run(["readelf", "--dynamic", "--wide", file], capture_output=True, text=True, check=True).stdout
    return re.search(r"SONAME.*\[(.*)\]", shown)[1]


def lines_of(file):
    return [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def faults(listed, exported):
    """`listed` has lines "name version", `exported` has the names of exported functions."""
    names = [line.split(" ")[0] for line in listed]
    own = {name for name in exported if OWN_INTERFACE.match(name)}
    for name in sorted(set(names) - own):
        yield f"{name} was removed: programs call it, so the soname must change"
    for name in sorted(own - set(names)):
        yield f"{name} is new: add it with its version"
    if names != sorted(set(names)):
        yield "the list is not in order, or has a name twice"


def types(library):
    """Returns a line for each public structure and each enumeration. A structure's line has its size and the offset of each member, in
    bits."""
    shown = subprocess.run(["abidw", "--headers-dir", ROOT / "include" / "nestbind", library], capture_output=True, check=True).stdout
    tree = xml.etree.ElementTree.fromstring(shown)
    for kind, inner, value in (("class-decl", "data-member", "layout-offset-in-bits"), ("enum-decl", "enumerator", "value")):
        for one in tree.iter(kind):
            if one.get("name", "").startswith("nestbind_") and one.get("is-declaration-only") != "yes":
                members = [(member.find("var-decl").get("name") if kind == "class-decl" else member.get("name"), member.get(value))
                           for member in one.findall(inner)]
                if members:
                    yield " ".join([one.get("name"), one.get("size-in-bits") or "enum", *(f"{name}={number}" for name, number in members)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--types", action="store_true")
    parser.add_argument("build", type=pathlib.Path)
    arguments = parser.parse_args()
    library = next((arguments.build / "lib").rglob(LIBRARY))
    reference = ROOT / "packaging" / "interface" / soname(library)
    if arguments.types:
        if shutil.which("abidw") is None:
            print("abidw is not installed (Debian: abigail-tools)")
            sys.exit(77)
        reference = reference.with_name(reference.name + ".types")
        listed, now = lines_of(reference), sorted(set(types(library)))
        found = [f"it has not: {line}" for line in now if line not in listed] + [f"it has: {line}" for line in listed if line not in now]
    else:
        found = list(faults(lines_of(reference), objects.exported(arguments.build, LIBRARY)))
    for fault in found:
        print(f"FAIL {reference.relative_to(ROOT)}: {fault}")
    print(f"interface: {reference.name}, {len(found)} faults")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
