# SPDX-License-Identifier: BSD-3-Clause
"""Compares `nestbind plan` in the guest, `nestbind plan` on the host with the guest's XML, and the kernel's masks."""

import json
import shlex
import subprocess
from collections import defaultdict

import path  # noqa: F401
import case as cases

# In these programs all teams have the specification's sizes.
PLAIN = ("script", "fscript")
CHANGING = ("spec=", "threads=", "levels=")


def is_plain(case):
    return (bool((case.spec or "").strip()) and "*" not in case.spec and case.spec != "auto" and case.status == 0 and case.run[0] in PLAIN
            and not any(word.startswith(CHANGING) for word in case.run)
            and not any(case.env.get(name) for name in ("NESTBIND_TEAM_SIZES", "NESTBIND_MACHINE", "NESTBIND_ORDER")))


class Plans:
    """Makes the plans for the cases of a boot. Cases with the same mask, specification and options share a plan."""

    def __init__(self, command, boot, runner):
        self.command = command
        self.boot = boot
        self.runner = runner
        self.names = {}

    def key(self, case):
        options = tuple(f"{key}={value}" for key, value in case.env.items() if key.startswith("NESTBIND_SMT"))
        return " ".join(self.runner.restriction(case)), case.spec, options

    def add(self, case):
        """Adds a job that plans for the case, if no other case has the same plan."""
        key = self.key(case)
        if not is_plain(case) or key in self.names:
            return
        name = f"plan-{len(self.names):03d}"
        self.names[key] = name
        line = self.runner.restriction(case) + ["env"] + list(key[2])
        line += [self.command, "plan", "--format", "json", case.spec]
        self.boot.add(name, "exec " + shlex.join(line))

    def outside(self, case):
        """Makes the plan on the host, from the output of the guest's lstopo."""
        mask = ",".join(map(str, self.runner.chosen(case)))
        options = [word for setting in self.key(case)[2] for word in ("--smt", setting.partition("=")[2])]
        command = [self.command, "plan", "--format", "json", "--topology", self.boot.path("lstopo.xml")]
        words = case.cpus.split()
        options += ["--quota", words[1]] if words[:1] == ["quota"] else []
        done = subprocess.run(command + ["--cpus", mask] + options + [case.spec], capture_output=True, text=True,
                              check=False)
        return done.stdout, done.stderr

    def inside(self, case):
        result = self.boot.result(self.names[self.key(case)])
        return None if result is None else result[1]

    def compare(self, every_case):
        """Yields (name, what is wrong) for each plan."""
        seen = set()
        for case in every_case:
            if not is_plain(case) or self.key(case) in seen:
                continue
            seen.add(self.key(case))
            inside = self.inside(case)
            outside, error = self.outside(case)
            name = " ".join(word for word in (self.boot.machine, self.key(case)[0], *self.key(case)[2], case.spec) if word)
            wrong = []
            if not inside or inside != outside:
                wrong = [f"in the guest: {inside}", f"outside: {outside}{error}"]
            yield f"plan {name}", wrong

    def disagreements(self, case, out):
        """Rows of unbound threads are not compared. If the teams have other sizes than in the plan, their rows are not compared."""
        plan = json.loads(self.inside(case) or '{"threads": []}')
        planned = {".".join(map(str, thread["path"])): thread["cpus"] for thread in plan["threads"]}
        sizes = team_sizes(planned)
        unbound = {".".join(map(str, thread["path"])) for thread in plan["threads"] if not thread.get("bound", True)}
        wrong = []
        compared = 0
        for line in out.splitlines():
            words = line.split(" ")
            if not line.startswith("@ ") or len(words) != 6 or sizes.get(words[2]) != words[3] or words[2] in unbound:
                continue
            compared += 1
            if cases.cpu_set(words[5], {}) != frozenset(planned[words[2]]):
                wrong.append(f"{words[2]}: the kernel has {words[5]}, the plan {planned[words[2]]}")
        return wrong, compared


def team_sizes(paths):
    """Returns the sizes of the teams that contain each thread. For example, the thread "0.1" may have the sizes "4.2"."""
    members = defaultdict(set)
    for name in paths:
        numbers = name.split(".")
        for level in range(len(numbers)):
            members[".".join(numbers[:level])].add(numbers[level])
    result = {}
    for name in paths:
        numbers = name.split(".")
        result[name] = ".".join(str(len(members[".".join(numbers[:level])])) for level in range(len(numbers)))
    return result
