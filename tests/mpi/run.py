#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests `nestbind run --reorder` and `--traffic` with real MPI programs on several nodes, which are all this machine.

usage: run.py [--case NAME]... FOLDER      FOLDER: a build tree or an installed prefix of nestbind
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

import launching  # noqa: E402
from launching import MPICH, OPEN_MPI, between_nodes, running  # noqa: E402

RANKS, PER_NODE, BYTES, ROUNDS = 16, 4, 10000, 4
# Pairs of neighbours on different nodes in a grid of 4 x 4 without periods: in rows, and in the best blocks, 2 x 2.
PAIRS_IN_ROWS, PAIRS_IN_BLOCKS = 12, 8
# What `sends all` sends from each rank to the next: 8 calls on the world (255 bytes), one communicator in the world's order (1000), 24 bytes
# in a type of its own, 3 times 100 by a persistent request, 7, by two collectives of neighbours 24, and 200 times 10 by two threads.
TO_NEXT = [255 + 1000 + 24 + 300 + 7 + 24 + 2000, 8 + 1 + 1 + 3 + 1 + 2 + 200]
# To the rank before: two communicators in reversed order, and the two collectives.
TO_BEFORE = [2 * 1000 + 24, 2 + 2]
MOST_INSTRUCTIONS = 60


