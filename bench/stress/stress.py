#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program `stress` with many seeds and mixes of episodes, with kept and with new workers. Records every run.

usage: stress.py [--regions N] [--minutes M] [--build FOLDER] [--results FOLDER]
"""

import argparse
import csv
import datetime
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
COMPETING = ("OMP_", "GOMP_", "KMP_", "NESTBIND_", "LD_PRELOAD")
HANG = 120  # seconds without a new region after which a process counts as hanging
COLUMNS = ("mix", "seed", "workers", "regions", "seconds", "signals", "digest", "end")


@dataclass(frozen=True)
class Mix:
    """The episodes of a process. stress.c explains the letters."""

    name: str
    spec: str
    episodes: str
    settings: dict
    regions: int  # regions of a run with kept workers only
    compared: int  # regions of a run that is repeated with new workers
    share: int  # how many of the rounds have this mix


MIXES = (
    Mix("pairs", "1,scatter,2,subcompact", "2" + "p" * 40 + "t" * 20 + "s", {}, 400000, 4000, 6),
    Mix("spinning pairs", "1,scatter,2,subcompact", "2" + "p" * 40 + "t" * 20 + "sd", {"OMP_WAIT_POLICY": "active"}, 400000, 4000, 6),
    Mix("sleeping", "1,scatter,4,subscatter", "1" + "p" * 20 + "t" * 20 + "sfd", {"OMP_WAIT_POLICY": "passive"}, 40000, 4000, 2),
    Mix("teams", "2,scatter,2,subcompact", "t" * 20 + "acfd", {"OMP_WAIT_POLICY": "passive"}, 20000, 4000, 3),
    Mix("cancelled", "2,scatter,3,subscatter", "t" * 20 + "acfd", {"OMP_CANCELLATION": "true"}, 20000, 4000, 3),
    Mix("apart", "3,compact,2,subcompact", "t" * 4 + "aaccfd", {"OMP_WAIT_POLICY": "passive", "OMP_CANCELLATION": "true"},
        10000, 4000, 2),
    Mix("limits", "1,scatter,3,subcompact", "1" + "t" * 20 + "lllsfd", {"OMP_WAIT_POLICY": "passive"}, 20000, 4000, 3),
    Mix("limits, spinning", "1,scatter,2,subcompact", "1" + "t" * 20 + "lllsd", {"OMP_WAIT_POLICY": "active"}, 20000, 4000, 2),
    Mix("libraries", "2,scatter,2,scatter", "tttdd", {"OMP_WAIT_POLICY": "passive"}, 4000, 2000, 1),
)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build", help="build folder (build/)")
    parser.add_argument("--results", type=pathlib.Path, default=HERE.parent / "results", help="folder for the record")
    parser.add_argument("--regions", type=float, default=10e6, help="regions in total (10e6)")
    parser.add_argument("--minutes", type=float, default=60, help="start no new process after this time (60)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first round (1)")
    parser.add_argument("--mix", action="append", default=[], help="only this mix; repeatable")
    parser.add_argument("--scale", type=float, default=1, help="factor for the number of regions of each run (1)")
    parser.add_argument("--more", action="store_true", help="add to the existing record; its regions count for --regions")
    parser.add_argument("--jobs", type=int, default=1, help="processes at once (1)")
    return parser.parse_args()


class Stage:
    """A folder with all files of a run, which any user may read. If possible, each run has its own user, because a limit on threads counts
    all threads of a user. The limit does not apply to root."""

    def __init__(self, build, folder):
        self.folder = pathlib.Path(folder)
        self.folder.chmod(0o755)
        build = build.resolve()
        (self.folder / "bin").mkdir()
        for name in ("bin/stress", "bin/libstress_library.so", "bin/nestbind"):
            shutil.copy(build / name, self.folder / name)
        shutil.copytree(build / "lib" / "nestbind", self.folder / "lib" / "nestbind")
        shutil.copy(build / "lib" / "libnestbind.so", self.folder / "lib")
        self.can_change_user = os.geteuid() == 0
        self.plans = {}

    def plan(self, spec):
        """Returns lines "OUTER INNER MASK..." from the output of `nestbind plan`, to check the masks."""
        if spec not in self.plans:
            command = [self.folder / "bin" / "nestbind", "plan", spec, "--format", "json"]
            text = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=plain_environment()).stdout
            threads = json.loads(text)["threads"]
            sizes = [1 + max(thread["path"][level] for thread in threads) for level in (0, 1)]
            masks = [f"{sum(1 << cpu for cpu in thread['cpus']):x}" for thread in sorted(threads, key=lambda t: t["path"])]
            self.plans[spec] = " ".join(map(str, sizes + masks))
        return self.plans[spec]


def plain_environment():
    return {name: value for name, value in os.environ.items() if not name.startswith(COMPETING)}


def waiting_threads(pid):
    """Returns the stacks of the threads of a process that hangs."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            found.append(f"{task.name} {(task / 'wchan').read_text()} {(task / 'syscall').read_text().strip()}")
        except OSError:
            pass
    if shutil.which("gdb"):
        command = ["gdb", "-q", "-batch", "-p", str(pid), "-ex", "thread apply all backtrace 12"]
        found.append(subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout)
    return "\n".join(found)


