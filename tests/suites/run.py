#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests of loops in other projects' suites, without nestbind and with NESTBIND_SCHEDULE. The exit statuses must be the same. The
outputs must be the same if all runs without nestbind have the same output. The suites run unchanged, and a second time with
schedule(runtime) at each loop without a schedule. Not part of CI, because the sources of the suites are not in this repository. The exit
status is 1 if something differs."""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "matrix"))

import suite as suites  # noqa: E402
import variant as variants  # noqa: E402

SETTINGS = ("hybrid", "hybrid,f=0,chunk=1", "hybrid,f=0.5,loops=all", "hybrid,f=0,chunk=1,loops=all")
SCHEDULES = ("", "static,3", "dynamic,2", "guided", "auto")
COMPILERS = {"gcc": {"c": "gcc", "c++": "g++", "fortran": "gfortran"},
             "clang-19": {"c": "clang-19", "c++": "clang++-19", "fortran": "flang-new-19"}}
COMPETING = ("OMP_", "GOMP_", "KMP_", "LIBOMP", "NESTBIND_", "LD_PRELOAD", "LD_LIBRARY_PATH")
THREADS = "4"
LIMIT = 60  # seconds
AGAIN = 5  # more runs without nestbind before a difference is reported
TOLD = {"different": "differs", "right": "wrong plainly only", "scheduled": "as plainly with another schedule", "meant": "differs, as is meant"}
# Programs that check the sizes of chunks. With nestbind's schedules they may fail.
MEANT = {"omp_for_schedule_guided.c": "measures guided's sizes of chunks; with loops=all nestbind chooses them",
         "omp_nonmonotonic_dynamic1.c": "expects the chunk of OMP_SCHEDULE, but NESTBIND_SCHEDULE has priority"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="build tree or installed prefix")
    parser.add_argument("--ompvv", type=pathlib.Path, help="a clone of OpenMP_VV")
    parser.add_argument("--devices", action="store_true", help="also run OpenMP_VV's programs for devices, on the host")
    parser.add_argument("--llvm", type=pathlib.Path, help="openmp/runtime/test of LLVM's sources")
    parser.add_argument("--llvm-folder", action="append", default=[], help="a folder of LLVM's tests (worksharing); repeatable")
    parser.add_argument("--runtime", action="append", default=[], metavar="NAME=FOLDER", help="run Clang's programs on FOLDER's libomp.so.5 too")
    parser.add_argument("--variant", action="append", default=[], help="only this variant; repeatable")
    parser.add_argument("--only", default="", help="only programs whose name has this")
    parser.add_argument("--schedule", action="append", default=[], help="a value of OMP_SCHEDULE, if a suite sets none (default: five); repeatable")
    parser.add_argument("--jobs", type=int, default=4, help="programs at once (4); most of them mostly sleep")
    return parser.parse_args()


@dataclass
class Variant:
    name: str
    compiler: str
    path: str  # folder of the OpenMP runtime


@dataclass
class Case:
    """A compiled program of a variant, with the arguments and variables of one run."""

    variant: Variant
    name: str
    program: pathlib.Path
    variables: dict
    arguments: tuple


def environment(case, library="", setting="", report=""):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(COMPETING)}
    kept |= {"OMP_NUM_THREADS": THREADS, "OMP_WAIT_POLICY": "passive", "LD_LIBRARY_PATH": case.variant.path, "LC_ALL": "C"}
    kept |= case.variables
    if setting:
        kept |= {"LD_PRELOAD": library, "NESTBIND_SCHEDULE": setting, "NESTBIND_QUIET": "1"}
    return kept | ({"NESTBIND_REPORT": f"json:{report}"} if report else {})


def run(case, **ours):
    """Runs the program, and returns its exit status and its output."""
    try:
        process = subprocess.run([case.program, *case.arguments], env=environment(case, **ours), stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT, check=False, cwd=case.program.parent)
    except subprocess.TimeoutExpired:
        return "hangs", b""
    return process.returncode, process.stdout


def taken(report):
    count = 0
    if report.exists():
        for line in report.read_text(encoding="utf-8", errors="replace").splitlines():
            count += sum(loop["executions"] for loop in json.loads(line).get("loops", []))
        report.unlink()
    return count


def outcome(status):
    """Returns a word for an exit status. Some programs return the number of their faults, or end by various signals. Such statuses get the
    same word."""
    if status in ("hangs", 0):
        return status
    return "fails" if status > 0 else "crashes"


def kind_of(case, statuses, status):
    """Returns the kind of a difference, a key of TOLD."""
    if status == 0 and 0 not in statuses:
        return "right"
    if outcome(status) == "fails" and any(name in case.name for name in MEANT):
        return "meant"
    for schedule in (*SCHEDULES, "static"):
        others = {name: value for name, value in case.variables.items() if name != "OMP_SCHEDULE"}
        other = replace(case, variables=others | ({"OMP_SCHEDULE": schedule} if schedule else {}))
        if outcome(status) in {outcome(run(other)[0]) for _ in range(AGAIN)}:
            return "scheduled"
    return "different"


def compare(case, library):
    """Returns the differences between runs with and without nestbind. If runs cannot be compared, also returns the reason. The last result
    is the number of executions of loops that nestbind shared."""
    plain = [run(case) for _ in range(2)]
    statuses = {status for status, _ in plain}
    if "hangs" in statuses:
        return [], "hangs plainly", 0
    different = []
    loops = 0
    for setting in SETTINGS:
        report = case.program.with_name(f"report-{os.getpid()}-{id(case)}") if setting == SETTINGS[0] else ""
        found = run(case, library=library, setting=setting, report=report)
        loops += taken(report) if report else 0
        if found in plain or (found[0] in statuses and len(set(plain)) > 1) or {outcome(found[0]), *map(outcome, statuses)} == {"fails"}:
            continue
        again = [run(case) for _ in range(AGAIN)]
        if found in again or (found[0] in {status for status, _ in again} and len(set(plain + again)) > 1):
            plain += again
            continue
        statuses |= {status for status, _ in again}
        different.append((kind_of(case, statuses, found[0]), setting, sorted(map(str, statuses)), found))
    return different, "" if len(statuses) == 1 else "another status in plain runs", loops


def compile_program(variant, program, folder):
    compiler = COMPILERS[variant.compiler][program.language]
    if shutil.which(compiler) is None or variant.compiler in program.not_with:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / "program"
    if program.language == "fortran":
        own = [f"-J{folder}", "-ffree-line-length-none"] if compiler == "gfortran" else [f"-module-dir={folder}"]
        flags = [flag for flag in program.flags if flag != "-DVERBOSE_MODE=1"] + own
    else:
        flags = program.flags
    command = [compiler, "-O1", "-g", "-w", "-fopenmp", *flags, program.source, "-o", output, "-lm"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, timeout=300, check=False)
    return output if done.returncode == 0 else None


def variants_here(folder, options):
    libomp = variants.libomp_folder()
    folder.mkdir(parents=True, exist_ok=True)
    found = [Variant("gcc-libgomp", "gcc", ""), Variant("clang19-libomp", "clang-19", libomp),
             Variant("gcc-libomp", "gcc", variants.private_gomp(str(folder), libomp))]
    found += [Variant(f"clang19-{name}", "clang-19", os.path.abspath(path)) for name, path in (text.split("=", 1) for text in options.runtime)]
    return [variant for variant in found if not options.variant or variant.name in options.variant]


def programs_of(options, folder, said):
    """Returns {suite: programs}. Each suite is there twice: unchanged, and as a copy with schedule(runtime)."""
    kinds = {"OpenMP_VV": (options.ompvv, lambda root: suites.ompvv(root, options.devices)),
             "LLVM": (options.llvm, lambda root: suites.llvm(root, said, options.llvm_folder or ["worksharing"]))}
    found = {}
    for name, (root, programs) in kinds.items():
        if root is None:
            continue
        made = suites.emptied(folder / f"{name}-runtime").resolve()
        changed = suites.copy_made_runtime(root.resolve(), made)
        print(f"{name}: {changed} files of a copy have schedule(runtime) now", flush=True)
        found[name] = list(programs(root.resolve()))
        found[f"{name}, runtime"] = list(programs(made))
    return {name: [program for program in programs if options.only in program.name] for name, programs in found.items()}


def cases_of(variant, name, program, path, schedules):
    """Returns the cases of a program: one for each run and each value of OMP_SCHEDULE."""
    follows = "runtime" in program.source.read_text(encoding="utf-8", errors="replace")
    for run_of_suite in program.runs:
        for schedule in schedules if follows and "OMP_SCHEDULE" not in run_of_suite.variables else [""]:
            variables = run_of_suite.variables | ({"OMP_SCHEDULE": schedule} if schedule else {})
            words = " ".join([f"{key}={value}" for key, value in variables.items()] + [name, *run_of_suite.arguments])
            yield Case(variant, words, path, variables, run_of_suite.arguments)


def row(name, variant, count):
    columns = ("programs", "uncompiled", "runs", "left out", "loops", "right", "scheduled", "meant", "different")
    return f"| {name} | {variant} | " + " | ".join(str(count[column]) for column in columns) + " |"


def show(counts):
    print("\n| suite | variant | programs | not compiled | runs compared | hang or vary plainly | loops taken | wrong plainly only | as with another OMP_SCHEDULE | differ as is meant | differ |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for (name, variant), count in counts.items():
        print(row(name, variant, count))


def main():
    options = arguments()
    library = variants.Library.find(str(options.folder)).preload
    folder = options.folder.resolve() / "suites"
    said = []
    found = programs_of(options, folder, said)
    counts = collections.defaultdict(collections.Counter)
    with ThreadPoolExecutor(options.jobs) as pool:
        for variant in variants_here(folder, options):
            for name, programs in found.items():
                count = counts[name, variant.name]
                count["programs"] = len(programs)
                where = [suites.emptied(folder / "programs" / variant.name / name / str(i)) for i in range(len(programs))]
                paths = list(pool.map(lambda pair: compile_program(variant, *pair), zip(programs, where)))
                count["uncompiled"] = paths.count(None)
                cases = [case for program, path in zip(programs, paths) if path is not None
                         for case in cases_of(variant, program.name, program, path, options.schedule or SCHEDULES)]
                for case, (different, left_out, loops) in zip(cases, pool.map(lambda case: compare(case, library), cases)):
                    count["runs"] += len(SETTINGS) if not left_out == "hangs plainly" else 0
                    count["loops"] += loops
                    count["left out"] += bool(left_out)
                    if left_out:
                        print(f"not compared: {variant.name} {name} {case.name}: {left_out}", flush=True)
                    for kind, setting, statuses, (status, out) in different:
                        count[kind] += 1
                        print(f"{TOLD[kind]}: {variant.name} {name} {case.name} with {setting}: plain {'/'.join(statuses)}, here {status}: "
                              f"{out[-300:]!r}", flush=True)
                print(f"done: {row(name, variant.name, count)}", flush=True)
    for line in said:
        print(f"not run: {line}")
    show(counts)
    return 1 if any(count["different"] for count in counts.values()) or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
