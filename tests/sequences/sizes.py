# SPDX-License-Identifier: BSD-3-Clause
"""Programs that ask for the number of threads and rely on the answer. Their output must be that of a run without nestbind. Each root thread
is told one number, and each team without a clause has it."""

import contextlib
import os
import random
import threading
from dataclasses import dataclass, replace

import toolbox
from toolbox import Line, running

HERE = "here"  # this machine, where threads are bound; its slots are those of two processors
MACHINES = {  # how many objects of each kind
    "pack:4 core:4 pu:1": {"core": 16, "package": 4, "pu": 16},
    "pack:2 [numa] core:4 pu:1": {"core": 8, "package": 2, "numa": 2, "pu": 8},
    "pack:2 [numa] core:2 pu:2": {"core": 4, "package": 2, "numa": 2, "pu": 8},
    "core:5 pu:1": {"core": 5, "pu": 5},
}
SPECIFICATIONS = ("auto", "auto", "auto", "4,scatter", "3,scatter", "2,scatter,2,subcompact", "4,scatter,2,subcompact", "*,scatter", "*,compact,2,subcompact",
                  "core,scatter", "package,scatter,2,subcompact", "numa,scatter,core,subcompact", "2,scatter,core,subcompact", "3,scatter,core,subcompact",
                  "1,scatter", "off")
NUMBERS = ("4,scatter", "3,scatter", "2,scatter,2,subcompact", "5,compact")
PERIOD = 100000
TOP = "/sys/fs/cgroup"


# --- What is random -------------------------------------------------------------------------------

def draw_inside(draw, depth):
    lines = [Line("a", draw.randrange(2))]
    for _ in range(draw.randint(0, 2)):
        kind = draw.random()
        if kind < 0.4 and depth > 0:
            lines.append(Line("f", draw.randrange(2), blocks=[draw_inside(draw, depth - 1)]))
        elif kind < 0.6:
            lines.append(Line("c", 1, draw.choice((10, 1000))))
        else:
            lines.append(Line("a", draw.randrange(2)))
    return lines


def draw_block(draw, has_own):
    """has_own: whether the thread has set a number of its own."""
    lines = []
    for _ in range(draw.randint(1, 4)):
        kind = draw.random()
        own = [int(has_own)] if has_own else []
        if kind < 0.3:
            lines.append(Line("a", draw.randrange(2), *own))
        elif kind < 0.55:
            lines.append(Line("f", draw.choice((0, 0, 1)), blocks=[draw_inside(draw, 1)] if draw.random() < 0.5 else []))
        elif kind < 0.85:
            lines.append(Line("c", 1 if has_own else draw.randrange(2), draw.choice((10, 1000, 10000))))
        else:
            # Whoever limits itself asks again inside, and does not rely on an earlier answer.
            inside = [Line("a", draw.randrange(2), 1), Line("f", 0), Line("c", 1, 1000)]
            lines.append(Line("m", draw.randrange(2), blocks=[draw.sample(inside, draw.randint(1, 3))]))
    return lines


def draw_script(draw, may_set):
    threads = draw.sample(range(4), draw.choice((1, 2, 2, 3, 3)))
    sets = may_set and draw.random() < 0.4
    own = set() if sets else {thread for thread in threads if draw.random() < 0.12}
    lines = [Line("t", thread, blocks=[[Line("n", draw.randint(1, 5))]]) for thread in sorted(own)]
    for _ in range(draw.randint(2, 8)):
        kind = draw.random()
        free = [thread for thread in threads if thread not in own and thread != 0]
        if kind < 0.15 and free:
            lines.append(Line("e", draw.choice(free)))
        elif kind < 0.3 and sets:
            lines.append(Line("t", draw.choice(threads), blocks=[[Line("s", text=draw.choice(NUMBERS))]]))
        elif kind < 0.6 and len(threads) > 1:
            for thread in sorted(threads, reverse=True):
                lines.append(Line("p", thread, blocks=[draw_block(draw, thread in own)]))
            lines.append(Line("w"))
        else:
            thread = draw.choice(threads)
            lines.append(Line("t", thread, blocks=[draw_block(draw, thread in own)]))
    return lines, own


