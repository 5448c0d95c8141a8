#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The matrix with instrumented programs: runs the C cases of ../matrix, and the cases of cases/, in every build.

usage: run.py [options] FOLDER      FOLDER: a build tree or an installed prefix of nestbind
"""

import glob
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", folder) for folder in ("matrix", "runner")]

import case as cases  # noqa: E402
import running  # noqa: E402
import variant as variants  # noqa: E402
from chosen import fits  # noqa: E402
from runner import Runner  # noqa: E402

import builds  # noqa: E402
import checks_builds  # noqa: E402
import checks_command  # noqa: E402
import checks_corpus  # noqa: E402
import checks_events  # noqa: E402
import checks_fortran  # noqa: E402
import checks_manual  # noqa: E402
import checks_tools  # noqa: E402
import toolbox  # noqa: E402

# Without --all, every case runs in these two builds. There is one build for each tool. In both builds only POMP reports forks.
EVERY_CASE = ("opari2-gnu-static", "opari1-gnu-static")
FEW_CASES = ("opari2-gnu-libgomp", "opari2-llvm-notool", "opari1-gnu-own")
QUICK_CASES = ("fortran/", "cxx/", "shapes/4x4", "shapes/2x2x4", "shapes/3x4", "kernel/1x2", "kernel/2x1",
               "kernel/2x2", "tasks/", "constructs/", "changes/")


# These builds have the same programs as another build. Only the linking or the loading differs.
SOME = ("opari2-gnu-linked", "opari1-gnu-linked", "opari1-gnu-libgomp", "opari1-llvm-notool")


def parse_arguments():
    parser = running.parser(__doc__)
    parser.add_argument("--opari1", default="", help="where get-opari.sh unpacks (default: FOLDER/opari/packages)")
    parser.add_argument("--no-matrix", action="store_true", help="only the checks")
    parser.add_argument("--check", action="append", default=[], help="only checks whose names contain this")
    parser.add_argument("--variant", action="append", default=[], help="only this build; repeatable")
    return parser.parse_args()


def find_instrument(folder):
    for place, _, files in os.walk(folder):
        if "nestbind-instrument" in files and os.path.basename(place) == "bin":
            return os.path.join(os.path.abspath(place), "nestbind-instrument")
    raise variants.BuildError(f"no bin/nestbind-instrument under {folder}")


def make(found, library, instrument, opari1, jobs):
    done = set()
    for build in found:
        if build.folder not in done:
            done.add(build.folder)
            builds.Maker(build, library, instrument, opari1).make_all(jobs)


# With POMP alone, some cases cannot give the expected result. Returns the reason.
def exception(build, case):
    if "only-pomp" not in build.tags:
        return ""
    if case.name == "kernel/processors" and build.how == "static":
        return "a statically linked libgomp counts the processors of the calling thread"
    if build.tool == "opari1" and case.name.startswith(("roots/", "constructs/teams")) and any(label == "other" for label, _ in case.expected):
        return "without a data word from the fork, another root's teams look like the owner's teams"
    return ""


def applies(build, case, runner, results):
    program = case.run[0]
    own = os.path.exists(os.path.join(build.folder, program))
    if build.name in SOME and not any(text in case.name for text in QUICK_CASES):
        return False
    needs = any("{" in text for text in list(case.env.values()) + case.run)
    if not own or not fits(case, build.tags) or needs:
        return False
    reason = exception(build, case)
    if case.processors > len(runner.allowed):
        reason = f"needs {case.processors} processors"
    if reason:
        results.skip(f"{build.name} {case.name}", reason)
    return not reason


def run_case(runner, build, case):
    status, out, err = runner.run(build, case, env_changes=build.env)
    return f"{build.name} {case.name}", cases.judge(case, status, out, err, runner.names(case))


def check_own_library(found):
    """A program that is linked with OPARI 1's own library must call it as a shared library."""
    for build in found:
        if build.own:
            for name in ("script", "fscript"):
                wanted = builds.undefined_symbols(os.path.join(build.folder, name))
                entry = "pomp_parallel_begin" + ("_" if name == "fscript" else "")
                yield (f"{build.name} {name} refers to {entry}",
                       [] if entry in wanted else [f"{entry} was taken from the static library"])


def run_checks(box, wanted):
    for module in (checks_events, checks_command, checks_builds, checks_corpus, checks_fortran, checks_manual,
                   checks_tools):
        for check in module.CHECKS:
            name = check.__name__.removeprefix("check_")
            if wanted and not any(text in name for text in wanted):
                continue
            try:
                yield name, check(box)
            except (variants.BuildError, subprocess.SubprocessError) as error:
                yield name, str(error).splitlines()


def is_taken(arguments, build, case):
    """Returns whether this build runs this case."""
    return arguments.all or arguments.variant or build.name in EVERY_CASE or any(text in case.name for text in QUICK_CASES)


def run_matrix(arguments, found, library, folder, results):
    here = sorted(glob.glob(os.path.join(builds.HERE, "cases", "*.case")))
    matrix = sorted(glob.glob(os.path.join(variants.HERE, "cases", "*.case")))
    every = [case for path in here + matrix for case in cases.read_cases(path)]
    every = [case for case in every if not arguments.case or any(text in case.name for text in arguments.case)]
    runner = Runner(library, folder)
    pairs = [(b, c) for b in found for c in every if is_taken(arguments, b, c) and applies(b, c, runner, results)]
    results.show_each(lambda pair: run_case(runner, *pair), pairs, arguments.jobs)
    for name, wrong in check_own_library(found):
        results.show(name, wrong)


def main():
    arguments = parse_arguments()
    results = running.Results()
    folder = os.path.abspath(arguments.build or os.path.join(arguments.folder, "opari"))
    opari1 = os.path.abspath(arguments.opari1 or os.path.join(folder, "packages"))
    os.makedirs(folder, exist_ok=True)
    try:
        subprocess.run([os.path.join(builds.HERE, "get-opari.sh"), opari1], check=True)
        library = variants.Library.find(os.path.abspath(arguments.folder))
        instrument = find_instrument(arguments.folder)
        if not arguments.no_matrix and not arguments.check:
            found = builds.all_builds(folder, library)
            wanted = arguments.variant or ([] if arguments.all else EVERY_CASE + FEW_CASES)
            found = [build for build in found if not wanted or build.name in wanted]
            make(found, library, instrument, opari1, arguments.jobs)
            print(f"library {library.preload}; built in {results.seconds():.0f} s")
            run_matrix(arguments, found, library, folder, results)
        if not arguments.variant and not arguments.case:
            box = toolbox.Toolbox(instrument, library, opari1, os.path.join(folder, "checks"))
            for name, wrong in run_checks(box, arguments.check):
                results.show(name, wrong)
    except (variants.BuildError, cases.CaseError, subprocess.SubprocessError) as error:
        print(error)
        return 1
    return results.close()


if __name__ == "__main__":
    sys.exit(main())
