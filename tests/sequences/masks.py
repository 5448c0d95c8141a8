# SPDX-License-Identifier: BSD-3-Clause
"""Threads and processes that set masks, on this machine. The masks of teams are compared with the planner's answer for the mask that the
contract names. Helper threads, child processes, omp_get_num_procs and sched_getaffinity are compared with a run without nestbind."""

import os
import random
import threading
from dataclasses import dataclass, replace

import toolbox
from planner import Planners
from toolbox import Line, running

SPECIFICATIONS = ("auto", "auto", "2,scatter", "2,compact,2,subcompact", "3,scatter")
CHILDREN = 4  # ways to create a process


# --- What is random -------------------------------------------------------------------------------

def draw_questions(draw):
    return [draw.choice((Line("h"), Line("c", draw.randrange(CHILDREN)), Line("q"), Line("g"))) for _ in range(draw.randint(1, 2))]


def draw_inside(draw):
    """A thread asks for its own mask only outside of regions: inside it gets the real one."""
    return [line for line in draw_questions(draw) if line.kind != "g"]


def draw_block(draw, masks, pins):
    lines = []
    for _ in range(draw.randint(1, 3)):
        kind = draw.random()
        if kind < 0.35 and pins:
            lines.append(Line("m", draw.randrange(2), draw.choice(masks)))
        if kind < 0.7:
            lines.append(Line("f", draw.choice((2, 2, 3, 4)), blocks=[draw_inside(draw) for _ in range(draw.randint(1, 2))] if draw.random() < 0.4 else []))
        lines += draw_questions(draw) if draw.random() < 0.7 else []
    return lines


def draw_script(draw, masks):
    """The thread that forks first owns the plan. Its mask is the machine of all roots, so it sets one only if it is alone."""
    first, *others = draw.sample(range(3), draw.choice((1, 2, 2, 3)))
    lines = [Line("t", first, blocks=[[Line("f", 2), *draw_questions(draw)]])]
    for _ in range(draw.randint(2, 8)):
        thread = draw.choice([first, *others])
        kind = draw.random()
        if kind < 0.12 and thread in others and thread != 0:
            lines.append(Line("e", thread))
        elif kind < 0.3 and others:
            for together in sorted((first, draw.choice(others)), reverse=True):
                lines.append(Line("p", together, blocks=[draw_questions(draw)]))
            lines.append(Line("w"))
        else:
            lines.append(Line("t", thread, blocks=[draw_block(draw, masks, thread in others or not others)]))
    return lines


@dataclass
class Sequence:
    variant: str
    specification: str
    divides: bool
    start: int  # the mask of the process
    settings: dict
    lines: list


def draw_sequence(seed, variants, count):
    draw = random.Random(f"masks {seed}")
    every = (1 << count) - 1
    start = every if draw.random() < 0.85 else draw.randint(1, every)
    masks = [mask for mask in range(1, every + 1) if mask & start == mask] + [start]
    specification = draw.choice(SPECIFICATIONS)
    settings = {"OMP_WAIT_POLICY": "passive", "NESTBIND_QUIET": "1"}
    divides = specification == "auto"
    if draw.random() < 0.3:
        divides = draw.random() < 0.5
        settings["NESTBIND_ROOTS"] = "divide" if divides else "first"
    settings |= {"NESTBIND_WORKERS": "fresh"} if draw.random() < 0.3 else {}
    return Sequence(draw.choice(variants), specification, divides, start, settings, draw_script(draw, masks))


# --- The independent answer -----------------------------------------------------------------------

