# SPDX-License-Identifier: BSD-3-Clause
"""The common parts of the test runners: options, a clean environment, processes with a time limit, and a line for each test."""

import argparse
import ctypes
import functools
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

# The first letters of variables that decide where threads run, or how they wait.
COMPETING = ("OMP_", "GOMP_", "KMP_", "GOACC_", "LIBOMP", "NESTBIND_", "LD_PRELOAD")
SKIPPED = 77  # exit status
HANGS = 124  # exit status of a process that has used up its time
CALLS = {"mbind": 237, "move_pages": 279}  # x86-64
MOST_LINES = 12  # how many lines of a test's faults are shown


def parser(doc, folder="build tree or installed prefix", without=()):
    """Returns an argument parser with the options of every runner. The first line of `doc` says what the runner does. The parser leaves out
    the options in `without`."""
    made = argparse.ArgumentParser(description=doc.splitlines()[0])
    made.add_argument("folder", help=folder)
    options = {
        "--build": {"default": "", "help": "where programs are compiled (default: in FOLDER)"},
        "--case": {"action": "append", "default": [], "help": "only tests whose name has this; repeatable"},
        "--all": {"action": "store_true", "help": "also run what CI leaves out: see the README"},
        "--jobs": {"type": int, "default": min(16, 4 * (os.cpu_count() or 1)),
                   "help": "programs at once (default: four for each processor, because most of them mostly sleep)"},
    }
    for name in (name for name in options if name not in without):
        made.add_argument(name, **options[name])
    return made


def environment(**settings):
    """Returns this process's environment without the variables in COMPETING, and with these settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith(COMPETING)} | settings


def run(command, patience=60, **more):
    """Returns a command's exit status, standard output and standard error. The status is HANGS after `patience` seconds."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=patience, check=False, **more)
    except subprocess.TimeoutExpired as hang:
        return HANGS, (hang.stdout or b"").decode(errors="replace"), "hangs\n"
    return done.returncode, done.stdout, done.stderr


@functools.cache
def refusal(call):
    """Returns the reason why this machine refuses a system call, or an empty text. The call that this function makes has no effect."""
    kernel = ctypes.CDLL(None, use_errno=True)
    if kernel.syscall(CALLS[call], 0, 0, 0, 0, 0, 0) == 0:
        return ""
    return f"{call} is refused here: {os.strerror(ctypes.get_errno())}"


class Results:
    """Prints a line for each test, a line for each of its faults, and a last line with the numbers."""

    def __init__(self):
        self.begin = time.monotonic()
        self.failed = 0
        self.passed = 0
        self.skipped = set()

    def show(self, name, wrong):
        """`wrong` is a list of lines, which is empty if the test has passed."""
        self.failed += bool(wrong)
        self.passed += not wrong
        lines = [str(line) for line in wrong]
        more = [f"and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
        print("\n       ".join([f"FAIL {name}" if wrong else f"ok   {name}"] + lines[:MOST_LINES] + more), flush=True)

    def skip(self, name, reason):
        """Reports that a test is not run. Prints a repeated reason only once."""
        if (name, reason) not in self.skipped:
            self.skipped.add((name, reason))
            print(f"not run {name}: {reason}", flush=True)

    def show_each(self, test, things, jobs):
        """Runs `test` on each of `things`. `test` returns a name and a list of faults."""
        with ThreadPoolExecutor(jobs) as pool:
            for name, wrong in pool.map(test, things):
                self.show(name, wrong)

    def seconds(self):
        return time.monotonic() - self.begin

    def close(self, *notes):
        """Prints `notes` and the last line. Returns the exit status: success if no test failed and at least one passed."""
        for note in notes:
            print(note)
        print(f"{self.passed} passed, {self.failed} failed in {self.seconds():.0f} s", flush=True)
        return 1 if self.failed or not self.passed else 0
