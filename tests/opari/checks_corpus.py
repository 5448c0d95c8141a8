# SPDX-License-Identifier: BSD-3-Clause
"""Difficult sources (corpus/). Each source must compile with each tool. The output must be the same as without a tool. The threads must be
bound."""

import collections
import os
import subprocess

import toolbox as tools

CORPUS = os.path.join(tools.builds.HERE, "corpus")
# The processors of each path with 2,scatter,2,subcompact on Barcelona.
PLACES = {"0": "0", "1": "8", "0.0": "0", "0.1": "1", "1.0": "8", "1.1": "9"}
TEAMS = {1: {"0", "1"}, 2: {"0.0", "0.1", "1.0", "1.1"}}
C = ["gcc", "-O1", "-g", "-fopenmp"]
CXX = ["g++", "-std=c++17", "-O1", "-fopenmp"]
FORTRAN = ["gfortran", "-O1", "-fopenmp"]
SOURCES = {"braces.c": C, "braceless.c": C, "corpus.cpp": CXX, "free.f90": FORTRAN, "fixed.f": FORTRAN}
UNBOUND = {"OMP_NUM_THREADS": "2", "OMP_MAX_ACTIVE_LEVELS": "2", "OMP_CANCELLATION": "true"}


def helpers(folder):
    """Compiles the code that prints the rows, without instrumentation."""
    own = os.path.join(tools.builds.HERE, "programs")
    include = "-I" + os.path.join(tools.variants.REPOSITORY, "include")
    sources = [os.path.join(own, "rows.c"), os.path.join(CORPUS, "rows_text.c")]
    subprocess.run(["gcc", "-O1", "-fopenmp", include, "-c"] + sources, cwd=folder, check=True)
    fortran = os.path.join(own, "fscript.f90")
    with open(fortran, encoding="utf-8") as file:
        module = file.read().partition("module teams")[0]
    with open(os.path.join(folder, "module.f90"), "w", encoding="utf-8") as file:
        file.write(module)
    subprocess.run(["gfortran", "-c", "module.f90"], cwd=folder, check=True)
    return ["rows.o", "rows_text.o"]


def told(output):
    return [line for line in output.splitlines() if not line.startswith("@ ")]


def rows_wrong(name, output):
    """Returns the wrong rows."""
    wrong = []
    seen = collections.defaultdict(set)
    for line in output.splitlines():
        words = line.split(" ")
        if not line.startswith("@ "):
            continue
        label, path, cpus = words[1], words[2], words[5]
        seen[label].add(path)
        if PLACES.get(path) != cpus:
            wrong.append(f"{name} {label}: thread {path} on {cpus}")
    for label, paths in seen.items():
        team = TEAMS["." in next(iter(paths)) and 2 or 1]
        if label.startswith("all_") and paths != team:
            wrong.append(f"{name} {label}: rows of {sorted(paths)}")
    return wrong + ([] if len(seen) > 4 else [f"{name}: only {len(seen)} labels"])


def check_corpus(box):
    folder = box.work("corpus")
    helped = helpers(folder)
    archive = subprocess.run(["gcc", "-print-file-name=libgomp.a"], capture_output=True, text=True, check=True)
    static = ["-static-libgcc", archive.stdout.strip(), "-pthread", "-ldl", "-lm"]
    wrong = []
    for source, command in SOURCES.items():
        path = os.path.join(CORPUS, source)
        plain = box.run(command + [path] + helped + ["-o", "plain"], folder)
        if plain.returncode != 0:
            wrong.append(f"{source}: {plain.stderr[:2000]}")
            continue
        expected = box.run(["./plain"], folder, env=UNBOUND)
        wrong += tools.expect(f"{source} status", (expected.returncode, expected.stderr), (0, ""))
        for tool, own in (("opari2", ()), ("opari1", box.opari1_options())):
            name = f"{source} {tool}"
            made = box.run([box.instrument] + list(own) + command + ["-c", path, "-o", "made.o"], folder)
            wrong += tools.expect(f"{name} compiles", (made.returncode, made.stderr[:2000]), (0, plain.stderr))
            if made.returncode != 0:
                continue
            box.compile([command[0], "made.o"] + helped + ["-o", "made"] + static, folder, own)
            unbound = box.run(["./made"], folder, env=UNBOUND)
            wrong += tools.expect(f"{name} unbound", (unbound.returncode, told(unbound.stdout), unbound.stderr),
                                  (0, told(expected.stdout), ""))
            bound = box.run(["./made"], folder, "2,scatter,2,subcompact", "barcelona", {"OMP_CANCELLATION": "true"})
            wrong += tools.expect(f"{name} bound", (bound.returncode, told(bound.stdout)), (0, told(expected.stdout)))
            wrong += rows_wrong(name, bound.stdout)
    return wrong


CHECKS = (check_corpus,)
