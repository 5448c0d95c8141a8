#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs of tests/programs in every variant, against the literals in cases/.

usage: run.py [options] FOLDER      FOLDER: a build tree or an installed prefix with libnestbind.so
"""

import argparse
import glob
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # nothing is written beside the sources

import cached  # noqa: E402
import case as cases
import counts
import followed
import forking_exports
import variant as variants
from runner import Runner

QUICK = ("gcc-libgomp-preload", "clang19-libomp-preload", "gcc-libomp-preload", "gcc-libgomp-linked",
         "clang19-libomp-linked", "gcc-llvm-preload", "gcc-libgomp-behind")

# Programs that differ from those of another variant only in how they are linked, or in the compiler's age: a few cases.
SOME = ("clang14-libomp-linked", "gcc-libomp-behind", "clang19-libomp-behind", "gcc-libgomp-lazy", "gcc-libgomp-inside")
SOME_CASES = ("shapes/", "changes/", "purpose/", "loops/", "handle/", "kernel/")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="build tree or installed prefix")
    parser.add_argument("--build", default="", help="where programs are compiled (default: FOLDER/matrix)")
    parser.add_argument("--quick", action="store_true", help="fewer variants")
    parser.add_argument("--variant", action="append", default=[], help="only this variant; repeatable")
    parser.add_argument("--case", action="append", default=[], help="only cases whose name has this")
    parser.add_argument("--libomp-14", default="", help="prefix of an unpacked LLVM 14 OpenMP")
    parser.add_argument("--runtime", action="append", default=[], metavar="NAME=FOLDER",
                        help="run Clang's programs on the libomp.so.5 of FOLDER too; repeatable")
    parser.add_argument("--jobs", type=int, default=min(16, 4 * (os.cpu_count() or 1)),
                        help="at once (four for each processor: most of them sleep most of the time)")
    parser.add_argument("--no-counts", action="store_true", help="leave the counters out")
    return parser.parse_args()


def applies(case, variant, runner, said):
    """Whether the case is one for this variant. What the machine at hand lacks is said, once."""
    if case.processors > len(runner.allowed):
        reason = f"not run {case.name}: needs {case.processors} processors"
        if reason not in said:
            said.add(reason)
            print(reason)
        return False
    if variant.name in SOME and not case.name.startswith(SOME_CASES):
        return False
    return not case.on or all(any(tag in variant.tags for tag in word.split("|")) for word in case.on)


def show(name, wrong):
    if not wrong:
        print(f"ok   {name}", flush=True)
        return
    print(f"FAIL {name}")
    for line in wrong[:12]:
        print(f"       {line}")
    if len(wrong) > 12:
        print(f"       and {len(wrong) - 12} more")
    sys.stdout.flush()


def run_case(runner, variant, case):
    status, out, err = runner.run(variant, case)
    return f"{variant.name} {case.name}", cases.judge(case, status, out, err, runner.names(case))


def programs_of(wanted):
    """The programs that these cases run, and hand to them; libraries come along."""
    texts = [text for case in wanted for text in case.run + list(case.env.values())]
    words = [word for text in texts for word in re.split(r"[{}\s]+", text)]
    return {os.path.basename(word) for word in words}


def prepare(arguments, programs):
    library = variants.Library.find(arguments.folder)
    folder = os.path.abspath(arguments.build or os.path.join(arguments.folder, "matrix"))
    os.makedirs(folder, exist_ok=True)
    extra = [tuple(text.split("=", 1)) for text in arguments.runtime]
    every = variants.all_variants(folder, library, arguments.libomp_14, extra)
    found = every
    if arguments.quick:
        found = [variant for variant in found if variant.name in QUICK]
    if arguments.variant:
        found = [variant for variant in found if variant.name in arguments.variant]
    # The libraries of the first two are needed by programs that mix runtimes, whatever is chosen.
    by_folder = {variant.folder: variant for variant in found + every if variant in found or variant.name in QUICK[:2]}
    runner = Runner(library, folder)
    variants.library_with_ours_inside(folder, library)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(lambda variant: variants.build(variant, library, programs), by_folder.values()))
    runner.wheels = variants.renamed_runtimes(folder, library)
    return runner, found


def more_checks(arguments, runner, found, all_cases, pool):
    """What is no case of a file."""
    behind = [] if arguments.quick else pool.submit(followed.check, runner, found)
    results = forking_exports.check(runner, found, all_cases) + cached.check(runner, found, pool)
    if not arguments.no_counts:
        results += counts.check(runner, found, pool)
    return results + (behind and behind.result())


def main():
    arguments = parse_arguments()
    begin = time.monotonic()
    try:
        files = sorted(glob.glob(os.path.join(variants.HERE, "cases", "*.case")))
        all_cases = [case for path in files for case in cases.read_cases(path)]
        wanted = [c for c in all_cases if not arguments.case or any(text in c.name for text in arguments.case)]
        runner, found = prepare(arguments, programs_of(wanted) if arguments.case else None)
    except (variants.BuildError, cases.CaseError) as error:
        print(error)
        return 1
    print(f"library {runner.library.preload}; built in {time.monotonic() - begin:.0f} s")
    said = set()
    pairs = [(v, c) for v in found for c in wanted if applies(c, v, runner, said)]
    results = []
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for name, wrong in pool.map(lambda pair: run_case(runner, *pair), pairs):
            show(name, wrong)
            results.append(wrong)
        for name, wrong in [] if arguments.case else more_checks(arguments, runner, found, all_cases, pool):
            show(name, wrong)
            results.append(wrong)
    failed = sum(1 for wrong in results if wrong)
    print(f"{len(results) - failed} passed, {failed} failed in {time.monotonic() - begin:.0f} s")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
