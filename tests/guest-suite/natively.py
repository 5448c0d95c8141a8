#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the command lines of `nestbind explain` on NUMA machines. These lines bind programs without nestbind. There are 40 random
specifications on three guests, with GCC's and LLVM's runtimes. If `nestbind explain` marks a line as equal, the masks must be the plan's
masks. Otherwise the masks must differ, and the printed reason must be right.

usage: natively.py [--machine NAME] FOLDER     FOLDER: a build tree with the command

If likwid-pin is installed, it is tried, too.
"""

import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import path
import running
from boot import Boot, GuestSkipped, parser

sys.path.insert(0, os.path.join(path.TESTS, "natively"))
import native  # noqa: E402

# For each machine of ../guest/machines: a description for the command on the host, and the allowed processors. The last two entries are the
# number of specifications and a random seed.
MACHINES = {
    "barcelona": ("pack:4 [numa] l3:1 core:4 pu:1", "", 14, 1),
    "smt": ("pack:2 [numa] l3:1 core:2 pu:2", "", 13, 2),
    "two-nodes-a-package": ("pack:2 die:2 [numa] l3:1 core:4 pu:1", "0-4,6,8-12,15", 13, 3),
}
PROCESSORS = {"barcelona": 16, "smt": 8, "two-nodes-a-package": 16}
ALSO = {"barcelona": ["numa,scatter,core,subcompact", "4,scatter", "1,scatter,4,subscatter"],
        "smt": ["2,scatter,2,subcompact", "4,scatter", "1,scatter,8,subcompact"],
        "two-nodes-a-package": ["numa,scatter,core,subcompact", "5,scatter", "2,scatter,4,scatter"]}
AT_MOST = {"likwid-pin": 4, "numactl": 3}  # At most so many lines with other masks, because these tools are slow in a guest.
PATIENCE = 60
RUNTIMES = ("gnu", "llvm")


def processors_in(cpus):
    """Returns the set of processors in a list in taskset's form."""
    found = set()
    for part in cpus.split(","):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def ask(command, machine, spec, *words):
    description, cpus, _, _ = MACHINES[machine]
    line = [command, *words, "--format", "json", "--machine", description, spec] + (["--cpus", cpus] if cpus else [])
    done = subprocess.run(line, stdout=subprocess.PIPE, check=True, encoding="utf-8")
    return json.loads(done.stdout)


def way_of(row):
    if "creates the threads of an inner team anew" in row["reason"]:
        return "again"
    return "reverse" if "in any order" in row["reason"] else ""


def likwid_files():
    command = shutil.which("likwid-pin")
    if command is None:
        return []
    libraries = glob.glob("/usr/lib/*/liblikwid*.so*") + glob.glob("/lib/*/libpthread.so.0")
    return [command, "/bin/bash", "/usr/bin/lua5.3", "/usr/share/lua/likwid.lua", *libraries]


def faults(row, levels, planned, found):
    masks = {name: cpus for name, (_, cpus) in found.items()}
    if not masks:
        return ["the program printed nothing"]
    if row["equal"]:
        return [f"{name}: {sorted(masks.get(name, []))}, the plan has it on {sorted(cpus)}"
                for name, cpus in planned.items() if masks.get(name) != cpus] + \
               ([] if len(masks) == len(planned) else [f"{len(masks)} threads, {len(planned)} planned"])
    wrong = [] if masks != planned else ["it is the same"]
    told = re.search(r"thread ([0-9.]+) would be on ([^,]+|\{[^}]*\}), the plan has it on ([^;]+)", row["reason"])
    if told:
        name = told.group(1)
        if masks.get(name) != processors_in(told.group(2).strip("{}")):
            wrong.append(f"{name} is on {sorted(masks.get(name, []))}")
        if planned[name] != processors_in(told.group(3).strip("{}")):
            wrong.append(f"the plan has {name} on {sorted(planned[name])}")
    if "members of different teams would share" in row["reason"] and not native.teams_that_share(found):
        wrong.append("no two teams share a processor")
    if "one number for a level" in row["reason"] and len(masks) == len(planned):
        wrong.append("there are as many threads as planned")
    if "one set of processors for the whole process" in row["reason"] and len(set(masks.values())) != 1:
        wrong.append("not all threads have the same mask")
    if "puts a thread on one processor" in row["reason"] and any(len(cpus) != 1 for cpus in masks.values()):
        wrong.append("a thread is on several processors")
    return wrong


