# SPDX-License-Identifier: BSD-3-Clause
"""The cases that a variant runs without --all. Every case runs on each runtime with the runtime's own compiler. If the program's code
enters the runtime by other functions, only the cases of the constructs with these functions run. If the same functions are only found
or linked in another way, or the compiler is older, a few cases show that they are found. Cases that
no variant of the first kind can run, run in all others."""

EVERY_CASE = ("gcc-libgomp-preload", "clang19-libomp-preload")
OTHER_ENTRIES = ("gcc-libomp-preload",)
ENTRY_CASES = ("affinity/", "changes/", "constructs/", "environment/", "handle/", "kernel/", "loops/", "roots/", "schedules/", "shapes/",
               "tasks/")
FOUND_CASES = ("changes/", "handle/", "kernel/1x2", "kernel/2x2", "kernel/children", "libraries/", "loops/native", "purpose/set", "shapes/4x4", "shapes/2x2x4",
               "shapes/one-", "visible/")
NOT_AT_ALL = ("clang14",)  # the same runtime as with the newer Clang


def fits(case, tags):
    return not case.on or all(any(tag in tags for tag in word.split("|")) for word in case.on)


def takes(variant, case, variants):
    """`variants`: the variants that run."""
    if variant.name in EVERY_CASE or not variant.stock:
        return True
    if variant.name.startswith(NOT_AT_ALL):
        return False
    if case.name.startswith(ENTRY_CASES if variant.name in OTHER_ENTRIES else FOUND_CASES):
        return True
    return not any(fits(case, other.tags) for other in variants if other.name in EVERY_CASE)