@dataclass
class Sequence:
    variant: str
    machine: str
    specification: str
    roots: str
    quota: float
    ignores: bool
    by_command: bool
    own: set
    settings: dict
    lines: list


def draw_sequence(seed, variants, quotas):
    draw = random.Random(f"sizes {seed}")
    machine = HERE if draw.random() < 0.4 else draw.choice(sorted(MACHINES))
    specification = draw.choice(SPECIFICATIONS)
    roots = draw.choice(("", "", "", "first", "divide", "2", "3"))
    quota = draw.choice((0.5, 1, 1.5)) if quotas and machine == HERE and draw.random() < 0.4 else 0
    ignores = draw.random() < 0.08
    settings = {"OMP_WAIT_POLICY": "passive", "NESTBIND_QUIET": "1"}
    numbers = draw.choice(("", "", "", "2", "3", "2,2"))
    settings |= {"OMP_NUM_THREADS": numbers} if numbers else {}
    settings |= {"OMP_MAX_ACTIVE_LEVELS": "2"} if draw.random() < 0.3 else {}
    settings |= {"NESTBIND_WORKERS": "fresh"} if draw.random() < 0.3 else {}
    by_command = draw.random() < 0.5
    lines, own = draw_script(draw, may_set=specification not in ("auto", "off") and "*" not in specification and not ignores)
    # Only the command can tell each thread by the environment. Otherwise, and for a list of the user and a specification that the program
    # sets, a thread is told when it first calls or forks. So it does not ask by a handle before.
    if not by_command or "," in numbers or any(line.kind == "s" for line in each_line(lines)):
        for line in each_line(lines):
            if line.kind in "am":
                line.numbers[0] = 0
    variant = draw.choice(variants)
    if "libomp" in variant:  # nestbind sets an inner size of LLVM's runtime only at the fork
        for line in each_line(lines):
            for inner in each_line([one for block in line.blocks for one in block] if line.kind == "f" else []):
                inner.numbers[:1] = [0] if inner.kind in "am" else inner.numbers[:1]
    return Sequence(variant, machine, specification, roots, quota, ignores, by_command, own, settings, lines)


def each_line(lines):
    for line in lines:
        yield line
        for block in line.blocks:
            yield from each_line(block)


# --- The independent answer -----------------------------------------------------------------------

def slots_of(sequence):
    """A core gives more than one slot if there are more threads than cores. "*" counts as the number of cores."""
    counts = MACHINES[sequence.machine]
    threads = counts["core"]
    for size in sequence.specification.split(",")[2::2]:
        threads *= int(size) if size.isdigit() else 1
    return min(max(threads, counts["core"]), counts["pu"])


