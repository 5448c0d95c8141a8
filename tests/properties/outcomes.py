# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the program `properties`, runs each case in a process of its own, and reads the output."""

import pathlib
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import running

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 30  # seconds after which a case counts as hanging
MASTERS = {"initial": 1, "outer": 2}  # primary threads of the inner regions, and the size of the outer team
DIRECTIONS = ("set", "left")

ASLEEP = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}
AWAKE = {"OMP_WAIT_POLICY": "active"}
# For each way to run: whether libnestbind is preloaded, and the environment variables.
WAYS = {
    "native": (False, ASLEEP),
    "fresh": (True, ASLEEP | {"NESTBIND_WORKERS": "fresh"}),
    "kept, asleep": (True, ASLEEP),
    "kept, spinning": (True, AWAKE),
}
SPINNING = "kept, spinning"
KEPT = ("kept, asleep", SPINNING)


@dataclass(frozen=True)
class Property:
    name: str
    is_placed: bool  # for this field and the next fields see the flags in property.h
    setter_is_blind: bool
    sleeps: bool
    is_asked: bool


@dataclass(frozen=True)
class Case:
    name: str
    direction: str
    master: str
    way: str


def compile_program(folder):
    """Returns the program's path."""
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / "liblike_numa.so"
    program = folder / "properties"
    flags = ["gcc", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-fPIC"]
    sources = sorted(str(path) for path in HERE.glob("*.c") if path.name != "like_libnuma.c")
    subprocess.run([*flags, "-shared", str(HERE / "like_libnuma.c"), "-o", str(library)], check=True)
    subprocess.run([*flags, "-fopenmp", *sources, "-o", str(program), str(library), f"-Wl,-rpath,{folder}",
                    "-lm", "-ldl", "-pthread"], check=True)
    return program


def properties(program):
    text = subprocess.run([program, "list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = [line.rpartition("|") for line in text.splitlines()]
    return [Property(name, *(bool(int(flags) & bit) for bit in (1, 2, 4, 8))) for name, _, flags in rows]


def run_case(program, library, case):
    """Returns the output of a case as a dictionary {word: value}, in which "status" is the exit status."""
    has_library, settings = WAYS[case.way]
    env = running.environment(**settings)
    if has_library:
        spec = f"{MASTERS[case.master]},scatter,2,subcompact"
        env |= {"LD_PRELOAD": str(library), "OMP_NESTING_TEAM_SIZE": spec, "NESTBIND_QUIET": "1"}
    status, out, err = running.run([program, case.master, case.direction, case.name], PATIENCE, env=env,
                                   cwd=pathlib.Path(program).parent)
    if status == running.HANGS:
        return {"status": "hangs"}
    told = dict(line.partition(" ")[::2] for line in out.splitlines())
    return told | {"status": str(status), "errors": err}


def ways_of(row):
    return [way for way in WAYS if way != SPINNING or not row.sleeps]


def run_all(program, library, rows, jobs):
    """Runs all cases of the rows, and returns {Case: output}."""
    cases = [Case(row.name, direction, master, way)
             for row in rows for direction in DIRECTIONS for master in MASTERS for way in ways_of(row)]
    with ThreadPoolExecutor(jobs) as pool:
        return dict(zip(cases, pool.map(lambda case: run_case(program, library, case), cases)))