class Run:
    """A run of one process."""

    def __init__(self, stage, mix, seed, workers, regions, user):
        settings = {"OMP_NESTING_TEAM_SIZE": mix.spec, "NESTBIND_QUIET": "1", "NESTBIND_CACHE": "off",
                    "STRESS_PLAN": stage.plan(mix.spec), "LD_PRELOAD": str(stage.folder / "lib" / "libnestbind.so"),
                    "STRESS_LIBRARY": str(stage.folder / "bin" / "libstress_library.so")} | mix.settings
        if workers == "fresh":
            settings["NESTBIND_WORKERS"] = "fresh"
        who = {"user": user, "group": user, "extra_groups": []} if stage.can_change_user else {}
        episodes = mix.episodes if stage.can_change_user or os.geteuid() != 0 else mix.episodes.replace("l", "t")
        self.row = {"mix": mix.name, "seed": seed, "workers": workers, "regions": 0, "signals": 0, "digest": ""}
        self.last = time.monotonic()
        begin = time.monotonic()
        command = [stage.folder / "bin" / "stress", str(regions), str(seed), episodes]
        with subprocess.Popen(command, env=plain_environment() | settings, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=stage.folder, **who) as process:
            messages = []
            readers = [threading.Thread(target=self.read, args=[process.stdout]),
                       threading.Thread(target=lambda: messages.extend(process.stderr))]
            for reader in readers:
                reader.start()
            hang = self.watch(process)
            for reader in readers:
                reader.join()
        self.row["seconds"] = f"{time.monotonic() - begin:.1f}"
        self.row["end"] = "hang" if hang else {0: "good", 1: "wrong"}.get(process.returncode, f"status {process.returncode}")
        self.messages = "".join(messages) + hang

    def read(self, stream):
        for line in stream:
            words = line.split()
            if words[0] == "at" and int(words[1]) > self.row["regions"]:
                self.row["regions"] = int(words[1])
                self.last = time.monotonic()
            elif words[0] == "done":
                self.row |= {"regions": int(words[1]), "digest": words[3], "signals": int(words[7])}

    def watch(self, process):
        """If the process hangs, returns its stacks."""
        while True:
            try:
                process.wait(timeout=1)
                return ""
            except subprocess.TimeoutExpired:
                if time.monotonic() - self.last > HANG:
                    known = waiting_threads(process.pid)
                    process.kill()
                    return known


class Record:
    """The rows of the record, and the faults."""

    def __init__(self, path, more):
        self.path = path
        self.notes = []
        self.rows = []
        if more:
            lines = path.read_text(encoding="utf-8").splitlines()
            self.notes = [line for line in lines if line.startswith("#")]
            self.rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        self.faults = []
        self.lock = threading.Lock()

    def add(self, run):
        with self.lock:
            self.rows.append(run.row)
            print(*(run.row[name] for name in COLUMNS), sep=", ", flush=True)
            if run.row["end"] != "good":
                self.faults.append(run.row)
                print(run.messages, flush=True)

    def compare(self, kept, fresh):
        if kept.row["digest"] != fresh.row["digest"]:
            with self.lock:
                self.faults.append(kept.row)
                print(f"masks differ: kept {kept.row['digest']}, fresh {fresh.row['digest']}", flush=True)

    def regions(self):
        return sum(int(row["regions"]) for row in self.rows)

    def write(self, note):
        with open(self.path, "w", encoding="utf-8", newline="") as file:
            file.writelines(f"{line}\n" for line in [*self.notes, f"# {note}"])
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows)


def rounds(arguments):
    """Yields (mix, seed, is_compared), endlessly."""
    chosen = [mix for mix in MIXES if not arguments.mix or mix.name in arguments.mix]
    mixes = [mix for turn in range(max(mix.share for mix in chosen)) for mix in chosen if turn < mix.share]
    number = arguments.seed
    while True:
        for mix in mixes:
            yield mix, number, number % 3 == 0
            number += 1


def main():
    arguments = parse_arguments()
    record = Record(arguments.results / "stress.csv", arguments.more)
    begin = time.monotonic()
    work = rounds(arguments)
    work_lock = threading.Lock()

    def is_over():
        return time.monotonic() - begin > 60 * arguments.minutes or record.regions() >= arguments.regions

    def work_on(stage, job):
        user = 60000 + 1000 * job
        while not is_over():
            with work_lock:
                mix, seed, is_compared = next(work)
            # Threads of the last run perhaps still exist. A new user has a new limit on threads.
            user += 1
            regions = int(arguments.scale * (mix.compared if is_compared else mix.regions))
            kept = Run(stage, mix, seed, "kept", regions, user)
            record.add(kept)
            if is_compared:
                fresh = Run(stage, mix, seed, "fresh", regions, user + 500)
                record.add(fresh)
                record.compare(kept, fresh)

    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(arguments.build, folder)
        jobs = [threading.Thread(target=work_on, args=[stage, job]) for job in range(arguments.jobs)]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="minutes")
    record.write(f"{now}, {os.cpu_count()} processors, Linux {platform.release()}, load average "
                 f"{os.getloadavg()[2]:.1f}, {time.monotonic() - begin:.0f} s: {record.regions()} regions in "
                 f"{len(record.rows)} runs, {len(record.faults)} wrong")
    print(f"{record.regions()} regions in {len(record.rows)} runs, {time.monotonic() - begin:.0f} s, "
          f"{len(record.faults)} wrong")
    return 1 if record.faults else 0


if __name__ == "__main__":
    sys.exit(main())
