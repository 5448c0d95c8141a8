# SPDX-License-Identifier: BSD-3-Clause
"""Checks with the table in rooms.py which files each file includes."""

import re

from rooms import LINKED_TOGETHER


def repository_path(root, name, header):
    """Returns the path of the included file in the repository, found in the compiler's search order."""
    for folder in ((root / name).parent, *(root / folder for folder in LINKED_TOGETHER), root / "lib", root / "include", root):
        if (folder / header).is_file():
            return str((folder / header).resolve().relative_to(root.resolve()))
    return None


def faults(root, house, name, text):
    room = house.room_of(name)
    if room not in house.rooms:
        if name.startswith(("lib/", "cli/")) or name.startswith("instrument/") and name.endswith(".cpp"):
            yield f"{name}: {room} has no row in tests/structure/rooms.py"
        return
    for number, line in enumerate(text.split("\n"), 1):
        found = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if not found:
            continue
        path = repository_path(root, name, found.group(1))
        if path is None:
            yield f"{name}:{number}: there is no {found.group(1)}"
        elif not path.startswith("include/") and not house.may_know(room, path):
            yield f"{name}:{number}: {room} may not include {path}"
