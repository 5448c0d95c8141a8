# SPDX-License-Identifier: BSD-3-Clause
"""Pools of processes that fork teams. After each live process has forked once more, no two threads of different processes share a core; teams
that fit their part are bound, and teams that do not fit are not bound."""

import random
import threading
from dataclasses import dataclass, replace

import toolbox
from planner import Planners
from toolbox import Line, running

MACHINE = "pack:2 [numa] core:8 pu:1"
CORES = 16
EVERY = (1 << CORES) - 1


# --- What is random -------------------------------------------------------------------------------

def draw_script(draw, can_fork):
    """The teams of all processes are compared in the second line of two equal ones: in the first one the parts may still change."""
    how = draw.choice((0, 1)) if can_fork else 1
    size = draw.choice((2, 3, 4, 4, 4, 5))
    live = list(range(1, draw.randint(2, 6) + 1))
    lines = [Line("b", worker, how) for worker in live]
    following = live[-1] + 1
    # A child of fork cannot use the runtime's threads of its parent, so the process itself forks only beside spawned workers.
    forks_itself = how == 1 and draw.random() < 0.3
    if draw.random() < 0.4:
        lines += [Line("r", worker, size) for worker in draw.sample(live, len(live))]
    for _ in range(draw.randint(1, 4)):
        for _ in range(2):
            lines += [Line("r", 0, size)] if forks_itself else []
            lines.append(Line("a", size))
        kind = draw.random()
        if kind < 0.45 and len(live) > 1:
            lines.append(Line(draw.choice("ek"), live.pop(draw.randrange(len(live)))))
        elif kind < 0.7 and following < 15:
            lines.append(Line("b", following, how))
            live.append(following)
            following += 1
        else:
            size = draw.choice((2, 3, 4, 8))
    lines += [Line("r", 0, size)] * forks_itself + [Line("a", size)]
    return lines + [line.copy() for line in lines[-(1 + forks_itself):]]


@dataclass
class Sequence:
    variant: str
    specification: str
    by_command: bool
    settings: dict
    lines: list


def draw_sequence(seed, variants):
    draw = random.Random(f"processes {seed}")
    specification = draw.choice(("auto", "auto", "4,scatter", "3,compact"))
    settings = {"OMP_WAIT_POLICY": "passive", "NESTBIND_QUIET": "1"}
    settings |= {"NESTBIND_ROOTS": "divide"} if specification != "auto" else {}
    return Sequence(draw.choice(variants), specification, draw.random() < 0.5, settings, draw_script(draw, can_fork=True))


# --- The independent answer -----------------------------------------------------------------------

def faults_of(sequence, seen, planner):
    """`seen` has for each line the masks of each worker."""
    faults, teams, forked, before, begun = [], {}, [], None, 0
    for line in sequence.lines:
        begun += line.kind == "b"
        if line.kind in "ek":
            teams.pop(line.numbers[0], None)
        forked.append(line)
        for worker, masks in seen.get(line.id, ()):
            teams[worker] = masks
        if line.kind != "a":
            continue
        if before is not None and is_settled(forked):
            # A process that has joined in the last second counts its siblings, too, before they fork, and a killed one counts for a second.
            attempts = [judged(line, teams, parts, sequence.specification, planner) for parts in range(len(teams), begun + 2)]
            faults += next((attempt for attempt in attempts if not attempt), attempts[0])
        before, forked = line, []
    return faults


def is_settled(forked):
    """True if nothing has changed after the previous line "a", except that the process itself has forked."""
    return all(line.kind == "a" or (line.kind == "r" and line.numbers[0] == 0) for line in forked)


def judged(line, teams, live, specification, planner):
    """Each bound team is where the planner puts it in one of `live` parts, in a part of its own. Which process has which part is left open."""
    parts = [planner.part(live, index, "all", specification) for index in range(live)] if live > 1 else ["all"]
    faults, free = [], list(parts)
    for worker, masks in teams.items():
        where = f"line {line.id}, worker {worker} of {live} live processes: masks {' '.join(f'{mask:x}' for mask in masks)}"
        if all(mask == EVERY for mask in masks):
            continue
        mine = [part for part in free if masks == planned(planner, part, specification, len(masks))]
        if mine:
            free.remove(mine[0])
        else:
            faults.append(f"{where}: not a team of a part that no other process has")
    for part in free:
        unbound = [worker for worker, masks in teams.items() if masks[0] == EVERY and len(masks) <= size_of(part)]
        if unbound and live == len(teams) and not faults:
            faults.append(f"line {line.id}: the part {part} is free, but the workers {unbound} of {live} processes are not bound")
    return faults


def size_of(part):
    return CORES if part == "all" else len(part.split(","))


def planned(planner, part, specification, size):
    """Returns the masks of a team in a part, or nothing if the team does not fit the part, which is one of several."""
    if size > size_of(part):
        return None
    return [1 << int(place.cpus) for place in planner.team(planner.plan("make", part, specification), (), size)]


# --- Running --------------------------------------------------------------------------------------

class Processes:
    def __init__(self, options, library, programs):
        self.options, self.library, self.programs = options, library, programs
        self.teams = 0
        programs.compile("processes")
        self.planners = Planners(library, programs.folder)

    def run(self, seed, sequence):
        script, results, file = (self.programs.folder / f"processes-{seed}-{threading.get_ident()}.{name}" for name in ("script", "results", "shared"))
        script.write_text(toolbox.text_of(sequence.lines), encoding="utf-8")
        file.unlink(missing_ok=True)
        words = [self.programs.program("processes", sequence.variant), script, results, file]
        variables = {**self.programs.environment(sequence.variant), **sequence.settings}
        if sequence.by_command:
            words = [self.library.command, "run", "--machine", MACHINE, sequence.specification, "--", *words]
        else:
            variables |= {"LD_PRELOAD": str(self.library.preload), "OMP_NESTING_TEAM_SIZE": sequence.specification, "NESTBIND_MACHINE": MACHINE}
        status, err, is_fast = toolbox.timed_run(words, running.environment(**variables))
        file.unlink(missing_ok=True)
        if status != 0:
            return [f"status {status}: {err.strip()[-500:]}"]
        if not is_fast:
            return []
        seen = {}
        for row in results.read_text(encoding="utf-8").splitlines():
            line, worker, *masks = row.split()
            seen.setdefault(int(line), []).append((int(worker), [int(mask, 16) for mask in masks]))
            self.teams += 1
        script.unlink()
        results.unlink()
        return faults_of(sequence, seen, self.planners.get(MACHINE))

    def examine(self, seed):
        sequence = draw_sequence(seed, sorted(self.programs.variants))
        faults = self.run(seed, sequence)
        if not faults:
            return []
        fails = lambda lines: self.run(seed, replace(sequence, lines=lines))  # noqa: E731
        lines, faults = toolbox.shrunk(sequence.lines, fails, 40) if self.options.shrinks() else (sequence.lines, faults)
        settings = " ".join(f"{name}={value}" for name, value in sequence.settings.items())
        before = f"{sequence.variant}, {sequence.specification}, {settings}, {'by the command' if sequence.by_command else 'preloaded'}"
        return toolbox.failure("processes", seed, self.options, before, lines, faults or ["does not fail again"])

    def close(self):
        self.planners.close()
        return f"{self.teams} teams"
