#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the instructions of heat and nested STREAM in the NUMA guest, alone and watched by `nestbind memory`. The programs run on 16 of 20
processors, and the watcher on another one. One thread initialises the arrays, so that the kernel's balancing has pages to move."""

import statistics
import subprocess
import sys

import common
import documents
import memory_tables
from common import cells
from memory_programs import SPECIFICATION, libdw
from tables import table

MACHINE = """packages 4
cores 5
threads 1
nodes 4
memory 512
distance 10 16 16 22
distance 16 10 22 16
distance 16 22 10 16
distance 22 16 16 10
boot-seconds 120
"""
PROCESSORS = "0-3,5-8,10-13,15-18"
WATCHERS = 4
FILE = "numa-watching.csv"
PLACE = "memory-watching"
WORDS = {"STREAM": ["--csv", "--serial", "1", "16", "65536", "60"], "heat": ["--csv", "--serial", "1", "16", "64"]}
WAYS = ("alone", "watched")
KEY = ("program", "way", "round")
QUANTITIES = ("user_instructions", "kernel_instructions")
# The program inherits the watcher's mask, so the watcher gets its own mask a second later.
JOB = f"""echo 1 >/proc/sys/kernel/numa_balancing
echo never >/sys/kernel/mm/transparent_hugepage/enabled
way=$1 command=$2
shift 2
[ $way = watched ] || exec taskset -c {PROCESSORS} "$@"
taskset -c {PROCESSORS} "$command" memory --output /tmp/report -- "$@" &
watcher=$!
sleep 1
taskset -pc {WATCHERS} $watcher >&2
wait $watcher
"""


def plugin(work):
    built = work / "libinstructions.so"
    subprocess.run(["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-fPIC", "-shared", "-fvisibility=hidden",
                    common.BENCH / "access-counter" / "instructions.c", "-o", built], check=True)
    return built


def count(work, options, jobs, files):
    """Runs the jobs in one boot. Returns two counts of instructions for each job: user space and kernel. The processors of the watchers are
    not counted."""
    for name, text in (("machine", MACHINE), ("job.sh", JOB),
                       ("jobs", "".join(f"job{number}||{command}\n" for number, command in enumerate(jobs)))):
        (work / name).write_text(text, encoding="utf-8")
    csv = work / "instructions.csv"
    command = [common.BENCH.parent / "tests" / "guest" / "guest", "jobs", "--machine", work / "machine", "--cache", options.cache,
               "--results", work / "results", "--timeout", "300",
               "--qemu", "-plugin", "--qemu", f"file={plugin(work)},csv={csv}"]
    for name in (work / "job.sh", *files):
        command += ["--file", name]
    done = subprocess.run([*command, work / "jobs"], check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    totals = {}
    for line in csv.read_text(encoding="utf-8").splitlines():
        marker, processor, *instructions = map(int, line.split(","))
        if processor % 5 != WATCHERS:
            totals[marker] = [a + b for a, b in zip(totals.get(marker, [0, 0]), instructions)]
    # A program has a marker at the beginning of its counted part, and one at the end.
    return [totals[2 * number + 2] for number in range(len(jobs))]


def written(title, rows):
    """Returns the title, and a table with a row for each program."""
    runs = {}
    for row in rows:
        runs.setdefault((row["program"], row["way"]), []).append([int(row[name]) / 1e6 for name in QUANTITIES])

    def shown(counts):
        return f"{statistics.median(counts):.1f} ({min(counts):.1f} to {max(counts):.1f})"

    lines = []
    for program in WORDS:
        alone, watched = (runs[program, way] for way in WAYS)
        more = [100 * (sum(after) / sum(before) - 1) for before, after in zip(alone, watched)]
        lines.append([program, *(f"{statistics.median(user for user, _ in way):.0f}; {shown([kernel for _, kernel in way])}"
                                 for way in (alone, watched)), shown(more)])
    heads = ["", *(f"{way}: the program's; the kernel's" for way in WAYS), "all instructions: more if watched, %"]
    return {PLACE + "-title": title + ".", PLACE: table(heads, lines)}


def main():
    options = common.arguments(__doc__, rounds=5).parse_args()
    work = (options.work / "watching").resolve()
    work.mkdir(parents=True, exist_ok=True)
    build = options.build.resolve()
    programs = {"heat": build / "bin" / "heat", "STREAM": common.compiled("nested_stream", work, "-g", "-ffp-contract=off")["libgomp"]}
    command = build / "bin" / "nestbind"
    bound = [f"{name}={value}" for name, value in common.bound(build, SPECIFICATION).items()]
    keys = [(program, way, number) for number in range(options.rounds) for program in WORDS for way in WAYS]
    jobs = [" ".join(map(str, ["sh", work / "job.sh", way, command, "env", *bound, programs[program], *WORDS[program]]))
            for program, way, _ in keys]
    counts = count(work, options, jobs, [*programs.values(), command, *common.library_files(build), *libdw()])
    title = (f"{common.heading().replace('barcelona, 4 nodes of 4', '4 nodes of 5')}; 1x16 threads bound by {SPECIFICATION}; millions of instructions, "
             f"median (least to most) of {common.number_of_rounds(options.rounds)}")
    cells.write_runs(options.results / FILE, title, KEY, QUANTITIES, [[*key, *found] for key, found in zip(keys, counts)])
    title, rows = cells.read_runs(options.results / FILE)
    contents = written(title, rows)
    documents.put(memory_tables.DOCUMENT, contents)
    print(contents[PLACE])


if __name__ == "__main__":
    main()
