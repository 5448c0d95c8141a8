# SPDX-License-Identifier: BSD-3-Clause
"""Which cases a variant runs without --all: every case on each runtime with the runtime's own compiler; where the program's code
enters the runtime by other functions, the cases whose constructs do; elsewhere, where the same functions are only found or linked in
another way, or the compiler is older, a few that show that they are found. What those of the first kind cannot run, all others do."""

EVERY_CASE = ("gcc-libgomp-preload", "clang19-libomp-preload")
OTHER_ENTRIES = ("gcc-libomp-preload",)
ENTRY_CASES = ("affinity/", "changes/", "constructs/", "environment/", "handle/", "kernel/", "loops/", "roots/", "schedules/", "shapes/",
               "tasks/")
FOUND_CASES = ("changes/", "handle/", "kernel/1x2", "kernel/2x2", "kernel/children", "libraries/", "loops/native", "purpose/set", "shapes/4x4", "shapes/2x2x4",
               "shapes/one-", "visible/")
NOT_AT_ALL = ("clang14",)  # on the runtime that the newer one runs on


def fits(case, tags):
    return not case.on or all(any(tag in tags for tag in word.split("|")) for word in case.on)


def takes(variant, case, variants):
    """`variants`: those that are run."""
    if variant.name in EVERY_CASE or not variant.stock:
        return True
    if variant.name.startswith(NOT_AT_ALL):
        return False
    if case.name.startswith(ENTRY_CASES if variant.name in OTHER_ENTRIES else FOUND_CASES):
        return True
    return not any(fits(case, other.tags) for other in variants if other.name in EVERY_CASE)
