#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs of tests/programs in every variant, and compares their output with the literals in cases/.

usage: run.py [options] FOLDER      FOLDER: a build tree or an installed prefix with libnestbind.so
"""

import glob
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))

import cached  # noqa: E402
import case as cases
import chosen
import counts
import followed
import forking_exports
import running
import variant as variants
from runner import Runner

QUICK = ("gcc-libgomp-preload", "clang19-libomp-preload", "gcc-libomp-preload", "gcc-libgomp-linked",
         "clang19-libomp-linked", "gcc-llvm-preload")

# variants with an older compiler
SOME = ("clang14-libomp-linked",)
SOME_CASES = ("shapes/", "changes/", "purpose/", "loops/", "handle/", "kernel/")


def parse_arguments():
    parser = running.parser(__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer variants")
    parser.add_argument("--variant", action="append", default=[], help="only this variant; repeatable")
    parser.add_argument("--libomp-14", default="", help="prefix of an unpacked LLVM 14 OpenMP")
    parser.add_argument("--runtime", action="append", default=[], metavar="NAME=FOLDER",
                        help="run Clang's programs on the libomp.so.5 of FOLDER too; repeatable")
    parser.add_argument("--no-counts", action="store_true", help="without the tests of counts.py")
    return parser.parse_args()


def applies(case, variant, runner, results):
    """Whether this variant can run the case."""
    if case.processors > len(runner.allowed):
        results.skip(case.name, f"needs {case.processors} processors")
        return False
    refusals = [text for text in map(running.refusal, case.calls) if text]
    if refusals:
        results.skip(case.name, refusals[0])
        return False
    if variant.name in SOME and not case.name.startswith(SOME_CASES):
        return False
    return chosen.fits(case, variant.tags)


def run_case(runner, variant, case):
    status, out, err = runner.run(variant, case)
    return f"{variant.name} {case.name}", cases.judge(case, status, out, err, runner.names(case))


def programs_of(wanted):
    """Returns the names of the programs and libraries that these cases run, or get as arguments."""
    texts = [text for case in wanted for text in case.run + list(case.env.values())]
    words = [word for text in texts for word in re.split(r"[{}\s]+", text)]
    return {os.path.basename(word) for word in words}


def pairs_of(arguments, every, wanted, runner, results):
    """Returns a variant and a case for each run."""
    found = [variant for variant in every if not arguments.quick or variant.name in QUICK]
    if arguments.variant:
        found = [variant for variant in every if variant.name in arguments.variant]
    is_all = arguments.all or arguments.variant
    return [(variant, case) for variant in found for case in wanted
            if applies(case, variant, runner, results) and (is_all or chosen.takes(variant, case, found))]


def build(arguments, runner, every, pairs):
    """Compiles the programs that the runs need, in each folder."""
    folders = {}
    for variant in every:
        own = [case for other, case in pairs if other.folder == variant.folder]
        is_first = variant.name in QUICK[:2]
        if own or is_first:
            is_whole = not arguments.case and (is_first or arguments.variant)
            folders.setdefault(variant.folder, (variant, None if is_whole else programs_of(own)))
    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(lambda made: variants.build(made[0], runner.library, made[1]), folders.values()))
    runner.wheels = variants.renamed_runtimes(runner.folder, runner.library)


def more_checks(arguments, runner, found, all_cases, pool):
    """Runs the tests that are not in case files."""
    behind = [] if arguments.quick else pool.submit(followed.check, runner, found)
    results = forking_exports.check(runner, found, all_cases) + cached.check(runner, found, pool)
    if not arguments.no_counts:
        results += counts.check(runner, found, pool, arguments.all or arguments.variant)
    return results + (behind and behind.result())


def main():
    arguments = parse_arguments()
    results = running.Results()
    try:
        files = sorted(glob.glob(os.path.join(variants.HERE, "cases", "*.case")))
        all_cases = [case for path in files for case in cases.read_cases(path)]
        wanted = [c for c in all_cases if not arguments.case or any(text in c.name for text in arguments.case)]
        library = variants.Library.find(arguments.folder)
        folder = os.path.abspath(arguments.build or os.path.join(arguments.folder, "matrix"))
        os.makedirs(folder, exist_ok=True)
        extra = [tuple(text.split("=", 1)) for text in arguments.runtime]
        every = variants.all_variants(folder, library, arguments.libomp_14, extra)
        runner = Runner(library, folder)
        pairs = pairs_of(arguments, every, wanted, runner, results)
        build(arguments, runner, every, pairs)
    except (variants.BuildError, cases.CaseError) as error:
        print(error)
        return 1
    print(f"library {library.preload}; built in {results.seconds():.0f} s")
    results.show_each(lambda pair: run_case(runner, *pair), pairs, arguments.jobs)
    if not arguments.case:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            found = [variant for variant in every if any(variant is other for other, _ in pairs)]
            for name, wrong in more_checks(arguments, runner, found, all_cases, pool):
                results.show(name, wrong)
    return results.close()


if __name__ == "__main__":
    sys.exit(main())
