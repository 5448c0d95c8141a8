# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the cases call each entry point of libgomp that forks a team."""

import os
import re

import variant as variants

# On the host, GOMP_target and GOMP_target_ext fork no team, but run their region at level 0. So a case must call them, too. GOMP_teams and
# GOMP_teams4 only set limits. The other GOMP_target_* functions only move data.
FORKING = re.compile(r"^GOMP_(parallel(?!_end$)\w*|teams_reg|target|target_ext)$")


def exports(library):
    """Returns the entry points of this libgomp that fork teams."""
    names = set()
    for line in variants.run_quietly(["nm", "-D", "--defined-only", library]).splitlines():
        name = line.split()[-1].partition("@")[0]
        if FORKING.match(name):
            names.add(name)
    return names


def calls(program):
    """Returns the entry points of libgomp in this program that fork teams."""
    names = set()
    for line in variants.run_quietly(["nm", "-D", "--undefined-only", program]).splitlines():
        name = line.split()[-1].partition("@")[0]
        if FORKING.match(name):
            names.add(name)
    return names


def check(_runner, found, all_cases):
    """Returns a list with the name and the faults of this test."""
    gcc = [variant for variant in found if variant.compiler == "gcc" and variant.runtime == "libgomp"]
    if not gcc:
        print("not run forking-exports: no variant with GCC on libgomp is chosen")
        return []
    library = variants.run_quietly(["gcc", "-print-file-name=libgomp.so.1"]).strip()
    there = exports(library)
    wrong = [] if len(there) > 10 else [f"{library} exports only {len(there)} forking entries"]
    programs = {
        case.run[0]
        for case in all_cases
        if case.expected and case.run[0] != "{command}" and (not case.on or all(gcc[0].tags & set(word.split("|")) for word in case.on))
    }
    called = set()
    for name in programs:
        called |= calls(os.path.join(gcc[0].folder, name))
    wrong += [f"no program of a case calls {name}" for name in sorted(there - called)]
    return [(f"{gcc[0].name} forking-exports ({len(there)} entries)", wrong)]
