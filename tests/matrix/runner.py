# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program of a variant with a specification, on a described machine or on this machine."""

import os
import shutil

import running
import variant as variants

MACHINES = os.path.join(os.path.dirname(variants.HERE), "machines")
ORDERS = os.path.join(variants.HERE, "orders")
RULES = os.path.join(variants.HERE, "rules")
PATIENCE = 120  # seconds after which a program counts as hanging


def one_of_each_core(allowed):
    """Returns the allowed processors in the order of their use: first one processor of each core, then the other hardware threads."""
    first = []
    rest = []
    cores = set()
    for cpu in sorted(allowed):
        path = f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
        try:
            with open(path, encoding="ascii") as file:
                core = file.read().strip()
        except OSError:
            core = str(cpu)
        (rest if core in cores else first).append(cpu)
        cores.add(core)
    return first + rest


class Runner:
    """Runs the programs."""

    def __init__(self, library, folder):
        self.library = library
        self.folder = folder
        self.wheels = []
        self.allowed = one_of_each_core(os.sched_getaffinity(0))

    def chosen(self, case):
        """Returns the processors in the mask with which the case starts."""
        if not case.kernel:
            return self.allowed
        chosen = sorted(self.allowed[: case.processors])
        if case.cpus:
            names = self.names(case)
            chosen = sorted(set().union(*(names[name] for name in case.cpus.split())))
        return chosen

    def names(self, case):
        """Returns the meaning of names in a case's processor sets, for example {"all": ..., "first": ...}."""
        if not case.kernel:
            return {"all": self.machine_processors(case.machine)}
        own = sorted(self.allowed[: case.processors])
        names = {"all": own}
        for word, cpu in zip(("first", "second"), own):
            names[word] = [cpu]
        return names

    @staticmethod
    def machine_processors(machine):
        """Returns all processors of a described machine. Counts them itself, not with the library under test."""
        if ":" in machine:
            count = 1
            for part in machine.split():
                count *= int(part.partition(":")[2])
            return range(count)
        with open(os.path.join(MACHINES, machine + ".xml"), encoding="utf-8") as file:
            text = file.read()
        return [
            int(line.partition('os_index="')[2].partition('"')[0])
            for line in text.splitlines()
            if '<object type="PU"' in line
        ]

    def fill(self, variant, case, text):
        """Replaces words in braces, such as {mask}, in a text of a case."""
        names = self.names(case)
        other = "gcc-plain" if variant.compiler != "gcc" else "clang-19-plain"
        words = {
            "mask": os.path.join(variant.folder, "mask"),
            "plugin": os.path.join(variant.folder, "libplugin_library.so"),
            "work": os.path.join(variant.folder, "libwork_library.so"),
            "library": self.library.preload,
            "command": self.library.command,
            "folder": variant.folder,
            "other-work": os.path.join(self.folder, other, "libwork_library.so"),
            "tool": os.path.join(variant.folder, "libtool.so"),
            "disturber": os.path.join(variant.folder, "libdisturber.so"),
            "elsewhere": os.path.join(variant.folder, "libelsewhere_library.so"),
            "loops-library": os.path.join(variant.folder, "libloops_library.so"),
            "machines": MACHINES,
            "orders": ORDERS,
            "rules": RULES,
            "empty": "",
            "report": os.path.join(self.folder, "report-%p"),
            **{word: str(cpus[0]) for word, cpus in names.items() if word != "all"},
            **{f"wheel{i + 1}": path for i, path in enumerate(self.wheels)},
        }
        for word, value in words.items():
            text = text.replace("{" + word + "}", value)
        return text

    def environment(self, variant, case):
        # Waiting threads sleep, because most runs have more threads than the machine has processors.
        env = running.environment(OMP_WAIT_POLICY="passive", LC_ALL="C", **variant.env)
        if not variant.linked:
            env["LD_PRELOAD"] = self.library.preload
        paths = [variant.library_path] if variant.library_path else []
        env["LD_LIBRARY_PATH"] = ":".join(paths + [env.get("LD_LIBRARY_PATH", "")]).rstrip(":")
        if not case.kernel:
            described = case.machine if ":" in case.machine else os.path.join(MACHINES, case.machine + ".xml")
            env["NESTBIND_MACHINE"] = described
        if case.spec is not None:
            env["OMP_NESTING_TEAM_SIZE"] = case.spec
        for key, value in case.env.items():
            env[key] = self.fill(variant, case, value)
            if value == "":
                del env[key]
        return env

    def run(self, variant, case, before=(), env_changes=None):
        """Returns the exit status (124 for a hang), the standard output and the standard error."""
        words = [self.fill(variant, case, word) for word in case.run]
        program = os.path.join(variant.folder, words[0])
        env = dict(self.environment(variant, case), **(env_changes or {}))
        cpus = self.chosen(case)
        taskset = shutil.which("taskset") or "/usr/bin/taskset"
        # taskset sets the mask: this process must not set its own mask, because several of its threads start programs. `env` comes
        # after taskset in the command, so that only the program gets the preload.
        settings = [f"{key}={value}" for key, value in env.items()]
        narrow = [taskset, "-c", ",".join(map(str, cpus))] + list(before)
        command = narrow + ["/usr/bin/env", "-i"] + settings + [program] + words[1:]
        return running.run(command, PATIENCE, cwd=self.folder)
