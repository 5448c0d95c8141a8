#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs ranks of Debian's Open MPI and MPICH on a NUMA machine, each with nested teams (../programs/ranked.c).

usage: ranks.py [--all] FOLDER     FOLDER: a build tree with the libraries and the command

The expected part of each rank is a literal here. For each part, `nestbind plan` prints the expected processors of each thread. No processor
may have threads of two ranks. `nestbind plan --ranks` must give the same parts. `nestbind job` reads the ranks' reports, and must show the
same places. Without --all a sixth of the cases runs.
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

MACHINE = "barcelona"
DESCRIPTION = "pack:4 [numa] l3:1 core:4 pu:1"
PROGRAMS = os.path.join(path.TESTS, "programs")
PATIENCE = 90
# The number of levels of each specification.
SPECS = {"numa,scatter,core,subcompact": 2, "2,scatter,2,subcompact": 2, "2,compact,2,scatter": 2}
RANKS = (1, 2, 3, 4, 8)
NODES = ("0-3", "4-7", "8-11", "12-15")
# If the launcher does not bind ranks, they divide the whole machine into these parts.
PARTS = {0: [],
         1: ["0-15"],
         2: ["0-7", "8-15"],
         3: ["0-7", "8-11", "12-15"],
         4: list(NODES),
         8: ["0-1", "2-3", "4-5", "6-7", "8-9", "10-11", "12-13", "14-15"]}
HALVES = ("0-1", "2-3", "4-5", "6-7", "8-9", "10-11", "12-13", "14-15")


