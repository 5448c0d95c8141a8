# SPDX-License-Identifier: BSD-3-Clause
"""Asks the planner where the members of a team are, by the program planned.cpp."""

import subprocess
import threading
from dataclasses import dataclass

from toolbox import HERE, ROOT


class Planner:
    """A process that knows only the planner (planned.cpp). It answers for one machine."""

    def __init__(self, program, library, machine, smt):
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen([program, library.planner, machine, str(smt)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lock = threading.Lock()
        self.plans = {}
        self.answers = {}

    def ask(self, line):
        with self.lock:
            if line not in self.answers:
                self.process.stdin.write(line + "\n")
                self.process.stdin.flush()
                self.answers[line] = self.process.stdout.readline().strip()
                if not self.answers[line]:
                    raise RuntimeError(f"the planner does not answer {line!r}")
            return self.answers[line]

    def plan(self, *words):
        """Returns the number of a plan."""
        with self.lock:
            if words not in self.plans:
                self.plans[words] = len(self.plans)
                self.process.stdin.write(" ".join(map(str, (words[0], self.plans[words], *words[1:]))) + "\n")
            return self.plans[words]

    def team(self, plan, path, size):
        steps = " ".join(f"{number}/{of}" for number, of in path)
        return [Place.read(word) for word in self.ask(f"team {plan} {size} {steps}").split()]

    def part(self, parts, index, mask, specification):
        return self.ask(f"part {parts} {index} {mask} {specification}")

    def share(self, plan, path):
        steps = " ".join(f"{number}/{of}" for number, of in path)
        return len(self.ask(f"share {plan} {steps}").split(","))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


@dataclass(frozen=True)
class Place:
    pinned: bool
    core: int
    cpus: str

    @staticmethod
    def read(word):
        pinned, core, cpus = word.split(":")
        return Place(pinned == "1", int(core), cpus)


class Planners:
    """A process for each machine."""

    def __init__(self, library, folder):
        self.library, self.program = library, folder / "planned"
        self.begun, self.lock = {}, threading.Lock()
        sources = [HERE / "planned.cpp", *sorted((ROOT / "lib/common/spec").glob("*.cpp")), ROOT / "lib/common/mask/cpu_list.cpp"]
        folders = [f"-I{ROOT / name}" for name in ("lib", "lib/common", "lib/planner", "include")]
        subprocess.run(["g++", "-std=c++20", "-O1", *folders, *sources, "-o", self.program, "-ldl"], check=True)

    def get(self, machine, smt=0):
        with self.lock:
            if (machine, smt) not in self.begun:
                self.begun[machine, smt] = Planner(self.program, self.library, machine, smt)
            return self.begun[machine, smt]

    def close(self):
        for planner in self.begun.values():
            planner.close()
