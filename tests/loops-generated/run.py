#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs generated programs with random loops, without nestbind and with NESTBIND_SCHEDULE. Each iteration must run once, and all sums must
be equal. Otherwise the exit status is 1. The exit status is also 1 if nestbind took no loop, that is, the runtime shared all loops.

usage: run.py [options] FOLDER      FOLDER: a build tree or an installed prefix with libnestbind.so
"""

import json
import pathlib
import random
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "runner"))

import generate  # noqa: E402
import running  # noqa: E402

COMPILERS = {"gcc": "libgomp", "clang-19": "libomp"}
SETTINGS = ("hybrid", "hybrid,f=0,chunk=1,loops=all", "hybrid,f=0.5,chunk=2,loops=all", "hybrid,queue=all,loops=all", "hybrid,taper,loops=all",
            "hybrid,weights=measured,loops=all", "hybrid,f=1,loops=dynamic", "hybrid,f=0.75,chunk=8", "native", "balanced,loops=all", "balanced,every=1,loops=all",
            "balanced,every=1,steal=1,blocks=3,loops=all")
SCHEDULES = ("static", "dynamic,3", "guided", "guided,2", "dynamic", "static,4", "monotonic:dynamic,2")
SPECIFICATIONS = ("", "", "4,scatter,2,subcompact", "3,compact,3,compact", "2,scatter,2,subcompact,2,subcompact")
LIMIT = 60  # seconds after which a program counts as hanging


def parse_arguments():
    parser = running.parser(__doc__, without=("--build", "--case", "--all"))
    parser.add_argument("--programs", type=int, default=3, help="number of programs for each compiler (3)")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first program (1)")
    parser.add_argument("--settings", type=int, default=4, help="number of settings, chosen at random, with which each program runs (4)")
    return parser.parse_args()


def compiled(compiler, seed, folder):
    source = folder / f"{compiler}-{seed}.c"
    source.write_text("// SPDX-License-Identifier: BSD-3-Clause\n" + generate.program(seed), encoding="utf-8")
    program = source.with_suffix("")
    subprocess.run([compiler, "-std=gnu11", "-O1", "-g", "-fopenmp", "-I", HERE, source, "-o", program], check=True)
    return program


def environment(draw, library="", setting="", report=""):
    kept = running.environment(OMP_SCHEDULE=draw.choice(SCHEDULES), OMP_WAIT_POLICY=draw.choice(("passive", "passive", "active")))
    specification = draw.choice(SPECIFICATIONS)
    if not setting:
        return kept
    kept |= {"LD_PRELOAD": str(library), "NESTBIND_SCHEDULE": setting, "NESTBIND_QUIET": "1", "NESTBIND_REPORT": f"json:{report}"}
    return kept | ({"OMP_NESTING_TEAM_SIZE": specification} if specification else {})


def run(program, variables):
    """Returns the exit status, the standard output and the standard error of the program."""
    return running.run([program], LIMIT, env=variables)


def taken(report):
    lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    return sum(loop["executions"] for line in lines for loop in json.loads(line).get("loops", []))


def examine(job, options, folder):
    """Runs a program, and returns its name, how many executions of loops nestbind took, and the faults."""
    compiler, seed = job
    draw = random.Random(f"{compiler} {seed}")
    program = compiled(compiler, seed, folder)
    plain = run(program, environment(draw))
    if plain[0] != 0:
        return program.name, 0, [f"plainly: {plain}"]
    library = next(pathlib.Path(options.folder).resolve().glob("lib*/libnestbind.so"))
    executions, wrong = 0, []
    for setting in draw.sample(SETTINGS, min(options.settings, len(SETTINGS))):
        report = folder / f"{compiler}-{seed}.json"
        report.unlink(missing_ok=True)
        variables = environment(draw, library, setting, report)
        found = run(program, variables)
        executions += taken(report)
        if found != plain:
            ours = {name: value for name, value in variables.items() if name.startswith(running.COMPETING)}
            wrong.append(f"{found}, plainly {plain}, with {ours}")
    return program.name, executions, wrong


def main():
    options = parse_arguments()
    results = running.Results()
    folder = pathlib.Path(options.folder).resolve() / "loops-generated"
    folder.mkdir(exist_ok=True)
    compilers = [compiler for compiler in COMPILERS if shutil.which(compiler)]
    jobs = [(compiler, seed) for seed in range(options.first, options.first + options.programs) for compiler in compilers]
    with ThreadPoolExecutor(options.jobs) as pool:
        examined = list(zip(jobs, pool.map(lambda job: examine(job, options, folder), jobs)))
    for _, (name, executions, wrong) in examined:
        results.show(f"{name}, {executions} executions of loops", wrong)
    for compiler in compilers:
        taken_by_us = sum(executions for (name, _), (_, executions, _) in examined if name == compiler)
        results.show(f"loops are taken on {COMPILERS[compiler]}", [] if taken_by_us > 0 else ["none was"])
    return results.close()


if __name__ == "__main__":
    sys.exit(main())
