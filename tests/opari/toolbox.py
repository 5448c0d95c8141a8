# SPDX-License-Identifier: BSD-3-Clause
"""What all checks need: the command, the library, and a working folder."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass

import builds
import running
import variant as variants

SOURCES = os.path.join(builds.HERE, "sources")
MACHINES = os.path.join(os.path.dirname(builds.HERE), "machines")
PATIENCE = 300


@dataclass
class Toolbox:
    instrument: str
    library: variants.Library
    opari1: str
    folder: str

    def work(self, name):
        """Returns a new empty folder."""
        path = os.path.join(self.folder, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return path

    def opari1_options(self, state="opari.rc"):
        return ["--opari1", "--opari", os.path.join(self.opari1, "usr/bin/opari"), "--rc", state]

    def run(self, command, cwd, bound=None, machine=None, env=None):
        """If `bound` is given, the library is preloaded, and `bound` is the specification."""
        settings = running.environment(LC_ALL="C", OMP_WAIT_POLICY="passive")
        prefix = []
        if bound is not None:
            prefix = ["env", "LD_PRELOAD=" + self.library.preload]
            if bound:
                settings["OMP_NESTING_TEAM_SIZE"] = bound
        if machine:
            settings["NESTBIND_MACHINE"] = os.path.join(MACHINES, machine + ".xml")
        settings.update(env or {})
        if "/" in command[0] and not os.path.exists(os.path.join(cwd, command[0])):
            return subprocess.CompletedProcess(command, 127, "", f"{command[0]} was not made\n")
        return subprocess.run(prefix + command, cwd=cwd, env=settings, capture_output=True, text=True,
                              timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL, errors="replace")

    def compile(self, arguments, cwd, own=()):
        """Runs nestbind-instrument, which must succeed."""
        result = self.run([self.instrument] + list(own) + arguments, cwd)
        if result.returncode != 0:
            raise variants.BuildError(" ".join(arguments) + "\n" + result.stdout + result.stderr)
        return result


def rows(output):
    """Returns {(label, path): processors}."""
    found = {}
    for line in output.splitlines():
        words = line.split(" ")
        if line.startswith("@ ") and len(words) == 6:
            found[(words[1], words[2])] = words[5]
    return found


def expect(what, got, wanted):
    """Returns lines that show the difference, or an empty list if both are equal."""
    return [] if got == wanted else [f"{what}: expected {wanted!r}", f"got {got!r}"]


def expect_match(what, text, pattern):
    return [] if re.search(pattern, text, re.M) else [f"{what}: no match of {pattern!r} in {text.strip()[:800]!r}"]


def path_of(name):
    return os.path.join(SOURCES, name)
