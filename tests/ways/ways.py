# SPDX-License-Identifier: BSD-3-Clause
"""The columns of the table. Each column is a way to load the library, or the code with the parallel regions, into a process."""

from dataclasses import dataclass, field


@dataclass
class Way:
    name: str
    program: str
    arguments: list = field(default_factory=list)
    is_preloaded: bool = True
    env: dict = field(default_factory=dict)
    labels: tuple = ("region",)


WAYS = [
    Way("linked in front", "front", is_preloaded=False),
    Way("linked behind", "behind", is_preloaded=False),
    Way("preloaded", "plain"),
    Way("dlopen local", "loader", ["local", "{library}"]),
    Way("dlopen global", "loader", ["global", "{library}"]),
    Way("constructor", "startup", ["nothing"], env={"WAYS_REGION": "constructor"}),
    Way("destructor", "startup", ["nothing"], env={"WAYS_REGION": "destructor"}),
    Way("fork", "plain", ["fork"]),
    Way("exec", "plain", ["exec"], labels=("before", "region")),
]


def impossible(row, way):
    """Returns the reason why this cell is impossible."""
    if row.impossible:
        return row.impossible
    if row.env.get("NESTBIND_RUNTIME") and way.program == "loader":
        return "OMPT reports the forks. A library that the program loads may be compiled by Clang, and Clang's code does not call the GOMP functions"
    if row.env.get("NESTBIND_RUNTIME") and way.name == "constructor":
        return "OMPT reports the forks. The library's constructor runs before nestbind's constructor, which chooses between GOMP and OMPT"
    if row.env.get("NESTBIND_RUNTIME") and way.program == "behind":
        return "LLVM's runtime comes before libnestbind in the link order: OMPT reports the forks"
    if row.is_static and way.program in ("loader", "startup"):
        return "a shared library cannot contain libgomp.a"
    if row.is_static and not way.is_preloaded:
        return "libgomp.a and libnestbind have functions of the same names (nestbind-opari(7))"
    return ""


def too_late(row, way):
    """Returns the reason why nothing is bound, which a message of nestbind reports."""
    is_late = way.program == "behind" and row.runtime.startswith("libgomp")
    return "GCC's runtime comes before libnestbind in the link order: nothing is bound, and a message says so" if is_late else ""
