#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs of tests/programs on NUMA machines, which are guests. A real kernel reports the masks.

usage: run.py [options] FOLDER      FOLDER: a build tree with libnestbind.so and the command
"""

import glob
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import path
import case as cases
import runner as matrix
import probed
import tuned
import running
import variant as variants
from boot import Boot, GuestSkipped, parser
from chosen import fits
from guest_runner import GuestRunner
from plans import Plans, is_plain
from ways import DESCRIBED, EVERYTHING, OF_PROCESSES, SHAPES, all_ways

# numbers of processors
MACHINES = {"barcelona": 16, "smt": 8, "two-nodes-a-package": 16, "tigerton": 16}
# The machine with most cases boots twice, each time for half of the cases.
BOOTS = {"barcelona": 2}
AT_ONCE = 2  # guests at once; with only one guest a processor would sometimes be idle
# Cases whose names begin with these words do not run. The result of the first case depends on the order of the threads. The other cases are
# not about the guest's machine, and take long in a guest.
LEFT_OUT = ("constructs/teams-first-on-threads", "kept/kept-idle", "kept/kept-limit", "kept/many-sizes", "divided/many", "idle/kept-spin", "idle/kept-exit",
            "kept/fresh-without-specification", "disturbed/", "outputs/", "environment/machine-", "alike/", "idle/", "purpose/dry",
            "loops/", "schedules/", "environment/", "memory/native-", "topology/", "balance/")
PATIENCE = 90  # seconds for a program


def parse_arguments():
    options = parser(__doc__)
    options.add_argument("--way", action="append", default=[], help="only this way; repeatable")
    options.add_argument("--machine", action="append", default=[], help="only this machine; repeatable")
    return options.parse_args()


def read_all_cases():
    folders = [os.path.join(path.HERE, "cases"), variants.HERE + "/cases", path.TESTS + "/opari/cases"]
    files = [name for folder in folders for name in sorted(glob.glob(os.path.join(folder, "*.case")))]
    return [case for name in files for case in cases.read_cases(name) if not case.name.startswith(LEFT_OUT)]


def applies(way, case, arguments):
    """Whether this way runs the case. Without --all, the second runtime runs only the cases about places."""
    is_of_matrix = case.kernel or case.name.startswith(("rules/", *OF_PROCESSES))
    if is_of_matrix and not (arguments.all or arguments.case):
        return False
    is_short = not arguments.all and not arguments.way and way.name in DESCRIBED
    return fits(case, way.build.tags) and way.takes(case) and (not is_short or case.name.startswith(SHAPES))


def job_name(way, case):
    return f"{way.name}.{case.name.replace('/', '.')}"


def run_boot(machine, number, arguments, library, folder, ways, every_case, wheels):
    """Boots the machine and yields (name, what is wrong) for each test."""
    runner = GuestRunner(library, folder, machine, MACHINES[machine], wheels)
    boot = Boot(machine, os.path.join(folder, "results", f"{machine}-{number}"), arguments.cache)
    command = os.path.join(os.path.abspath(arguments.folder), "bin", "nestbind")
    plans = Plans(command, boot, runner)
    pairs = [(way, case) for way in ways for case in every_case if runner.runs(case) and applies(way, case, arguments)]
    is_tuned = machine == tuned.MACHINE and number == 0 and (arguments.all or any(text in tuned.NAME for text in arguments.case))
    tuning = [way for way in ways if is_tuned and way.name in EVERYTHING]
    is_probed = machine == probed.MACHINE and number == 0 and (not arguments.case or probed.NAME in arguments.case)
    if not pairs and not tuning and not is_probed:
        return
    boot.need(library.preload, os.path.join(library.folder, "nestbind"), command, *library_links(library), matrix.ORDERS, matrix.RULES)
    boot.need(*variants.loadable("libdw.so.1"))
    for name in wheels:
        boot.need(os.path.dirname(name))
    for way in ways:
        boot.need(way.build.folder, *way.files)
    for way, case in pairs:
        boot.add(job_name(way, case), runner.command(way.build, case))
        plans.add(case)
    if tuning:
        tuned.add(boot, command, tuning[0].build.folder)
    if is_probed:
        probed.add(boot, command)
    boot.run(PATIENCE)
    for way, case in pairs:
        result = boot.result(job_name(way, case))
        name = f"{machine} {way.name} {case.name}"
        if result is None:
            yield name, ["it was not run, or the guest ended before it"]
            continue
        wrong = cases.judge(case, *result, runner.names(case))
        note = ""
        if is_plain(case):
            more, compared = plans.disagreements(case, result[1])
            wrong += more
            note = f" ({compared} rows are the plan's)" if compared else ""
        yield name + note, wrong
    if tuning:
        yield f"{machine} nestbind tune", tuned.judge(boot)
    if is_probed:
        yield f"{machine} nestbind probe", probed.judge(boot)
    used = [case for _, case in pairs]
    yield from plans.compare(used)


def library_links(library):
    return sorted(glob.glob(os.path.join(library.folder, "libnestbind*.so*")))


def main():
    arguments = parse_arguments()
    results = running.Results()
    folder = os.path.abspath(arguments.build or os.path.join(arguments.folder, "guest-suite"))
    os.makedirs(folder, exist_ok=True)
    try:
        library = variants.Library.find(arguments.folder)
        ways = all_ways(folder, library, arguments.folder, bool(arguments.all or arguments.way))
        ways = [way for way in ways if not arguments.way or way.name in arguments.way]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda make: make(), {way.build.folder: way.make for way in ways}.values()))
        wheels = variants.renamed_runtimes(folder, library)
        every_case = read_all_cases()
    except (variants.BuildError, cases.CaseError) as error:
        print(error)
        return 1
    wanted = [case for case in every_case if not arguments.case or any(text in case.name for text in arguments.case)]
    print(f"library {library.preload}; built in {results.seconds():.0f} s", flush=True)
    try:
        boots = [(machine, number) for machine in arguments.machine or MACHINES for number in range(BOOTS.get(machine, 1))]

        def run(boot):
            machine, number = boot
            start = time.monotonic()
            part = wanted[number::BOOTS.get(machine, 1)]
            return list(run_boot(machine, number, arguments, library, folder, ways, part, wheels)), \
                time.monotonic() - start

        with ThreadPoolExecutor(AT_ONCE) as pool:
            for (machine, _), (tests, seconds) in zip(boots, pool.map(run, boots)):
                for name, wrong in tests:
                    results.show(name, wrong)
                print(f"machine {machine}: {seconds:.0f} s", flush=True)
    except GuestSkipped as reason:
        print(reason)
        return running.SKIPPED
    return results.close()


if __name__ == "__main__":
    sys.exit(main())