def first_size(sequence, slots, plainly):
    """Returns the number that every root thread is told, or None if only its constancy is checked. `plainly` is the answer of the runtime
    without nestbind."""
    size = sequence.specification.partition(",")[0]
    if sequence.ignores or size == "off":
        return plainly
    if size.isdigit():
        return int(size)
    quota = -int(-sequence.quota // 1)
    if size in ("*", "auto"):
        if "OMP_NUM_THREADS" in sequence.settings:
            return plainly
        if sequence.roots.isdigit():
            of_part = max(1, slots // int(sequence.roots))
            return max(1, min(of_part, quota // int(sequence.roots))) if quota else of_part
        return min(slots, quota) if quota and quota < slots and size == "auto" else plainly if not quota or quota >= slots else None
    if sequence.roots.isdigit() or sequence.machine == HERE:
        return None
    return MACHINES[sequence.machine].get(size)


def faults_of(sequence, slots, seen, plain):
    """`seen` and `plain` have rows (line, thread, path, what, value, whether the next level is active)."""
    positions = {}
    note_positions(sequence.lines, positions)
    plainly = {value for line, thread, path, what, value, _ in plain
               if (path, what) == ("-", "told") and thread not in sequence.own and not positions[line].limited}
    expected = first_size(sequence, slots, plainly.pop() if len(plainly) == 1 else None)
    faults, answers, teams = [], {}, {}
    for line, thread, path, what, value, is_active in seen:
        where = f"line {line}, thread {thread}, member {path}: {what} {value}"
        if positions[line].limited:
            faults += [f"{where}, limited to 1"] if (path, what, value != 1) == ("-", "told", True) else []
            continue
        # Member 0 writes the row of a team, and the last step of its path is the team itself.
        asks = path if what == "told" else path.rpartition(".")[0] or "-"
        key = (positions[line].changed, asks, thread if thread in sequence.own else None)
        (answers if what == "told" else teams).setdefault(key, []).append((value, where, is_active))
    for key in answers | teams:
        changed, path, owner = key
        told = {value for value, *_ in answers.get(key, ())}
        # Below a region of one thread, what LLVM's runtime tells beyond the specification depends on the clause of the region around.
        if "libomp" in sequence.variant and "/1." in path:
            continue
        if len(told) > 1:
            faults.append(f"member {path} is told {sorted(told)}: {[where for _, where, _ in answers[key]][:4]}")
        wanted = int(changed.partition(",")[0]) if changed else expected
        if path == "-" and owner is None and wanted is not None:
            faults += [f"{where}, expected {wanted}" for value, where, _ in answers.get(key, []) + teams.get(key, []) if value != wanted][:4]
        # At a level that is not active the runtimes tell a number, too, but the team has one thread.
        if len(told) == 1 and (path == "-" or (owner is None and all(active for *_, active in answers[key]))):
            faults += [f"{where}, but {told} was told" for value, where, _ in teams.get(key, ()) if value not in told][:4]
    return faults


@dataclass
class Position:
    limited: bool  # the thread has limited itself
    changed: str  # the specification that the program has set


def note_positions(lines, positions, limited=False, changed=""):
    for line in lines:
        positions[line.id] = Position(limited, changed)
        for block in line.blocks:
            changed = note_positions(block, positions, limited or line.kind == "m", changed)
        if line.kind == "s":
            changed = line.text
    return changed


# --- Running --------------------------------------------------------------------------------------

class Quotas:
    """Cgroups with a CPU quota, one for each value."""

    def __init__(self):
        second = os.path.exists(os.path.join(TOP, "cgroup.controllers"))
        self.top, self.file = (TOP, "cpu.max") if second else (os.path.join(TOP, "cpu"), "cpu.cfs_quota_us")
        self.paths = {}

    def path(self, processors):
        """Returns the folder of a group, or raises OSError."""
        if processors not in self.paths:
            path = os.path.join(self.top, f"nestbind-sequences-{os.getpid()}-{processors}")
            os.mkdir(path)
            self.paths[processors] = path
            time = int(processors * PERIOD)
            with open(os.path.join(path, self.file), "w", encoding="ascii") as file:
                file.write(f"{time} {PERIOD}" if self.file == "cpu.max" else str(time))
        return self.paths[processors]

    def works(self):
        try:
            self.path(1)
        except OSError:
            self.close()
            return False
        return True

    def words(self, processors):
        return ["sh", "-c", f'echo $$ >{self.path(processors)}/cgroup.procs && exec "$@"', "sh"] if processors else []

    def close(self):
        for path in self.paths.values():
            with contextlib.suppress(OSError):
                os.rmdir(path)
        self.paths = {}


class Sizes:
    def __init__(self, options, library, programs):
        self.options, self.library, self.programs = options, library, programs
        programs.compile("sizes")
        self.quotas = Quotas()
        self.has_quotas = self.quotas.works()
        self.processors = sorted(os.sched_getaffinity(0))
        self.asked = 0

    def run_once(self, sequence, script, results, plainly):
        program = self.programs.program("sizes", sequence.variant)
        variables = {**self.programs.environment(sequence.variant), **sequence.settings}
        before = self.quotas.words(sequence.quota)
        if plainly:
            return running.run([*before, program, script, results], toolbox.PATIENCE, env=running.environment(**variables))
        words = [program, script, results]
        variables |= {"NESTBIND_TEAM_SIZES": "ignore"} if sequence.ignores else {}
        if sequence.by_command:
            machine = ["--machine", sequence.machine] if sequence.machine != HERE else []
            roots = ["--roots", sequence.roots] if sequence.roots else []
            variables |= {"OMP_NESTING_TEAM_SIZE": "off"} if sequence.specification == "off" else {}
            named = [] if sequence.specification == "off" else [sequence.specification]
            words = [self.library.command, "run", *machine, *roots, *named, "--", *words]
        else:
            variables |= {"LD_PRELOAD": str(self.library.preload), "OMP_NESTING_TEAM_SIZE": sequence.specification}
            variables |= {"NESTBIND_MACHINE": sequence.machine} if sequence.machine != HERE else {}
            variables |= {"NESTBIND_ROOTS": sequence.roots} if sequence.roots else {}
            # The variables begin after the shell, so that only the program has them.
            words = ["env", *(f"{name}={value}" for name, value in variables.items()), *words]
            variables = {}
        return running.run([*before, *words], toolbox.PATIENCE, env=running.environment(**variables))

    def run(self, seed, sequence):
        script, results = (self.programs.folder / f"sizes-{seed}-{threading.get_ident()}.{name}" for name in ("script", "results"))
        script.write_text(toolbox.text_of(sequence.lines), encoding="utf-8")
        outputs, rows = [], []
        for plainly in (True, False):
            results.unlink(missing_ok=True)
            status, out, err = self.run_once(sequence, script, results, plainly)
            if status != 0:
                return [f"{'plainly: ' if plainly else ''}status {status}: {err.strip()[-500:]}"]
            outputs.append(out)
            rows.append([read_row(row) for row in results.read_text(encoding="utf-8").splitlines()])
        script.unlink()
        results.unlink()
        slots = len(self.processors) if sequence.machine == HERE else slots_of(sequence)
        self.asked += len(rows[1])
        wrong = [f"plainly: {line}" for line in outputs[0].splitlines() if not line.endswith(" 0 beyond")]
        wrong += [f"{seen}, plainly {plain}" for seen, plain in zip(outputs[1].splitlines(), outputs[0].splitlines()) if seen != plain]
        return wrong + faults_of(sequence, slots, rows[1], rows[0])

    def examine(self, seed):
        sequence = draw_sequence(seed, sorted(self.programs.variants), self.has_quotas)
        faults = self.run(seed, sequence)
        if not faults:
            return []
        fails = lambda lines: self.run(seed, replace(sequence, lines=lines))  # noqa: E731
        lines, faults = toolbox.shrunk(sequence.lines, fails) if self.options.shrinks() else (sequence.lines, faults)
        settings = " ".join(f"{name}={value}" for name, value in sequence.settings.items())
        before = (f"{sequence.variant}, {sequence.machine!r}, {sequence.specification}, roots {sequence.roots or 'unset'}, quota {sequence.quota or 'none'}, "
                  f"{settings}{', sizes ignored' if sequence.ignores else ''}, {'by the command' if sequence.by_command else 'preloaded'}")
        return toolbox.failure("sizes", seed, self.options, before, lines, faults or ["does not fail again"])

    def close(self):
        self.quotas.close()
        return f"{self.asked} answers and teams compared{'' if self.has_quotas else ', no cgroup with a quota can be made here'}"


def read_row(text):
    line, thread, path, what, value, is_active = text.split()
    return int(line), int(thread), path, what, int(value), is_active == "1"
