# SPDX-License-Identifier: BSD-3-Clause
"""What the runners of tests have in common: their options, a clean environment, processes with a limit, and a line for each test."""

import argparse
import ctypes
import functools
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

# Variables that say where threads go, or how they wait.
COMPETING = ("OMP_", "GOMP_", "KMP_", "GOACC_", "LIBOMP", "NESTBIND_", "LD_PRELOAD")
SKIPPED = 77  # exit status
HANGS = 124  # of a process whose time is over
CALLS = {"mbind": 237, "move_pages": 279}  # x86-64
MOST_LINES = 12  # that are shown of what is wrong with one test


def parser(doc, folder="build tree or installed prefix", without=()):
    """The options of every runner, less those that this one has no use for; the first line of its text says what it does."""
    made = argparse.ArgumentParser(description=doc.splitlines()[0])
    made.add_argument("folder", help=folder)
    options = {
        "--build": {"default": "", "help": "where programs are compiled (default: in FOLDER)"},
        "--case": {"action": "append", "default": [], "help": "only tests whose name has this; repeatable"},
        "--all": {"action": "store_true", "help": "what is left out in CI, too: the README says what"},
        "--jobs": {"type": int, "default": min(16, 4 * (os.cpu_count() or 1)),
                   "help": "at once (four for each processor: most of them sleep most of the time)"},
    }
    for name in (name for name in options if name not in without):
        made.add_argument(name, **options[name])
    return made


def environment(**settings):
    """This process's own, less what competes, and these."""
    return {name: value for name, value in os.environ.items() if not name.startswith(COMPETING)} | settings


def run(command, patience=60, **more):
    """Exit status (HANGS after `patience` seconds), standard output and standard error."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=patience, check=False, **more)
    except subprocess.TimeoutExpired as hang:
        return HANGS, (hang.stdout or b"").decode(errors="replace"), "hangs\n"
    return done.returncode, done.stdout, done.stderr


@functools.cache
def refusal(call):
    """Why this machine does not allow a call of the kernel, as a filter of a container does; nothing if it does. The call asks for nothing."""
    kernel = ctypes.CDLL(None, use_errno=True)
    if kernel.syscall(CALLS[call], 0, 0, 0, 0, 0, 0) == 0:
        return ""
    return f"{call} is refused here: {os.strerror(ctypes.get_errno())}"


class Results:
    """Of each test a line, and what is wrong with it as lines; at the end the closing line and the exit status."""

    def __init__(self):
        self.begin = time.monotonic()
        self.failed = 0
        self.passed = 0
        self.skipped = set()

    def show(self, name, wrong):
        """`wrong`: lines; none if the test has passed."""
        self.failed += bool(wrong)
        self.passed += not wrong
        lines = [str(line) for line in wrong]
        more = [f"and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
        print("\n       ".join([f"FAIL {name}" if wrong else f"ok   {name}"] + lines[:MOST_LINES] + more), flush=True)

    def skip(self, name, reason):
        """Once for each."""
        if (name, reason) not in self.skipped:
            self.skipped.add((name, reason))
            print(f"not run {name}: {reason}", flush=True)

    def show_each(self, test, things, jobs):
        """`test` makes (name, wrong) of a thing; several at once, shown in order."""
        with ThreadPoolExecutor(jobs) as pool:
            for name, wrong in pool.map(test, things):
                self.show(name, wrong)

    def seconds(self):
        return time.monotonic() - self.begin

    def close(self, *notes):
        """The exit status: nothing that failed, and something that passed. `notes` come before the closing line."""
        for note in notes:
            print(note)
        print(f"{self.passed} passed, {self.failed} failed in {self.seconds():.0f} s", flush=True)
        return 1 if self.failed or not self.passed else 0