def jobs_of(command, machine, programs):
    """Returns {name of a job: (specification, row, levels, planned masks, line)}."""
    processors = len(processors_in(MACHINES[machine][1])) if MACHINES[machine][1] else PROCESSORS[machine]
    _, _, count, seed = MACHINES[machine]
    specs = ALSO[machine] + [spec for spec in native.specs_at_random(seed, 4 * count, processors) if spec not in ALSO[machine]]
    has_likwid = bool(likwid_files())
    jobs = {}
    used = {}
    number = 0
    for spec in specs:
        planned = native.seats(ask(command, machine, spec, "plan"))
        # Specifications with many more threads than processors take too long on an emulated machine.
        if number == count or len(planned) > processors * 3 // 2:
            continue
        number += 1
        explanation = ask(command, machine, spec, "explain")
        levels = len(explanation["levels"])
        for row in explanation["equivalents"]:
            program = programs[row["runtime"]]
            tool = row["tool"]
            if program is None or not row["line"] or (tool == "likwid-pin" and not has_likwid):
                continue
            used[tool] = used.get(tool, 0) + (0 if row["equal"] else 1)
            if not row["equal"] and used[tool] > AT_MOST.get(tool, 1000):
                continue
            line = native.shell_line(row["line"], program, levels, way_of(row))
            jobs[f"{number:02d}-{row['runtime']}-{tool}"] = (spec, row, levels, planned, line)
    return jobs


def run_machine(machine, command, arguments, folder, programs):
    boot = Boot(machine, os.path.join(folder, "results", "natively-" + machine), arguments.cache)
    boot.need(*filter(None, programs.values()), *likwid_files())
    if programs["llvm"]:
        listed = subprocess.run(["ldd", programs["llvm"]], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
        boot.need(*re.findall(r"=> (/\S+)", listed))
    jobs = jobs_of(command, machine, programs)
    cpus = MACHINES[machine][1]
    for name, (_, _, _, _, line) in jobs.items():
        whole = "export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 PATH=/usr/sbin:/usr/bin:/sbin:/bin\n"
        inner = shlex.quote(line)
        boot.add(name, whole + (f"exec in-cpuset {cpus} 0-3 sh -c {inner}" if cpus else line))
    boot.run(PATIENCE)
    for name, (spec, row, levels, planned, line) in jobs.items():
        result = boot.result(name)
        title = f"{machine} {spec} {row['runtime']} {row['tool']}: {'the same' if row['equal'] else row['reason']}"
        if result is None or result[0] != 0:
            yield row, title, ["it ended with %s: %s" % (result and result[0], result and result[2]), line]
            continue
        wrong = faults(row, levels, planned, native.rows(result[1]))
        yield row, title, wrong + ([line] if wrong else [])


def main():
    options = parser(__doc__, ("--build", "--case", "--all"))
    options.add_argument("--machine", action="append", default=[], help="only this machine; repeatable")
    arguments = options.parse_args()
    results = running.Results()
    folder = os.path.join(os.path.abspath(arguments.folder), "guest-suite")
    os.makedirs(folder, exist_ok=True)
    command = os.path.join(os.path.abspath(arguments.folder), "bin", "nestbind")
    programs = {runtime: native.compile_for(runtime, folder) for runtime in RUNTIMES}
    count = {True: 0, False: 0}
    try:
        for machine in arguments.machine or MACHINES:
            for row, title, wrong in run_machine(machine, command, arguments, folder, programs):
                count[row["equal"]] += 1
                results.show(title, wrong)
    except GuestSkipped as reason:
        print(reason)
        return running.SKIPPED
    if not arguments.machine:
        results.show("at least ten lines give the same masks, and ten give others",
                     [] if min(count.values()) >= 10 else [f"{count[True]} are the same, {count[False]} are not"])
    return results.close(f"{count[True]} lines that are the same, {count[False]} that are not")


if __name__ == "__main__":
    sys.exit(main())
