# SPDX-License-Identifier: BSD-3-Clause
"""Tests the Makefile lines in nestbind-opari(7), which are read from the page."""

import json
import os
import re

import toolbox as tools

SOLVER = """program solver
  use omp_lib
  implicit none
!$omp parallel num_threads(2)
!$omp parallel num_threads(2)
  if (omp_get_level() /= 2) stop 3
!$omp end parallel
!$omp end parallel
end program solver
"""
# The processors of each path with 2,scatter,2,subcompact on Barcelona.
PLACES = [([0], [0]), ([0, 0], [0]), ([0, 1], [1]), ([1], [8]), ([1, 0], [8]), ([1, 1], [9])]


def literal_blocks():
    """Returns the examples of the page, without mdoc's escapes."""
    page = os.path.join(tools.variants.REPOSITORY, "docs", "man", "nestbind-opari.7")
    with open(page, encoding="utf-8") as file:
        return [block.replace("\\e", "\\") for block in re.findall(r"^\.Bd -literal.*\n((?:.*\n)*?)\.Ed", file.read(), re.M)]


def block_with(*words):
    found = [block for block in literal_blocks() if all(word in block for word in words)]
    if len(found) != 1:
        raise AssertionError(f"{len(found)} examples have {words}")
    return found[0]


def check_opari1_by_hand(box):
    """Tests the -I option that the table of regions needs, and the line for a static libgomp."""
    wrong = []
    dynamic = block_with("opari solver.f90", "-lnestbind-pomp")
    static = block_with("-lnestbind-pomp", "libgomp.a", "gfortran")
    clean = block_with("clean:", "opari.rc")
    folder = box.work("by-hand")
    os.symlink(os.path.abspath(box.opari1), os.path.join(folder, "opari-1"))
    with open(os.path.join(folder, "Makefile"), "w", encoding="utf-8") as file:
        file.write(clean.replace("        rm", "\trm"))
    with open(os.path.join(folder, "solver.f90"), "w", encoding="utf-8") as file:
        file.write(SOLVER)
    paths = {"PATH": os.path.join(folder, "opari-1/usr/bin") + ":" + os.environ["PATH"], "LIBRARY_PATH": box.library.folder,
             "LD_RUN_PATH": box.library.folder}
    for name, lines in (("dynamic", dynamic), ("static", static)):
        made = box.run(["sh", "-e", "-c", lines], folder, env=paths)
        wrong += tools.expect(f"{name} by hand", (made.returncode, made.stderr), (0, ""))
        ran = box.run(["./solver"], folder, "2,scatter,2,subcompact", "barcelona", {"NESTBIND_REPORT": "json"})
        teams = [json.loads(line) for line in ran.stderr.splitlines() if line.startswith("{")]
        places = sorted((thread["path"], thread["cpus"]) for team in teams for thread in team["threads"])
        wrong += tools.expect(f"{name} places", places, PLACES)
        wrong += tools.expect(f"{name} order", [team["threads"][0]["path"][:-1] for team in teams], [[], [0], [1]])
    box.run(["make", "clean"], folder)
    wrong += tools.expect("left by make clean", sorted(set(os.listdir(folder)) - {"solver"}), ["Makefile", "opari-1", "solver.f90"])
    return wrong


CHECKS = (check_opari1_by_hand,)
