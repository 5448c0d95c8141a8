# SPDX-License-Identifier: BSD-3-Clause
"""Boots the NUMA guest (../guest) once, and runs many commands in it."""

import os
import shutil
import subprocess

import path
import running

GUEST = os.path.join(path.TESTS, "guest", "guest")
COMMANDS_A_JOB = 20
AT_ONCE = 4


class GuestSkipped(Exception):
    """Says that QEMU is not available."""


def parser(doc, without=()):
    made = running.parser(doc, "build tree", ("--jobs", *without))
    made.add_argument("--cache", default=os.path.join(os.path.dirname(path.TESTS), "build", "guest"),
                      help="the guest's packages and image (build/guest)")
    return made


class Boot:
    """Collects commands, runs them in one boot, and returns their results."""

    def __init__(self, machine, folder, cache):
        self.machine = machine
        self.folder = folder
        self.cache = cache
        self.commands = {}
        self.seconds = {}  # time limits of commands that may take longer than others
        self.groups = {}  # groups of commands that run at the same time
        self.files = []
        self.qemu = []
        self.commands_a_job = COMMANDS_A_JOB
        self.found = {}

    def add(self, name, command, seconds=None, group=None):
        """Adds a command, in the shell's syntax. AT_ONCE consecutive commands of one `group` run at the same time, and must not disturb
        each other. The variable SEAT numbers these commands from 0."""
        if name in self.commands:
            raise ValueError(f"two commands have the name {name}")
        self.commands[name] = command
        if seconds is not None:
            self.seconds[name] = seconds
        if group is not None:
            self.groups[name] = group

    def need(self, *files):
        """Names files and folders that the commands open."""
        self.files += [os.path.abspath(name) for name in files if name not in self.files]

    def batches(self, names):
        """Returns lists of commands that run at the same time."""
        batches = []
        group = None
        for name in names:
            own = self.groups.get(name)
            if own is None or own != group or len(batches[-1]) == AT_ONCE:
                batches.append([])
            batches[-1].append(name)
            group = own
        return batches

    def write_job(self, number, names, seconds):
        script = os.path.join(self.folder, "scripts", f"job{number:03d}")
        with open(script, "w", encoding="utf-8") as out:
            for batch in self.batches(names):
                for seat, name in enumerate(batch):
                    result = f"$GUEST_FILES/{name}"
                    out.write(f"cat >/tmp/command{seat} <<'END'\n{self.commands[name]}\nEND\n")
                    out.write(f'(SEAT={seat} timeout -s KILL {self.seconds.get(name, seconds)} sh /tmp/command{seat} '
                              f'>"{result}.out" 2>"{result}.err" </dev/null; echo $? >"{result}.status") &\n')
                out.write("wait\n")
        return script

    def run(self, seconds, total=0):
        """Boots and runs all commands. `seconds` is the time limit for each command."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "scripts"))
        names = list(self.commands)
        parts = [names[start:start + self.commands_a_job] for start in range(0, len(names), self.commands_a_job)]
        listing = os.path.join(self.folder, "jobs")
        with open(listing, "w", encoding="utf-8") as out:
            for number, part in enumerate(parts):
                out.write(f"job{number:03d}||sh {self.write_job(number, part, seconds)}\n")
        # AT_ONCE of the long commands run at the same time.
        longest = max(self.seconds.values(), default=0) + sum(self.seconds.values()) // AT_ONCE
        arguments = [GUEST, "jobs", "--machine", self.machine, "--results", self.folder, "--cache", self.cache,
                     "--timeout", str(seconds + longest + 10 * COMMANDS_A_JOB),
                     "--total", str(total or 120 + longest + 4 * len(names))]
        for option in self.qemu:
            arguments += ["--qemu", option]
        for name in dict.fromkeys(self.files + [os.path.join(self.folder, "scripts")]):
            arguments += ["--file", name]
        done = subprocess.run(arguments + [listing], stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode == running.SKIPPED:
            raise GuestSkipped(done.stdout.strip() or "SKIP: NUMA guest")
        if not os.path.exists(self.path("finished")):
            print(f"the guest {self.machine} ended too early; the results that came back are judged", flush=True)
        for number, part in enumerate(parts):
            self.found.update({name: self.path(f"job{number:03d}.files/{name}") for name in part})

    def path(self, name):
        return os.path.join(self.folder, name)

    def result(self, name):
        """Returns the exit status (124 if the time was over), the standard output and the standard error output. Returns None if the
        command did not run."""
        where = self.found[name]
        status = text_of(where + ".status").strip()
        if not status:
            return None
        return 124 if status == "137" else int(status), text_of(where + ".out"), text_of(where + ".err")


def text_of(name):
    """Returns the text of a file."""
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""