class Cases:
    def __init__(self, folder, work):
        self.results, self.work = running.Results(), work
        self.nestbind = next(path for path in glob.glob(f"{folder}/bin/nestbind"))
        self.modules = os.path.dirname(glob.glob(f"{folder}/lib*/**/libnestbind-planner.so", recursive=True)[0])
        self.families = [one for one in (OPEN_MPI, MPICH) if self.can_use(one)]
        self.programs = {}

    def can_use(self, family):
        reason = family.missing()
        if not reason and not os.path.exists(f"{self.modules}/libnestbind-mpi-{family.module}.so"):
            reason = f"nestbind was built without a library for {family.name}"
        if reason:
            self.results.skip(family.name, reason)
        return not reason

    def program(self, family, source, *flags):
        key = (family.name, source, flags)
        if key not in self.programs:
            self.programs[key] = family.compile(self.work, os.path.join(HERE, source), *flags)
        return self.programs[key]

    def and_intel(self):
        """All families, and Intel MPI if it is there."""
        prefix = os.environ.get("NESTBIND_INTEL_MPI", "")
        return [*self.families, launching.intel(prefix, self.work)] if prefix and any(one.module == "mpich" for one in self.families) else self.families

    def folder(self, name):
        made = os.path.join(self.work, name)
        shutil.rmtree(made, ignore_errors=True)
        return made

    def ranks(self, family, *words, ranks=RANKS, per_node=PER_NODE, options=("--reorder",), **more):
        """Returns {rank: new rank}, what is wrong, and the standard error output."""
        status, out, err = family.run(ranks, per_node, [self.nestbind, "run", *options, "--", *words], **more)
        new = dict(re.findall(r"^rank (\d+) is (.+)$", out, re.M))
        wrong = re.findall(r"^fault.*$", out, re.M)
        wrong += [] if status == 0 and len(new) == ranks else [f"status {status}, {len(new)} ranks", *err.splitlines()[-6:]]
        return new, wrong, err

    def cut(self, family, case, reorder):
        """Returns the bytes between nodes in the exchange of tests/mpi/topologies.c, and what is wrong."""
        folder = self.folder("traffic")
        options = ["--traffic", folder] + (["--reorder"] if reorder else [])
        new, wrong, _ = self.ranks(family, self.program(family, "topologies.c"), case, str(BYTES), options=options,
                                   **({"NO_NEIGHBOURS": "1"} if family is OPEN_MPI else {}))
        return between_nodes(launching.traffic(folder), PER_NODE) if not wrong else 0, wrong, new

    def case_bytes(self):
        """Bytes between nodes, by the MPI library's own counters (Open MPI) or ours: at most 1.05 times those of the best blocks for grids,
        1.1 times for graphs with scrambled numbers. Where there is no bar or it is near, never more than without."""
        for family in self.and_intel():
            for case, most in (("cart", 1.05), ("cart-threads", 1.05), ("graph-s", 1.1), ("dist-s", 1.1), ("adj-s", 1.1), ("cart-p", None)):
                plain, wrong, _ = self.cut(family, case, False) if case in ("cart", "cart-p") else (float("inf"), [], None)
                after, more, _ = self.cut(family, case, True)
                best = 2 * ROUNDS * BYTES * PAIRS_IN_BLOCKS
                wrong += more
                if not wrong and (after > plain * 1.01 or (most and after > best * most)):
                    wrong = [f"bytes between nodes: {plain} before, {after} after, the best blocks {best}"]
                if not wrong and case == "cart" and not 1 <= plain / (2 * ROUNDS * BYTES * PAIRS_IN_ROWS) < 1.05:
                    wrong = [f"before: {plain}"]
                self.results.show(f"bytes/{family.name}/{case}", wrong)

    def case_neighbours(self):
        """Each process's neighbours are those of its new rank, as neighbourhood collectives show (open-mpi/ompi 11756)."""
        for family in self.and_intel():
            for case in ("graph-s", "dist-s", "adj-s"):
                new, wrong, _ = self.ranks(family, self.program(family, "topologies.c"), case)
                wrong += [] if any(old != one for old, one in new.items()) else ["nothing is reordered"]
                self.results.show(f"neighbours/{family.name}/{case}", wrong)
            _, wrong, err = self.ranks(family, self.program(family, "topologies.c"), "graph-s-half")
            wrong += [] if err.count(f"{RANKS // 2} ranks on {RANKS // PER_NODE // 2} nodes reordered") == 2 else [err]
            self.results.show(f"neighbours/{family.name}/half of the nodes", wrong)

    def case_plain(self):
        """Without a true reorder argument, with a grid of one node, and for a transpose nothing changes."""
        same = {str(i): str(i) for i in range(RANKS)}
        for family in self.families:
            program = self.program(family, "topologies.c")
            for case, per_node in (("cart-fixed", PER_NODE), ("adj-fixed-s", PER_NODE), ("cart", RANKS), ("cart-p", PER_NODE)):
                new, wrong, err = self.ranks(family, program, case, per_node=per_node)
                wrong += [] if new == same and "reordered" not in err else [f"{new}"]
                self.results.show(f"plain/{family.name}/{case}/{per_node}", wrong)

    def case_fortran(self):
        """All three interfaces of Fortran reorder, as C does."""
        for family in self.families:
            of_c, wrong, _ = self.ranks(family, self.program(family, "topologies.c"), "cart")
            self.results.show(f"fortran/{family.name}/c", wrong)
            for kind, flags in (("mpifh", ()), ("usempi", ("-DUSE_MPI",)), ("f08", ("-DUSE_MPI_F08",))):
                try:
                    program = self.program(family, "fortran.F90", *flags)
                except (OSError, RuntimeError) as fault:
                    self.results.skip(f"fortran/{family.name}/{kind}", f"cannot be compiled: {fault}")
                    continue
                new, wrong, _ = self.ranks(family, program)
                pairs = {old: one.split(" and ") for old, one in new.items()}
                if not wrong and ({old: one[0] for old, one in pairs.items()} != of_c or all(old == one[1] for old, one in pairs.items())):
                    wrong = [f"{pairs}", f"in C: {of_c}"]
                self.results.show(f"fortran/{family.name}/{kind}", wrong)

    def case_local(self):
        """MPI that a module brings with RTLD_LOCAL, as in Python: the launcher's variables, or NESTBIND_MPI, say the family."""
        program = os.path.join(self.work, "local")
        subprocess.run(["gcc", "-O1", os.path.join(HERE, "local.c"), "-o", program, "-ldl"], check=True)
        for family in self.families:
            module = self.program(family, "topologies.c", "-shared", "-fPIC", "-Dmain=module_main")
            for settings in ({}, {"NESTBIND_MPI": family.module}):
                new, wrong, err = self.ranks(family, program, module, "cart", **settings)
                wrong += [] if any(old != one for old, one in new.items()) else ["nothing is reordered"]
                wrong += [] if err.count("links no MPI library") == 1 else [err]
                self.results.show(f"local/{family.name}/{'NESTBIND_MPI' if settings else 'launcher'}", wrong)

    def case_traffic(self):
        """MPICH's family: exact bytes and messages of each function, with threads, freed communicators and requests."""
        families = [one for one in self.and_intel() if one.module == "mpich"]
        if not any(one.name == "intel" for one in families):
            self.results.skip("traffic/intel", "NESTBIND_INTEL_MPI does not name a prefix with impi-rt of PyPI")
        for family in families:
            folder = self.folder("traffic")
            status, _, err = family.run(4, 2, [self.nestbind, "run", "--traffic", folder, "--", self.program(family, "sends.c", "-pthread"), "all"])
            wrong = [] if status == 0 else [f"status {status}", *err.splitlines()[-6:]]
            if not wrong:
                sent = launching.traffic(folder)
                wanted = {(i, (i + step) % 4): numbers for i in range(4) for step, numbers in ((1, TO_NEXT), (3, TO_BEFORE))}
                wrong = [f"{pair}: {sent.get(pair)}, wanted {numbers}" for pair, numbers in sorted(wanted.items()) if sent.get(pair) != numbers]
                wrong += [f"{pair} is not wanted" for pair in sent if pair not in wanted]
                for name in os.listdir(folder):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        lines = file.read().splitlines()
                    wrong += [] if lines[0].startswith("# nestbind: rank ") and lines[1].startswith("# without ") and lines[-1] == "# end" else [f"{name}: {lines}"]
            self.results.show(f"traffic/{family.name}", wrong)

    def case_instructions(self):
        """MPICH's family: our own instructions for each message, on the world and on another communicator."""
        if MPICH not in self.families or shutil.which("valgrind") is None:
            self.results.skip("instructions", "needs MPICH and valgrind")
            return
        for words in ([], ["dup"]):
            counted = []
            for messages in (1000, 3000):
                out = os.path.join(self.work, f"callgrind.{messages}")
                status, _, err = running.run(
                    [self.nestbind, "run", "--traffic", self.folder("traffic"), "--", "valgrind", "--tool=callgrind", "--dump-line=no",
                     f"--callgrind-out-file={out}", self.program(MPICH, "sends.c", "-pthread"), "self", str(messages), *words], 300,
                    env=running.environment(NESTBIND_MPI="mpich", UCX_TLS="self,tcp"))
                if status != 0:
                    self.results.show("instructions", [f"status {status}", *err.splitlines()[-6:]])
                    return
                counted.append(own_instructions(out, "libnestbind-mpi-mpich.so"))
            each = (counted[1] - counted[0]) / 2000
            self.results.show(f"instructions{'/'.join(['', *words])}: {each:.1f} a message",
                              [] if 5 < each <= MOST_INSTRUCTIONS else [f"more than {MOST_INSTRUCTIONS}, or none"])

    def case_where(self):
        """nestbind/mpi.h and the Fortran module, with and without switches. The nodes n0 and n1 have one switch, n2 and n3 another."""
        include = os.path.join(ROOT, "include")
        switches = 'h=$(hostname); export SLURM_TOPOLOGY_ADDR=core.s$((${h#n} / 2)).$h; exec "$@"'
        for family in self.families:
            for language in ("c", "c++"):
                flags = ["-Wall", "-Wextra", "-Werror", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", f"-I{include}", os.path.join(HERE, "where_other.c"), *(["-x", "c++"] if language == "c++" else [])]
                flags = flags[-2:] + flags[:-2] if language == "c++" else flags
                done = subprocess.run([family.cc, *flags, os.path.join(HERE, "where.c"), "-o", f"{self.work}/where"], capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    self.results.show(f"where/{family.name}/{language}", done.stderr.splitlines())
                    continue
                for words in ([f"{self.work}/where", str(PER_NODE)], ["sh", "-c", switches, "-", f"{self.work}/where", str(PER_NODE), "switches"]):
                    if language == "c++" and "switches" not in words:
                        continue
                    status, out, err = family.run(RANKS, PER_NODE, words)
                    wrong = re.findall(r"^fault.*$", out, re.M)
                    wrong += [] if status == 0 and len(re.findall(r"^rank", out, re.M)) == RANKS else [f"status {status}", *err.splitlines()[-6:]]
                    self.results.show(f"where/{family.name}/{language}{'/switches' if 'switches' in words else ''}", wrong)
            commands = ([family.cc, "-x", "c", "-DNESTBIND_MPI_FORTRAN", f"-I{include}", "-c", f"{include}/nestbind/mpi.h", "-o", "functions.o"],
                        [family.fortran, f"{include}/nestbind/nestbind_mpi.f90", os.path.join(HERE, "where_fortran.f90"), "functions.o", "-o", "where_fortran"])
            for command in commands:
                done = subprocess.run(command, cwd=self.work, capture_output=True, text=True, check=False)
            new, wrong, _ = self.ranks(family, f"{self.work}/where_fortran", options=())
            wrong += [] if new == {str(i): str(int(i >= PER_NODE)) for i in range(RANKS)} else [f"{new}", done.stderr]
            self.results.show(f"where/{family.name}/fortran", wrong)

    def case_ends(self):
        """Programs that do not use MPI, die, spawn, or use sessions end as without nestbind."""
        for family in self.families:
            program = self.program(family, "ends.c")
            for how in ("none", "signal", "abort", "spawn", "sessions"):
                told = []
                # Open MPI 4's monitoring fails if a program spawns.
                count = [] if family is OPEN_MPI and how == "spawn" else ["--traffic", self.folder("traffic")]
                for prefix in ([], [self.nestbind, "run", "--reorder", *count, "--"]):
                    status, out, err = family.run(4, 2, [*prefix, program, how], 90)
                    # If a rank dies, the launchers end with several errors, and other ranks with or without their last line.
                    dies = how in ("signal", "abort")
                    told.append(status != 0 if dies else (status, out.count("done"), out.count("no MPI")))
                self.results.show(f"ends/{family.name}/{how}", [] if told[0] == told[1] else [f"{told}", *err.splitlines()[-8:]])

    def case_off(self):
        """Without the options no library of ours for MPI is loaded; without MPI the library does nothing."""
        cat = ["cat", "/proc/self/maps"]
        for name, options, wanted in (("off", [], 0), ("no-mpi", ["--reorder"], 0)):
            status, out, err = running.run([self.nestbind, "run", *options, "--", *cat], env=running.environment())
            wrong = [] if status == 0 and out.count("libnestbind-mpi") == wanted else [f"status {status}", out, err]
            self.results.show(f"off/{name}", wrong)
        status, out, err = running.run([self.nestbind, "run", "--reorder", "--", *cat], env=running.environment(NESTBIND_MPI="mpich"))
        self.results.show("off/loaded", [] if status == 0 and (MPICH not in self.families or "libnestbind-mpi-mpich" in out) else [err])
        for family in self.families:
            program = self.program(family, "topologies.c")
            status, out, err = running.run([self.nestbind, "doctor", program], env=running.environment())
            told = re.search(r"^mpi +(.*)", out, re.M)
            self.results.show(f"off/doctor/{family.name}", [] if told and family.module in told.group(1) else [out, err])
            folder = self.folder("t")
            command = [self.nestbind, "run", "--print-env", "--reorder", "--traffic", "t", "--", program]
            status, out, err = running.run(command, cwd=self.work, env=running.environment())
            wrong = [] if status == 0 and f"libnestbind-mpi-{family.module}.so" in out and "NESTBIND_REORDER='on'" in out else [out, err]
            wrong += [] if f"NESTBIND_TRAFFIC='{self.work}/t'" in out and ("OMPI_MCA_pml_monitoring_enable='2'" in out) == (family is OPEN_MPI) else [out]
            self.results.show(f"off/print-env/{family.name}", wrong)
            with open(f"{folder}/traffic.0.prof", "w", encoding="utf-8"):
                pass
            said = running.run(command, cwd=self.work, env=running.environment())[2]
            self.results.show(f"off/earlier-traffic/{family.name}", [] if "earlier run" in said and "earlier run" not in err else [err, said])


def own_instructions(name, library):
    """Returns the instructions of a library's own functions in callgrind's output, without those of the functions that they call."""
    total, is_own, skips, files, objects = 0, False, False, {}, {}
    with open(name, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("ob="):
                number, _, path = line[3:].partition(" ")
                objects.setdefault(number, path)
                is_own = library in objects[number]
            elif line.startswith("calls="):
                skips = True  # the next line has the cost of what is called
            elif re.match(r"^[+\-*\d]", line):
                total += 0 if skips or not is_own else int(line.split()[-1])
                skips = False
            elif line.startswith("cob="):
                number, _, path = line[4:].partition(" ")
                objects.setdefault(number, path)
    return total


def main():
    parser = running.parser(__doc__, without=("--build", "--all", "--jobs"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        cases = Cases(os.path.abspath(options.folder), os.path.realpath(work))
        if not cases.families:
            return running.SKIPPED
        for name in [name for name in dir(cases) if name.startswith("case_")]:
            if not options.case or any(one in name for one in options.case):
                getattr(cases, name)()
        return cases.results.close()


if __name__ == "__main__":
    sys.exit(main())
