# SPDX-License-Identifier: BSD-3-Clause
"""Makes a job of the NUMA guest from a case of the matrix."""

import os
import shlex

import path  # noqa: F401  (the matrix's and OPARI's modules)
import case as cases
import runner as matrix
import running

# The processors for cases with "here 2".
PROCESSORS_OF_HERE = {"barcelona": (5, 9)}
# In these ways only the first process reads the machine, and the other processes use the cache.
CACHED = ("gcc-libgomp-preload", "clang19-libomp-preload")
KEPT = running.COMPETING + ("LD_", "LC_")


class GuestRunner(matrix.Runner):
    """Runs cases in the guest's shell, on the guest's processors."""

    def __init__(self, library, folder, machine, processors, wheels):
        super().__init__(library, folder)
        self.machine = machine
        self.processors = range(processors)
        self.allowed = list(PROCESSORS_OF_HERE.get(machine, ()))
        self.wheels = wheels

    def runs(self, case):
        """True if the case is for this guest's machine."""
        return case.machine == self.machine or (case.kernel and case.processors <= len(self.allowed))

    def mask(self, case):
        """Returns the processors of the process. The case has them in a form like "0-8,12" or "cpuset 0-8 0,1"."""
        words = case.cpus.split()
        if words[:1] == ["cpuset"]:
            return sorted(cases.cpu_set(words[1], {}))
        if words and words[0] not in ("pids", "quota") and not case.kernel:
            return sorted(cases.cpu_set(words[0], {}))
        return list(self.processors)

    def chosen(self, case):
        return super().chosen(case) if case.kernel else self.mask(case)

    def names(self, case):
        return super().names(case) if case.kernel else {"all": self.mask(case)}

    def environment(self, variant, case):
        """Returns the variables of the case, without this process's own environment."""
        env = super().environment(variant, case)
        env.pop("NESTBIND_MACHINE", None)
        env = {key: value for key, value in env.items() if key.startswith(KEPT)}
        if variant.name in CACHED:
            env["NESTBIND_CACHE"] = "/tmp/nestbind-cache"
        env.update({key: self.fill(variant, case, value) for key, value in case.env.items() if value})
        return dict(env, PATH="/usr/sbin:/usr/bin:/sbin:/bin")

    def restriction(self, case):
        """Returns the words of the command line before the program."""
        words = case.cpus.split()
        if not case.kernel and words[:1] == ["cpuset"]:
            return ["in-cpuset", words[1], words[2]]
        if words[:1] == ["pids"]:
            return ["in-limit", "pids.max", words[1]]
        if words[:1] == ["quota"]:
            return ["in-limit", "cpu.max", f"{int(100000 * float(words[1]))} 100000"]
        if len(self.chosen(case)) == len(self.processors):
            return []
        return ["taskset", "-c", ",".join(map(str, self.chosen(case)))]

    def command(self, variant, case):
        """Returns a line for the guest's shell."""
        settings = dict(self.environment(variant, case), **getattr(variant, "env", {}))
        words = [self.fill(variant, case, word) for word in case.run]
        line = self.restriction(case) + ["env", "-i"]
        line += [f"{key}={value}" for key, value in settings.items()]
        line += [os.path.join(variant.folder, words[0])] + words[1:]
        return "cd " + shlex.quote(self.folder) + "; exec " + shlex.join(line)
