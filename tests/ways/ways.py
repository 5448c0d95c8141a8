# SPDX-License-Identifier: BSD-3-Clause
"""The columns: how the library, or the code with the regions, gets into the process."""

from dataclasses import dataclass, field


@dataclass
class Way:
    name: str
    program: str
    arguments: list = field(default_factory=list)
    is_preloaded: bool = True
    env: dict = field(default_factory=dict)
    labels: tuple = ("region",)  # labels of the regions that run


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
    """Why this cell is impossible; empty: it is possible."""
    if row.impossible:
        return row.impossible
    if row.env.get("NESTBIND_RUNTIME") and way.program == "loader":
        return "a program that loads libraries may load Clang's code: the tool interface acts"
    if row.env.get("NESTBIND_RUNTIME") and way.name == "constructor":
        return "a library's constructor comes before ours, where that is decided: the tool interface acts"
    if row.env.get("NESTBIND_RUNTIME") and way.program == "behind":
        return "LLVM's runtime is before libnestbind: the tool interface acts"
    if row.is_static and way.program in ("loader", "startup"):
        return "libgomp.a is not for shared libraries"
    if row.is_static and not way.is_preloaded:
        return "libgomp.a and libnestbind have functions of the same names (nestbind-opari(7))"
    return ""


def too_late(row, way):
    """Why nothing is bound (a message says so); empty: threads are bound."""
    is_late = way.program == "behind" and row.runtime.startswith("libgomp")
    return "GCC's runtime is before libnestbind: a message says so" if is_late else ""
