# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs in the NUMA guest with the access counter."""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import traffic

BENCH = pathlib.Path(__file__).resolve().parent.parent
COUNT = BENCH / "access-counter" / "count"
GUEST_CANNOT_BE = 77
MOST_LABELS = 256
UNFINISHED = ("", "124")  # exit statuses: the guest ended before the run, or the run was stopped
BALANCING = "/proc/sys/kernel/numa_balancing"
HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled"
KERNEL = {BALANCING: "1", HUGE_PAGES: "always"}  # Debian's defaults; they are set before every run


class Boot:
    """One boot of a machine of tests/guest. If `with_lines` is true, also counts the cache lines that go between nodes."""

    def __init__(self, folder, cache, machine="barcelona", with_lines=False):
        self.with_lines = with_lines
        self.transfers = {}
        self.folder = pathlib.Path(folder)
        self.cache = cache
        self.machine = machine
        self.jobs = []  # (key, command in shell syntax)
        self.files = []

    def add(self, key, environment, command, kernel=None):
        """`key` is the run's name in the results. `kernel` has the kernel's settings that differ from the defaults."""
        if len(self.jobs) == MOST_LABELS:
            raise ValueError("too many runs for a boot")
        label = len(self.jobs)
        settings = dict(environment, ACCESS_COUNTER_LABEL=str(label))
        words = ["env"] + [f"{name}={value}" for name, value in settings.items()] + [str(word) for word in command]
        switches = [f"echo {value} >{file}; " for file, value in {**KERNEL, **(kernel or {})}.items()]
        self.jobs.append((key, "".join(switches) + f"exec {shlex.join(words)}"))

    def need(self, *files):
        self.files += [str(name) for name in files]

    def run(self, seconds):
        """Returns the traffic and the output of each run, by key. `seconds` is the time limit of each run. A run that was stopped runs once
        more in another boot."""
        found = {}
        labels = range(len(self.jobs))
        for patience in (seconds, 2 * seconds):
            self.boot(labels, patience)
            counted = traffic.read(self.matrix) if self.matrix.exists() else {}
            found.update(self.collect(labels, counted))
            if self.with_lines and self.matrix.exists():
                transfers = traffic.read_transfers(self.matrix, self.lines)
                self.transfers.update({self.jobs[label][0]: parts for label, parts in transfers.items()})
            labels = [label for label in labels if self.status(label) in UNFINISHED]
            if not labels:
                break
        return found

    @property
    def matrix(self):
        return self.folder / "traffic.csv"

    @property
    def lines(self):
        return self.folder / "lines.csv"

    def boot(self, labels, seconds):
        """Boots the guest, which runs the jobs."""
        results = self.folder / "results"
        shutil.rmtree(results, ignore_errors=True)
        results.mkdir(parents=True)
        self.matrix.unlink(missing_ok=True)
        listing = self.folder / "jobs"
        listing.write_text("".join(f"job{label}||{self.jobs[label][1]}\n" for label in labels), encoding="utf-8")
        command = [COUNT, self.matrix, "jobs", "--machine", self.machine, "--cache", self.cache, "--results", results,
                   "--timeout", str(seconds)]
        for name in dict.fromkeys(self.files):
            command += ["--file", name]
        print(f"counting {len(labels)} runs in the guest", file=sys.stderr, flush=True)
        environment = dict(os.environ, **({"ACCESS_COUNTER_LINES": str(self.lines)} if self.with_lines else {}))
        done = subprocess.run([*command, listing], env=environment, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode == GUEST_CANNOT_BE:
            print(done.stdout.strip())
            sys.exit(GUEST_CANNOT_BE)

    def text(self, label, kind):
        file = self.folder / "results" / f"job{label}.{kind}"
        return file.read_text(encoding="utf-8", errors="replace").strip() if file.exists() else ""

    def status(self, label):
        return self.text(label, "status")

    def collect(self, labels, counted):
        found = {}
        for label in labels:
            key = self.jobs[label][0]
            if self.status(label) == "0" and label in counted:
                found[key] = counted[label], self.text(label, "out")
            else:
                print(f"{key}: status {self.status(label) or 'none'}\n{self.text(label, 'err')[-600:]}", file=sys.stderr)
        return found
