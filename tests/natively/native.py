# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program without nestbind. Variables of its OpenMP runtime bind the threads. `nestbind explain` prints these variables."""
import os
import random
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILERS = {"gnu": "gcc", "llvm": "clang-19"}
STRATEGIES = ("scatter", "compact", "subscatter", "subcompact")
SYMBOLS = ("package", "numa", "l3", "core", "pu")


def compile_for(runtime, folder):
    """Returns the path of natively.c's program for a runtime, or None if the compiler is missing."""
    program = os.path.join(folder, "natively-" + runtime)
    compiler = shutil.which(COMPILERS[runtime])
    if compiler is None:
        return None
    subprocess.run([compiler, "-O1", "-D_GNU_SOURCE", "-fopenmp", os.path.join(HERE, "natively.c"), "-o", program],
                   check=True)
    return program


def rows(output):
    """Returns {path of a thread: (place number, set of processors)} from the program's output."""
    found = {}
    for line in output.splitlines():
        path, place, cpus = line.split()
        found[path] = (int(place), frozenset(map(int, cpus.split(","))))
    return found


def spec_at_random(chance, processors):
    """Returns a random specification with at most twice as many threads as processors."""
    while True:
        levels = chance.choice((1, 2, 2, 2, 3))
        sizes = [chance.choice((1, 2, 2, 3, 4, 4, 5, 8, 16)) for _ in range(levels)]
        product = 1
        for size in sizes:
            product *= size
        if not 2 <= product <= 2 * processors:
            continue
        words = []
        for level, size in enumerate(sizes):
            is_symbol = chance.random() < 0.2
            words += [chance.choice(SYMBOLS) if is_symbol else str(size), chance.choice(STRATEGIES)]
            if level and words[-1].startswith("sub") and chance.random() < 0.1:
                words[-1] += "@package"
        return ",".join(words)


def specs_at_random(seed, count, processors):
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        spec = spec_at_random(chance, processors)
        if spec not in found:
            found.append(spec)
    return found


def seats(plan):
    """Returns {path of a thread: set of processors} from the output of `nestbind plan --format=json`."""
    return {".".join(map(str, thread["path"])): frozenset(thread["cpus"]) for thread in plan["threads"]}


def shell_line(line, program, levels, order=""):
    """Changes a line of `nestbind explain` (shell syntax) so that it runs this program."""
    command = f"{program} {levels} {order}".strip()
    with_program = re.sub(r" \./program$", " " + command, line)
    return with_program if with_program != line else f"{line} {command}"


def teams_that_share(masks):
    """Whether two innermost teams share a processor."""
    teams = {}
    for path, (_, cpus) in masks.items():
        for cpu in cpus:
            teams.setdefault(cpu, set()).add(path.rpartition(".")[0])
    return any(len(of) > 1 for of in teams.values())
