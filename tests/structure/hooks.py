# SPDX-License-Identifier: BSD-3-Clause
"""libnestbind.so may interpose at most MOST functions of the C library. Each function must have a reason in lib/README.md."""

import re

MOST = 58
HEADING = "## Functions of the C library that we interpose"
# The other functions in nestbind.map: nestbind's interface, and entry points of OpenMP runtimes and instrumenters.
OTHERS = re.compile(r"(nestbind_|omp_|ompc_|ompt_|GOMP_|__kmpc_|pomp_|POMP_|pomp2_|POMP2_)")


def exported(text):
    names = text.partition("global:")[2].partition("local:")[0].replace(";", " ").split()
    return [name for name in names if not OTHERS.match(name)]


def listed(text):
    """Returns the names in the first column of the README's table."""
    section = text.partition(HEADING)[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


def faults(root):
    names = exported(next((root / "lib").rglob("nestbind.map")).read_text())
    table = listed((root / "lib/README.md").read_text())
    for name in sorted(set(names) - set(table)):
        yield f"lib/README.md: {name} of nestbind.map has no reason in its table"
    for name in sorted(set(table) - set(names)):
        yield f"lib/README.md: {name} of its table is not in nestbind.map"
    for name in sorted({name for name in table if table.count(name) > 1}):
        yield f"lib/README.md: {name} is twice in its table"
    if len(names) > MOST:
        yield f"nestbind.map: {len(names)} functions of the C library, at most {MOST}"