class Expected:
    def __init__(self, sequence, cpus, planner, seen, plain):
        self.sequence, self.cpus, self.planner, self.seen, self.plain = sequence, cpus, planner, seen, plain
        self.masks = {}  # of threads that have set one, other than the process's
        self.pinned = set()  # threads that have ever set a mask
        self.roots = []  # in the order of their first forks; the first one owns the plan
        self.faults, self.checked, self.open = [], 0, 0

    def listed(self, mask):
        return ",".join(str(cpu) for i, cpu in enumerate(self.cpus) if mask & 1 << i)

    def number(self, listed):
        return sum(1 << self.cpus.index(int(cpu)) for cpu in listed.split(","))

    def walk(self):
        for line in self.sequence.lines:
            if line.kind == "e":
                self.masks.pop(line.numbers[0], None)
                self.roots = [root for root in self.roots if root != line.numbers[0]]
            for block in line.blocks:
                self.walk_block(line.numbers[0], block, is_root=True, is_primary=True)

    def walk_block(self, thread, block, is_root, is_primary):
        for line in block:
            if line.kind == "m":
                self.masks.pop(thread, None)
                self.pinned.add(thread)
                if line.numbers[1] != self.sequence.start:
                    self.masks[thread] = line.numbers[1]
            elif line.kind == "f" and is_root:
                if thread not in self.roots:
                    self.roots.append(thread)
                self.check_team(thread, line)
                for number, inner in enumerate(line.blocks):
                    self.walk_block(thread, inner, is_root=False, is_primary=number == 0)
            elif line.id in self.seen:
                self.check_question(thread, line, is_primary)

    def is_open(self, thread):
        """The mask of the plan's owner is the machine of all roots: what the other roots see then is left open."""
        # A thread that is created by a pinned thread begins with its mask, also without nestbind.
        begins_pinned = 0 in self.pinned and thread not in self.pinned
        return begins_pinned or (bool(self.roots) and self.roots[0] != thread and self.roots[0] in self.masks)

    def check_question(self, thread, line, is_primary):
        """Without nestbind, a primary thread has the mask that it has set, or that of the process. Which mask another member has there depends
        on its creation, so only members of roots without a mask are compared."""
        if self.is_open(thread) or (not is_primary and (thread in self.pinned or line.kind == "q")):
            self.open += 1
            return
        wanted = self.plain.get(line.id) if is_primary else [self.sequence.start]
        self.checked += 1
        # LLVM's runtime gives a pinned thread all processors at its first fork; with nestbind the thread may keep its mask.
        keeps = thread in self.masks and self.seen[line.id] == [self.masks[thread]]
        if self.seen[line.id] != wanted and not keeps:
            self.faults.append(f"line {line.id}, thread {thread}: {line.kind} {self.seen[line.id]}, expected {wanted}")

    def check_team(self, thread, line):
        seen = self.seen[line.id]
        answers = None if self.is_open(thread) else self.answers(thread, len(seen))
        if answers is None:
            self.open += 1
            return
        self.checked += 1
        if seen not in answers:
            self.faults.append(f"line {line.id}, thread {thread}: a team has the masks {seen}, expected {' or '.join(map(str, answers))}")

    def answers(self, thread, size):
        """Returns the possible masks of a team, or None if they are left open."""
        start = self.sequence.start
        mask = self.masks.get(thread)
        owns = self.roots[0] == thread
        if not self.sequence.divides:
            if owns:
                return [self.planned(start if mask is None else mask, size)]
            # nestbind leaves these teams to the runtime. libgomp's workers keep the mask from the first fork, and LLVM's runtime gives a
            # thread all processors at its first fork.
            return None if thread in self.pinned else [[start] * size]
        if mask is not None:
            # Several roots may have the same mask. On two processors they cannot divide it.
            alike = [root for root in self.roots if self.masks.get(root, start) & mask and root != thread and root in self.masks]
            return [self.planned(mask, size)] if not alike and bits(mask) >= size else [[mask] * size] if bits(mask) == 1 else None
        taken = 0
        for root in self.roots:
            taken |= self.masks.get(root, 0)
        left = start & ~taken or start
        parts = sum(root not in self.masks for root in self.roots)
        if parts == 1:
            # Whether what a mask leaves is a part of several is left open for teams that do not fit.
            return [self.planned(left, size)] if left == start or size <= bits(left) else None
        if left != start:
            return None
        pieces = [self.number(self.planner.part(parts, i, self.listed(left), self.sequence.specification)) for i in range(parts)]
        return [self.planned(piece, size) if size <= bits(piece) else [start] * size for piece in pieces]

    def planned(self, mask, size):
        plan = self.planner.plan("make", self.listed(mask), self.sequence.specification)
        return [self.number(place.cpus) for place in self.planner.team(plan, (), size)]


def bits(mask):
    return bin(mask).count("1")


# --- Running --------------------------------------------------------------------------------------

class Masks:
    def __init__(self, options, library, programs):
        self.options, self.library, self.programs = options, library, programs
        self.checked = self.open = 0
        self.cpus = sorted(os.sched_getaffinity(0))[:4]
        programs.compile("masks")
        self.planners = Planners(library, programs.folder)

    def run(self, seed, sequence):
        script, results = (self.programs.folder / f"masks-{seed}-{threading.get_ident()}.{name}" for name in ("script", "results"))
        script.write_text(toolbox.text_of(sequence.lines), encoding="utf-8")
        program = self.programs.program("masks", sequence.variant)
        variables = {**self.programs.environment(sequence.variant), **sequence.settings}
        ours = {"LD_PRELOAD": str(self.library.preload), "OMP_NESTING_TEAM_SIZE": sequence.specification}
        rows = []
        for more in ({}, ours):
            results.unlink(missing_ok=True)
            start = ",".join(str(cpu) for i, cpu in enumerate(self.cpus) if sequence.start & 1 << i)
            words = ["taskset", "-c", start, "env", *(f"{name}={value}" for name, value in {**variables, **more}.items())]
            status, err, is_fast = toolbox.timed_run([*words, program, script, results, *map(str, self.cpus)], running.environment())
            if status != 0:
                return [f"status {status}: {err.strip()[-500:]}"]
            if not is_fast:
                return []
            rows.append({int(line.split()[0]): list(map(int, line.split()[1:])) for line in results.read_text(encoding="utf-8").splitlines()})
        script.unlink()
        results.unlink()
        expected = Expected(sequence, self.cpus, self.planners.get("here"), rows[1], rows[0])
        expected.walk()
        self.checked += expected.checked
        self.open += expected.open
        return expected.faults

    def examine(self, seed):
        sequence = draw_sequence(seed, sorted(self.programs.variants), len(self.cpus))
        faults = self.run(seed, sequence)
        if not faults:
            return []
        fails = lambda lines: self.run(seed, replace(sequence, lines=lines))  # noqa: E731
        lines, faults = toolbox.shrunk(sequence.lines, fails) if self.options.shrinks() else (sequence.lines, faults)
        settings = " ".join(f"{name}={value}" for name, value in sequence.settings.items())
        before = f"{sequence.variant}, {sequence.specification}, started with mask {sequence.start}, {settings}"
        return toolbox.failure("masks", seed, self.options, before, lines, faults or ["does not fail again"])

    def close(self):
        self.planners.close()
        return f"{self.checked} masks compared, {self.open} left open"