def parts(mask, ranks):
    """Returns the part of each rank. Ranks divide the processors that the launcher gives to them."""
    if mask == "none":
        return PARTS[ranks]
    if mask == "core":
        return [str(rank) for rank in range(ranks)]
    if mask == "numa":  # round robin: with more than four ranks, two ranks have the same node
        return list(NODES[:ranks]) if ranks <= 4 else [HALVES[2 * (rank % 4) + rank // 4] for rank in range(ranks)]
    assert mask == "two a node" and ranks == 8
    return list(HALVES)


def masks_of(mask, ranks):
    """Returns for each rank the processors that the launcher gives to it."""
    if mask == "none":
        return [cpus_in("0-15")] * ranks
    if mask == "core":
        return [frozenset([rank]) for rank in range(ranks)]
    return [cpus_in(NODES[rank % 4 if mask == "numa" else rank // 2]) for rank in range(ranks)]


def cpus_in(text):
    first, _, last = text.partition("-")
    return frozenset(range(int(first), int(last or first) + 1))


def list_of(cpus):
    return ",".join(map(str, sorted(cpus)))


# For each display in nestbind-mpi(7): the masks, the number of ranks, and the specification.
FILLED = "numa,scatter,core,subcompact"
MANUAL = {"a plan": ("none", 0, FILLED), "a rank for each node": ("none", 1, FILLED), "a rank for each package": ("numa", 4, FILLED),
          "a rank for each NUMA node": ("numa", 4, FILLED), "two ranks for each NUMA node": ("two a node", 8, FILLED),
          "ranks that divide the node": ("none", 4, "2,scatter,2,subcompact"),
          "ranks with cores of their own": ("numa", 4, "2,scatter,2,subcompact"),
          "a report": ("none", 4, "2,scatter,2,subcompact"), "a report of what is wrong": ("core", 2, "2,scatter")}
SETTING = "export PATH=/usr/sbin:/usr/bin:/sbin:/bin TMPDIR=/tmp NESTBIND_CACHE=off; ip link set lo up; hostname n0\n"


class Launcher:
    """How ranks are started."""

    def __init__(self, name, compiler, files, settings, program, masks):
        self.name = name
        self.compiler = compiler
        self.files = files
        self.settings = settings
        self.program = program
        self.masks = masks

    def start(self, mask, ranks):
        return f"{self.settings}{self.program} -n {ranks} {self.masks[mask]}"


LIBRARIES = "/usr/lib/x86_64-linux-gnu"
LAUNCHERS = (
    Launcher("openmpi", "mpicc.openmpi",
             ["/usr/bin/mpirun.openmpi", "/usr/bin/orted", "/usr/share/openmpi", LIBRARIES + "/openmpi/lib/openmpi3", LIBRARIES + "/pmix2"],
             "export OMPI_MCA_plm=isolated OMPI_MCA_mpi_yield_when_idle=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n", "mpirun.openmpi",
             {"none": "--bind-to none", "core": "--map-by core --bind-to core", "numa": "--map-by numa --bind-to numa",
              "two a node": "--map-by ppr:2:numa --bind-to numa"}),
    Launcher("mpich", "mpicc.mpich", ["/usr/bin/mpiexec.hydra", "/usr/bin/hydra_pmi_proxy"],
             "", "mpiexec.hydra -launcher fork -hosts localhost",
             {"none": "-bind-to none", "core": "-bind-to core", "numa": "-bind-to numa",
              "two a node": "-bind-to numa -map-by core:2"}),
)


class Case:
    """A job in the guest."""

    def __init__(self, launcher, program, mask, ranks, spec):
        self.launcher = launcher
        self.program = program
        self.mask = mask
        self.ranks = ranks
        self.spec = spec
        words = (launcher.name, program, mask.replace(" ", "-"), str(ranks), spec.replace(",", "-"))
        self.name = ".".join(words)

    def command(self, nestbind, folder):
        """Returns a line for the guest's shell."""
        program = shlex.join([os.path.join(folder, f"ranked-{self.program}"), str(SPECS[self.spec])])
        where = f'"$GUEST_FILES"/{self.name}'
        return (SETTING + f"{self.launcher.start(self.mask, self.ranks)} {nestbind} run --report=json:{where}.report-%r {self.spec} -- "
                f"{program} {where}.masks\n")


class Printed(Case):
    """A display of the manual page: the commands after the prompts, and the output below them."""

    def __init__(self, launcher, title, text, mask, ranks, spec):
        super().__init__(launcher, "printed", mask, ranks, spec)
        self.name = f"{launcher.name}.manual.{title.replace(' ', '-')}"
        self.lines = re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", text.replace("\\e\n", "\\\n"), re.M)
        self.shown = "".join(shown for _, shown in self.lines)

    def command(self, nestbind, folder):
        """Runs in a folder that contains ./program and gets the reports."""
        where = f'"$GUEST_FILES"/{self.name}'
        program = shlex.join([os.path.join(folder, "ranked-gcc"), str(SPECS.get(self.spec, 1))])
        script = (f"mkdir -p {where}.here && cd {where}.here || exit 1\n"
                  f"printf '#!/bin/sh\\nexec {program} %s\\n' {where}.masks >program; chmod +x program\n"
                  f"for name in mpirun mpiexec; do printf '#!/bin/sh\\nexec {self.launcher.program} \"$@\"\\n' >$name; done\n"
                  f"printf '#!/bin/sh\\nexec {nestbind} \"$@\"\\n' >nestbind; chmod +x mpirun mpiexec nestbind\n"
                  "export PATH=$PWD:$PATH LC_ALL=C.UTF-8\n")
        return SETTING + self.launcher.settings + script + "".join(f"{line} || exit\n" for line, _ in self.lines)


def printed():
    """In nestbind-mpi(7), a comment `.\\" guest: LAUNCHER, TITLE` precedes some displays. Returns these displays."""
    with open(os.path.join(os.path.dirname(path.TESTS), "docs", "man", "nestbind-mpi.7"), encoding="utf-8") as file:
        found = re.findall(r'^\.\\" guest: (\w+), ([^\n]*)\n\.Bd -literal[^\n]*\n(.*?)^\.Ed', file.read(), re.M | re.S)
    launchers = {launcher.name: launcher for launcher in LAUNCHERS}
    assert sorted({title for _, title, _ in found}) == sorted(MANUAL), "the manual has other displays than are expected here"
    return [Printed(launchers[name], title, text, *MANUAL[title]) for name, title, text in found]


def cases(is_all):
    combinations = [(mask, ranks) for mask in ("none", "core", "numa") for ranks in RANKS] + [("two a node", 8)]
    for turn, launcher in enumerate(LAUNCHERS):
        for place, (mask, ranks) in enumerate(combinations):
            for number, spec in enumerate(SPECS):
                if is_all or (place % 2 == turn and number == place // 2 % len(SPECS)):
                    yield Case(launcher, "gcc", mask, ranks, spec)
        for program in ("clang", launcher.name):
            yield Case(launcher, program, "none", 4, "2,scatter,2,subcompact")
            if is_all or program == "clang":
                yield Case(launcher, program, "numa", 8, "numa,scatter,core,subcompact")


def build(folder):
    os.makedirs(folder, exist_ok=True)
    flags = ["-O1", "-fopenmp", os.path.join(PROGRAMS, "ranked.c"), "-o"]
    builds = [["gcc", *flags, "ranked-gcc"], ["clang-19", *flags, "ranked-clang"]]
    builds += [[launcher.compiler, "-DWITH_MPI", *flags, f"ranked-{launcher.name}"] for launcher in LAUNCHERS]
    for line in builds:
        subprocess.run(line, cwd=folder, check=True)


class Judge:
    """Runs `nestbind plan` on the host to get the expected processors of each thread."""

    def __init__(self, nestbind):
        self.nestbind = nestbind
        self.planned = {}

    def plan(self, spec, cpus):
        """Returns {path: processors} for a rank with this part."""
        key = (spec, cpus)
        if key not in self.planned:
            done = subprocess.run([self.nestbind, "plan", "--format=json", "--machine", DESCRIPTION, "--cpus", list_of(cpus), spec],
                                  stdout=subprocess.PIPE, check=True, encoding="utf-8")
            self.planned[key] = {".".join(map(str, thread["path"])): frozenset(thread["cpus"])
                                 for thread in json.loads(done.stdout)["threads"]}
        return self.planned[key]

    def divided(self, mask, sharing, spec):
        """Returns the answer of `nestbind plan --ranks`. It has a dictionary {path: processors} for each rank."""
        done = subprocess.run([self.nestbind, "plan", "--format=json", "--machine", DESCRIPTION, "--cpus", list_of(mask), "--ranks",
                               str(sharing), spec], stdout=subprocess.PIPE, check=True, encoding="utf-8")
        return [{".".join(map(str, thread["path"])): frozenset(thread["cpus"]) for thread in rank["plan"]["threads"]}
                for rank in json.loads(done.stdout)["ranks"]]

    def faults_of_plan(self, case):
        """Compares the literals of this file with the command's answer, for ranks that share a mask."""
        given = masks_of(case.mask, case.ranks)
        wrong = []
        for mask in sorted(set(given), key=min):
            sharing = [rank for rank in range(case.ranks) if given[rank] == mask]
            for rank, planned in zip(sharing, self.divided(mask, len(sharing), case.spec)):
                if planned != self.plan(case.spec, cpus_in(parts(case.mask, case.ranks)[rank])):
                    wrong.append(f"nestbind plan --ranks has rank {rank} on {list_of(frozenset().union(*planned.values()))}")
        return wrong

    def faults(self, case, result, where):
        if result is None:
            return ["it was not run, or the guest ended before it"]
        status, output, errors = result
        if status != 0:
            return [f"status {status}: {output}{errors}"]
        if isinstance(case, Printed) and case.shown and output != case.shown.replace(r"\(pc", "\u00b7"):
            return [f"the manual shows something else than\n{output}"]
        wrong = []
        used = {}
        for rank, part in enumerate(parts(case.mask, case.ranks)):
            masks = masks_in(f"{where}.masks-{rank}")
            planned = self.plan(case.spec, cpus_in(part))
            wrong += [f"rank {rank}, {name}: {list_of(masks.get(name, []))}, planned on {list_of(cpus)}"
                      for name, cpus in planned.items() if masks.get(name) != cpus]
            if len(masks) != len(planned):
                wrong.append(f"rank {rank}: {len(masks)} threads, {len(planned)} planned")
            for cpu in frozenset().union(*masks.values()):
                used.setdefault(cpu, set()).add(rank)
        wrong += [f"processor {cpu} has threads of ranks {sorted(ranks)}" for cpu, ranks in used.items() if len(ranks) > 1]
        if not isinstance(case, Printed):
            wrong += self.faults_of_plan(case) + self.faults_of_job(case, used, where)
        return wrong + ([errors] if wrong and errors else [])

    def faults_of_job(self, case, used, where):
        """`nestbind job` reads the ranks' reports. It must show the processors that the kernel reports."""
        files = [f"{where}.report-{rank}" for rank in range(case.ranks)]
        done = subprocess.run([self.nestbind, "job", "--json", *files], stdout=subprocess.PIPE, check=False, encoding="utf-8")
        told = json.loads(done.stdout)
        wrong = [] if done.returncode == 0 else [f"nestbind job ends with {done.returncode}"]
        seen = {}
        for processor in told["nodes"][0]["processors"] if told["nodes"] else []:
            for thread in processor["threads"]:
                seen.setdefault(processor["cpu"], set()).add(thread["rank"])
        if seen != used:
            wrong.append(f"nestbind job has {seen}, the kernel {used}")
        packages = {cpu // 4 for cpu in used}
        idle = {cpu // 4 for finding in told["findings"] if finding["text"].startswith("package ") for cpu in finding["cpus"]}
        if idle != set(range(4)) - packages:
            wrong.append(f"idle packages: {sorted(idle)}")
        wrong += [finding["text"] for finding in told["findings"] if finding["kind"] in ("overlap", "missing", "twice", "file")]
        return wrong


def masks_in(name):
    """Reads {path: processors} from a rank's file."""
    try:
        with open(name, encoding="utf-8") as file:
            rows = [line.split() for line in file]
    except FileNotFoundError:
        return {}
    return {row[0]: frozenset(map(int, row[1].split(","))) for row in rows}


def main():
    arguments = parser(__doc__, ("--build",)).parse_args()
    results = running.Results()
    missing = [name for launcher in LAUNCHERS for name in launcher.files + [shutil.which(launcher.compiler) or launcher.compiler]
               if not os.path.exists(name)]
    if missing:
        print(f"SKIP: ranks: there is no {missing[0]} (Debian: openmpi-bin, libopenmpi-dev, mpich)")
        return running.SKIPPED
    tree = os.path.abspath(arguments.folder)
    folder = os.path.join(tree, "guest-suite", "ranks")
    build(folder)
    nestbind = os.path.join(tree, "bin", "nestbind")
    wanted = [case for case in [*cases(arguments.all), *printed()] if not arguments.case or any(text in case.name for text in arguments.case)]
    boot = Boot(MACHINE, os.path.join(folder, "results"), arguments.cache)
    boot.need(nestbind, *glob.glob(os.path.join(tree, "lib", "libnestbind.so*")), os.path.join(tree, "lib", "nestbind"), *(name for launcher in LAUNCHERS for name in launcher.files),
              *(os.path.join(folder, f"ranked-{name}") for name in ("gcc", "clang", "openmpi", "mpich")))
    for case in wanted:
        boot.add(case.name, case.command(nestbind, folder))
    try:
        boot.run(PATIENCE)
    except GuestSkipped as reason:
        print(reason)
        return running.SKIPPED
    judge = Judge(nestbind)
    for case in wanted:
        results.show(case.name, judge.faults(case, boot.result(case.name), boot.found[case.name]))
    return results.close()


if __name__ == "__main__":
    sys.exit(main())
