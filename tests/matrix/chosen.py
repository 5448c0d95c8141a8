# SPDX-License-Identifier: BSD-3-Clause
"""Chooses the cases that a variant runs without --all. The variants in EVERY_CASE run every case. The variants in OTHER_ENTRIES run
ENTRY_CASES. The remaining variants only load or link the library in another way, and run a few cases. If no variant in EVERY_CASE can run a
case, the other variants run the case if they can."""

EVERY_CASE = ("gcc-libgomp-preload", "clang19-libomp-preload")
OTHER_ENTRIES = ("gcc-libomp-preload",)
ENTRY_CASES = ("affinity/", "changes/", "constructs/", "environment/", "handle/", "kernel/", "loops/", "roots/", "schedules/", "shapes/",
               "tasks/")
FOUND_CASES = ("changes/", "handle/", "kernel/1x2", "kernel/2x2", "kernel/children", "libraries/", "loops/native", "purpose/set", "shapes/4x4", "shapes/2x2x4",
               "shapes/one-", "visible/")
NOT_AT_ALL = ("clang14",)


def fits(case, tags):
    return not case.on or all(any(tag in tags for tag in word.split("|")) for word in case.on)


def takes(variant, case, variants):
    """Whether the variant runs the case."""
    if variant.name in EVERY_CASE or not variant.stock:
        return True
    if variant.name.startswith(NOT_AT_ALL):
        return False
    if case.name.startswith(ENTRY_CASES if variant.name in OTHER_ENTRIES else FOUND_CASES):
        return True
    return not any(fits(case, other.tags) for other in variants if other.name in EVERY_CASE)
