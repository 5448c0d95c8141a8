# SPDX-License-Identifier: BSD-3-Clause
"""Runs in the NUMA guest with the access counter: many jobs in one boot, each with its label."""

import pathlib
import shlex
import subprocess
import sys

import traffic

BENCH = pathlib.Path(__file__).resolve().parent.parent
COUNT = BENCH / "access-counter" / "count"
GUEST_CANNOT_BE = 77
MOST_LABELS = 256
BALANCING = "/proc/sys/kernel/numa_balancing"
HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled"
KERNEL = {BALANCING: "1", HUGE_PAGES: "always"}  # Debian's defaults, for every run anew


class Boot:
    """One boot of a machine of tests/guest."""

    def __init__(self, folder, cache, machine="barcelona"):
        self.folder = pathlib.Path(folder)
        self.cache = cache
        self.machine = machine
        self.jobs = []  # (key, command in the shell's syntax)
        self.files = []

    def add(self, key, environment, command, kernel=None):
        """Another counted run. `key` names it in the results; `kernel`: settings that are not the default."""
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
        """Returns the traffic and the output of each run, by key. Runs that failed are said, and missing.
        Where QEMU cannot be installed, it says so and ends the program with status 77."""
        self.folder.mkdir(parents=True, exist_ok=True)
        listing = self.folder / "jobs"
        listing.write_text("".join(f"job{label}||{line}\n" for label, (_, line) in enumerate(self.jobs)),
                           encoding="utf-8")
        matrix = self.folder / "traffic.csv"
        matrix.unlink(missing_ok=True)
        results = self.folder / "results"
        command = [COUNT, matrix, "jobs", "--machine", self.machine, "--cache", self.cache, "--results", results,
                   "--timeout", str(seconds), "--total", str(300 + 60 * len(self.jobs))]
        for name in dict.fromkeys(self.files):
            command += ["--file", name]
        print(f"counting {len(self.jobs)} runs in the guest", file=sys.stderr, flush=True)
        done = subprocess.run([*command, listing], stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode == GUEST_CANNOT_BE:
            print(done.stdout.strip())
            sys.exit(GUEST_CANNOT_BE)
        if not matrix.exists():
            raise RuntimeError(f"the guest has counted nothing: {done.stdout}")
        return self.collect(results, traffic.read(matrix))

    def collect(self, results, counted):
        found = {}
        for label, (key, _) in enumerate(self.jobs):
            status = results / f"job{label}.status"
            text = status.read_text(encoding="ascii").strip() if status.exists() else "none"
            if text != "0" or label not in counted:
                error = results / f"job{label}.err"
                said = error.read_text(encoding="utf-8", errors="replace")[-600:] if error.exists() else ""
                print(f"{key}: status {text}\n{said}", file=sys.stderr)
                continue
            found[key] = counted[label], (results / f"job{label}.out").read_text(encoding="utf-8")
        return found
