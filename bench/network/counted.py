#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the bytes between nodes of real MPI programs, before and with `nestbind run --reorder`, and writes the tables of bench/REORDER.md.

usage: counted.py FOLDER      FOLDER: a build tree or an installed prefix of nestbind

64 ranks run on 8 nodes of 8, which are all this machine (tests/mpi/launching.py). Open MPI counts by itself (pml_monitoring); for MPICH,
nestbind's own counters count. Needs root.
"""

import argparse
import datetime
import os
import platform
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "mpi")]
sys.dont_write_bytecode = True

from launching import AGENT, MPICH, OPEN_MPI, between_nodes, running, traffic  # noqa: E402

RANKS, PER_NODE, BYTES, ROUNDS = 64, 8, 10000, 4
# A case of tests/mpi/topologies.c, its name, and the pairs of neighbours between nodes in the best blocks, by hand: 8 x 8 in blocks of 2 x 4;
# 4 x 4 x 4 in blocks of 2 x 2 x 2.
CASES = (("cart", "grid 8x8, MPI_Cart_create", 32), ("cart-p", "grid 8x8, periodic, MPI_Cart_create", 48),
         ("cart-3", "grid 4x4x4, MPI_Cart_create", 48), ("cart-3p", "grid 4x4x4, periodic, MPI_Cart_create", 96),
         ("graph-s", "scrambled 8x8, MPI_Graph_create", 32), ("dist-s", "scrambled 8x8, MPI_Dist_graph_create", 32),
         ("adj-s", "scrambled 8x8, MPI_Dist_graph_create_adjacent", 32), ("adj-s3", "scrambled 4x4x4, MPI_Dist_graph_create_adjacent", 48),
         ("transpose", "transpose: each rank sends to each", None))


def counted(family, nestbind, program, case, options):
    with tempfile.TemporaryDirectory() as folder:
        status, _, err = family.run(RANKS, PER_NODE, [nestbind, "run", "--traffic", folder, *options, "--", program, case, str(BYTES)], 500,
                                    NO_NEIGHBOURS="1")
        if status != 0:
            sys.exit(f"{family.name} {case}: status {status}\n{err[-2000:]}")
        return between_nodes(traffic(folder), PER_NODE)


def counted_with_file(family, nestbind, program, case):
    """The bytes between nodes of a run without --reorder, whose ranks start where `nestbind map` says: for a grid by its lengths, for a
    graph by the traffic of an earlier run."""
    with tempfile.TemporaryDirectory() as folder:
        before, after, hosts = (os.path.join(folder, name) for name in ("before", "after", "hosts"))
        plain = case.replace("-", "-fixed-", 1) if "-" in case else case + "-fixed"
        grid = ("4{0}x4{0}x4{0}" if "3" in case else "8{0}x8{0}").format("p" if case.endswith("p") else "")
        what = ["--grid", grid]
        if not case.startswith("cart"):
            family.run(RANKS, PER_NODE, [nestbind, "run", "--traffic", before, "--", program, plain, str(BYTES)], 500, NO_NEIGHBOURS="1")
            what = ["--communication", before]
        done = subprocess.run([nestbind, "map", *what, "--nodes", "n[0-7]", "--ranks-per-node", str(PER_NODE), "--write",
                               f"{'openmpi' if family is OPEN_MPI else 'intel'}:{hosts}"],
                              capture_output=True, text=True, check=False)
        if not os.path.exists(hosts):
            return None, done.stdout + done.stderr
        words = ["-launcher", "ssh", "-launcher-exec", AGENT, "-f", hosts]
        if family is OPEN_MPI:
            words = ["--mca", "plm_rsh_agent", AGENT, "--mca", "plm", "rsh", "--mca", "plm_rsh_no_tree_spawn", "1", "--mca", "mpi_yield_when_idle", "1",
                     "--hostfile", hosts, "--map-by", "seq", "--bind-to", "none"]
        # Each rank writes the name of its host.
        told = os.path.join(folder, "told")
        where = f'echo "@ ${{PMI_RANK}}${{OMPI_COMM_WORLD_RANK}} $(hostname)" >>{told}; exec "$@"'
        command = [family.launcher, *words, "-n", str(RANKS), "sh", "-c", where, "sh", nestbind, "run", "--traffic", after, "--", program, plain,
                   str(BYTES)]
        status, _, err = running.run(command, 500, env=running.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                                                           NO_NEIGHBOURS="1"))
        if status != 0:
            sys.exit(f"{case} with the file: status {status}\n{err[-2000:]}")
        with open(told, encoding="utf-8") as file:
            host = {int(rank): on for rank, on in re.findall(r"^@ (\d+) (\S+)$", file.read(), re.M)}
        return sum(number for (source, to), (number, _) in traffic(after).items() if host[source] != host[to]), ""


def table(family, nestbind, program):
    print("| pattern | before, MB | with --reorder, MB | with the file of nestbind map, MB | best blocks, MB | of the best |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for case, name, pairs in CASES:
        before = counted(family, nestbind, program, case, [])
        after = counted(family, nestbind, program, case, ["--reorder"])
        best = 2 * ROUNDS * BYTES * pairs if pairs else None
        last = f"{best / 1e6:.2f} | {after / best:.3f}" if best else "none better | "
        with_file = counted_with_file(family, nestbind, program, case)[0] if case != "transpose" else None
        told = "-" if with_file is None else f"{with_file / 1e6:.2f}"
        print(f"| {name} | {before / 1e6:.2f} | {after / 1e6:.2f} | {told} | {last} |", flush=True)


def instructions(program, settings):
    """Returns the instructions of one message of a rank to itself: sent, received, and waited for."""
    totals = []
    for messages in (1000, 3000):
        with tempfile.NamedTemporaryFile() as out:
            environment = running.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **settings)
            subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", program, "self", str(messages)], check=True,
                           capture_output=True, env=environment)
            with open(out.name, encoding="utf-8") as file:
                totals.append(int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.M).group(1)))
    return (totals[1] - totals[0]) / 2000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    nestbind = os.path.join(os.path.abspath(parser.parse_args().folder), "bin", "nestbind")
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    print(f"{datetime.date.today()}, {os.cpu_count()} processors ({model.group(1) if model else platform.machine()}), 64 ranks on 8 nodes of 8, "
          f"all on this machine; {ROUNDS} rounds of {BYTES} bytes for each pair and direction\n")
    with tempfile.TemporaryDirectory() as work:
        for family, who in ((OPEN_MPI, "Open MPI, counted by its pml_monitoring"), (MPICH, "MPICH, counted by nestbind run --traffic")):
            if family.missing():
                print(f"{family.name}: {family.missing()}")
                continue
            print(f"**{who}**\n")
            table(family, nestbind, family.compile(work, os.path.join(ROOT, "tests", "mpi", "topologies.c")))
            print()
        sends = OPEN_MPI.compile(work, os.path.join(ROOT, "tests", "mpi", "sends.c"), "-pthread")
        monitoring = {"OMPI_MCA_pml_monitoring_enable": "2", "OMPI_MCA_pml_monitoring_enable_output": "3",
                      "OMPI_MCA_pml_monitoring_filename": os.path.join(work, "m")}
        print(f"Open MPI, one message of a rank to itself (Isend, Recv, Wait): {instructions(sends, {}):.0f} instructions, "
              f"with its monitoring {instructions(sends, monitoring):.0f}")


if __name__ == "__main__":
    main()
