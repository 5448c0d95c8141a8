# SPDX-License-Identifier: BSD-3-Clause
"""Sequences of specifications and forks. Each thread's place is compared with the planner's answer (planned.cpp) for the specification that
the contract puts in force there. This file has the contract in few lines: which specification, which path, whose partition."""

import random
import threading
from dataclasses import dataclass, field, replace

import toolbox
from planner import Place, Planners
from toolbox import HERE, Line, running

NOT_PLACED = 14
REGIONS = 10
FIRST_LINE = next(i for i, line in enumerate((HERE / "places.c").read_text(encoding="utf-8").splitlines(), 1) if line.startswith("REGION(r0"))
MACHINES = (("pack:4 core:8 pu:1", 0), ("pack:2 [numa] core:4 pu:1", 0), ("pack:2 [numa] l3:2 core:2 pu:1", 0), ("pack:3 [numa] core:4 pu:1", 0),
            ("core:6 pu:1", 0), ("pack:2 [numa] core:4 pu:2", 2), ("pack:2 core:4 pu:2", 1))
RULE_FILES = 40  # so many files of rules are made for each compiler
PREFIXES = ("", "sub")


# --- What is random -------------------------------------------------------------------------------

def draw_specification(draw, words=("auto", "off"), plain_inside=True, symbolic=True):
    if words and draw.random() < 0.2:
        return draw.choice(words)
    levels = []
    for level in range(draw.choice((1, 2, 2, 2, 3))):
        symbols = ("*", "core", "numa", "package") if symbolic else ("*",)
        size = draw.choice(symbols) if draw.random() < 0.15 else draw.choice((1, 2, 2, 2, 3, 4))
        prefix = draw.choice(PREFIXES if plain_inside or level == 0 else ("sub",))
        domain = "@" + draw.choice(("package", "numa")) if prefix and draw.random() < 0.15 else ""
        levels.append(f"{size},{prefix}{draw.choice(('scatter', 'compact'))}{domain}")
    return ",".join(levels)


def draw_rules(draw):
    """Returns the rules as (where, the numbers of the regions or None for all, specification)."""
    rules = []
    for region in draw.sample(range(REGIONS), draw.randint(1, 8)):
        line = FIRST_LINE + region
        kind = draw.random()
        if kind < 0.6:
            where, regions = f"r{region}", {region}
        elif kind < 0.85:
            where, regions = f"places.c:{line}", {region}
        else:
            last = min(region + draw.randint(0, 2), REGIONS - 1)
            where, regions = f"places.c:{line}-{FIRST_LINE + last}", set(range(region, last + 1))
        rules.append((where, regions, draw_specification(draw)))
    if draw.random() < 0.3:
        rules.append(("*", None, draw_specification(draw)))
    return rules


def draw_body(draw, depth, sets):
    """Returns the lines that a member executes in a region."""
    lines = []
    for _ in range(draw.choice((1, 1, 2, 3)) if depth > 0 else 0):
        if draw.random() < 0.15:
            lines.append(Line("s", text=draw.choice(sets)))
        lines.append(draw_region(draw, depth - 1, sets))
    return lines


def draw_region(draw, depth, sets, fewest=1):
    size = draw.choice((1, 2, 2, 2, 3, 4)) if draw.random() < 0.85 else 0
    if fewest > 1:
        size = max(size, fewest)
    blocks = []
    if depth > 0 and draw.random() < 0.75:
        blocks = [draw_body(draw, depth, sets)] if draw.random() < 0.3 else [draw_body(draw, depth, sets) for _ in range(draw.choice((2, 2, 3, 4)))]
    return Line("r", draw.randrange(REGIONS), size, blocks=blocks)


def draw_block(draw, sets, with_sets=True):
    lines = []
    for _ in range(draw.choice((1, 1, 2, 3))):
        if with_sets and draw.random() < 0.3:
            lines.append(Line("s", text=draw.choice(sets)))
        lines.append(draw_region(draw, draw.choice((0, 1, 1, 2)), sets))
    return lines


def draw_script(draw, threads, divides, sets):
    """`threads` are those that fork. If they divide the machine, only threads that have forked before may fork at the same time."""
    begun = [threads[0]]
    lines = [Line("t", threads[0], blocks=[[Line("l", 8), draw_region(draw, 1, sets, fewest=2)]])]
    for _ in range(draw.randint(15, 30) if draw.random() < 0.25 else draw.randint(3, 9)):
        kind = draw.random()
        free = [thread for thread in threads if thread != 0]
        if kind < 0.12 and free and len(threads) > 1:
            ended = draw.choice(free)
            begun = [thread for thread in begun if thread != ended]
            heir = draw.choice(begun or threads)
            begun = [heir] + [thread for thread in begun if thread != heir]
            lines += [Line("e", ended), Line("t", heir, blocks=[[Line("l", 8), draw_region(draw, 1, sets, fewest=2)]])]
        elif kind < 0.4 and len(begun) > 1:
            together = draw.sample(begun, 2)
            # The initial thread begins last, because it executes its block before it goes on.
            for thread in sorted(together, reverse=True):
                lines.append(Line("p", thread, blocks=[draw_block(draw, sets, with_sets=False)]))
            lines.append(Line("w"))
        else:
            thread = draw.choice(threads)
            first = [Line("l", 8), draw_region(draw, 1, sets, fewest=2)] if thread not in begun and divides else []
            begun += [thread] if thread not in begun else []
            lines.append(Line("t", thread, blocks=[first + draw_block(draw, sets)]))
    return lines


@dataclass
class Sequence:
    variant: str
    machine: str
    smt: int
    specification: str
    rules: list
    rules_number: int
    divided: str
    by_command: bool
    settings: dict
    lines: list


def draw_sequence(seed, variants):
    draw = random.Random(f"places {seed}")
    several = draw.random()
    divides = several < 0.15
    plain = not divides
    machine, smt = draw.choice(MACHINES[:3] if divides else MACHINES)
    number = draw.randrange(RULE_FILES) if plain and draw.random() < 0.5 else None
    rules = draw_rules(random.Random(f"rules {number}")) if number is not None else []
    words = () if divides else ("auto", "off")
    sets = [draw_specification(draw, words, plain, plain) for _ in range(draw.randint(2, 6))]
    if divides:
        sets += ["auto"]
    # Until the first fork of a team a specification or a rule is in force.
    specification = draw_specification(draw, (), plain, plain)
    threads = [0]
    if several < 0.4:
        threads = draw.sample(range(4), draw.randint(2, 3))
    elif several < 0.5:
        threads = [1]
    settings = {"OMP_WAIT_POLICY": "passive", "NESTBIND_QUIET": "1", "OMP_NUM_THREADS": draw.choice(("2", "3,2", "4,3,2"))}
    divided = draw.choice(("divide", "divide", "2", "3")) if divides else "first" if len(threads) > 1 else ""
    if divided:
        settings["NESTBIND_ROOTS"] = divided
    if draw.random() < 0.3:
        settings["NESTBIND_WORKERS"] = "fresh"
    if draw.random() < 0.3:
        settings["NESTBIND_SCHEDULE"] = draw.choice(("hybrid", "hybrid,f=0,chunk=1", "balanced"))
    # LLVM's runtime keeps the threads of inner teams with this variable, which the command also sets. With several root threads libomp 19
    # then crashes in a few of 1000 sequences, also without nestbind.
    if len(threads) > 1:
        settings["KMP_HOT_TEAMS_MAX_LEVEL"] = "1"
    elif draw.random() < 0.3:
        settings["KMP_HOT_TEAMS_MAX_LEVEL"] = "3"
    if draw.random() < 0.1:
        settings["NESTBIND_REPORT"] = "json:/dev/null"
    lines = draw_script(draw, threads, divides, sets)
    return Sequence(draw.choice(variants), machine, smt, specification, rules, number, divided if divides else "", draw.random() < 0.2, settings, lines)


# --- The independent answer -----------------------------------------------------------------------

def levels_of(specification):
    """Returns the sizes of a specification's levels. The sizes of auto do not end."""
    return ["*"] * 64 if specification == "auto" else specification.split(",")[0::2]


@dataclass(frozen=True)
class Plan:
    number: int
    sizes: tuple  # of its levels, as text
    rule: int = 0  # the number of the rule that made it, or 0
    whole: int = -1  # the plan of the undivided machine, if this is the plan of a part


UNKNOWN, UNPLANNED, PLANNED = "unknown", "unplanned", "planned"


@dataclass
class Context:
    """A thread that forks: its place, and the plan for its next team."""
    kind: str
    path: tuple = ()
    plan: Plan = None  # None: off
    outer: Plan = None  # the plan of its own team
    place: Place = None  # None: not bound
    rule: int = 0  # the number of the nearest rule around it, or 0
    part: str = ""  # the processors of its root's part
    ends_anywhere: bool = False
    may_be_unbound: bool = False  # after "off" inside a region: it is left open where the thread itself is


@dataclass
class State:
    specification: str
    owner: int = None
    owner_is_unknown: bool = False
    bound: dict = field(default_factory=dict)  # the place of each root that is bound; UNKNOWN
    roots: list = field(default_factory=list)  # by number: a thread, or None


class Expected:
    """Walks through a script and the sizes that its teams really had, and compares each member with its planned place."""

    def __init__(self, sequence, planner, results):
        self.sequence, self.planner, self.results = sequence, planner, results
        self.all = ",".join(map(str, range(processors(sequence.machine))))
        self.faults, self.checked, self.unknown = [], 0, 0

    def walk(self):
        state, begun = State(self.sequence.specification), 0
        for line in self.sequence.lines:
            # Smaller scripts may lack the line that waits for threads. Then the order of the forks is unknown.
            is_new = line.kind == "p" and self.sequence.divided and line.numbers[0] not in state.roots
            if is_new or (line.kind == "t" and begun > 0):
                self.faults = []
                return
            begun = begun + 1 if line.kind == "p" else 0
            if line.kind in "tp":
                self.walk_thread(state, line.numbers[0], line.blocks[0])
            elif line.kind == "e":
                state.bound.pop(line.numbers[0], None)
                state.owner = None if state.owner == line.numbers[0] else state.owner
                state.roots = [None if thread == line.numbers[0] else thread for thread in state.roots]

    def walk_thread(self, state, thread, block):
        for line in block:
            if line.kind == "s":
                state.specification = line.text
            elif line.kind == "r":
                self.walk_root_fork(state, thread, line)

    def rule_for(self, context, region):
        """Returns the specification of the region's rule, or an empty text, the rule's number from 1, and whether the answer is left open."""
        for number, (_, regions, specification) in enumerate(self.sequence.rules, 1):
            if regions is None or region in regions:
                is_own = not context.rule or (regions is not None and number != context.rule)
                # Whether "off" inside a region ends the rule of that region, too, is left open.
                return specification if is_own else "", number if is_own else 0, not is_own and context.plan is None
        return "", 0, False

    def walk_root_fork(self, state, thread, line):
        size = self.size_of(line)
        if size == 0:
            return
        context = Context(UNPLANNED)
        rule, number, _ = self.rule_for(context, line.numbers[0])
        specification = rule or state.specification
        is_planned = specification not in ("", "off")
        if self.sequence.divided:
            self.walk_part(state, thread, line, size, specification)
            return
        if state.owner is None and not state.owner_is_unknown:
            if is_planned and size > 1:
                state.owner = thread
            else:
                state.owner_is_unknown = True
        if state.owner_is_unknown:
            context.kind = UNKNOWN
        elif state.owner == thread:
            before = state.bound.get(thread)
            if rule == "off":  # whether the thread is bound again after the region is left open
                context = Context(UNPLANNED if size > 1 else UNKNOWN)
                state.bound[thread] = UNKNOWN
            elif not is_planned:
                context = Context(UNPLANNED if size > 1 else UNKNOWN)
                state.bound[thread] = None if size > 1 else before
            elif before == UNKNOWN and size == 1:
                context = Context(UNKNOWN)
            else:
                plan = Plan(self.planner.plan("make", "all", specification), tuple(levels_of(specification)), number)
                context = Context(PLANNED, (), plan, None, None if before == UNKNOWN else before, number)
                context.place = state.bound[thread] = self.bound_by(context, size)
            if size == 1 and not is_planned:
                state.bound[thread] = UNKNOWN
        self.walk_team(context, line, size)
        if context.kind == PLANNED:
            state.bound[thread] = context.place
        if context.may_be_unbound:
            state.bound[thread] = UNKNOWN

    def walk_part(self, state, thread, line, size, specification):
        """A root thread forks a team of two or more, and has the part of its number among the live roots."""
        if thread not in state.roots:
            if size == 1:
                self.walk_team(Context(UNKNOWN), line, size)
                return
            if None in state.roots:
                state.roots[state.roots.index(None)] = thread
            else:
                state.roots.append(thread)
        live = [root for root in state.roots if root is not None]
        fixed = self.sequence.divided != "divide"
        parts = int(self.sequence.divided) if fixed else len(live)
        index = state.roots.index(thread) % parts if fixed else live.index(thread)
        part = self.planner.part(parts, index, "all", specification) if parts > 1 else "all"
        cpus = self.all if part == "all" else part
        whole = self.planner.plan("make", "all", specification)
        plan = Plan(self.planner.plan("make", part, specification), tuple(levels_of(specification)), whole=whole if parts > 1 else -1)
        if size == 1:
            context = Context(UNKNOWN)
        elif parts > 1 and size > len(cpus.split(",")):
            context = Context(UNPLANNED)  # the team is not squeezed into its part
        else:
            context = Context(PLANNED, (), plan, None, None, 0, cpus)
            context.place = self.planner.team(plan.number, (), size)[0]
        self.walk_team(context, line, size)

    def bound_by(self, context, size):
        """Returns the place at which a thread is when it has forked."""
        if context.place is not None:
            return context.place
        level = len(context.path)
        names_one = level < len(context.plan.sizes) and context.plan.sizes[level] == "1"
        return self.planner.team(context.plan.number, context.path, size)[0] if size > 1 or names_one else None

    def size_of(self, line):
        return len(self.results.get(line.id, ()))

    def walk_team(self, context, line, size):
        """`context` is the forking thread, which may just have been bound."""
        members = self.members(context, size)
        for number, member in enumerate(members):
            self.check(line, number, member, is_end=False)
            if number < len(line.blocks):
                self.walk_inside(member, line.blocks[number])
            self.check(line, number, member, is_end=True)
        # The primary thread is the one that forked.
        context.may_be_unbound = context.may_be_unbound or members[0].may_be_unbound
        if context.kind == PLANNED and members[0].kind == PLANNED:
            context.place = members[0].place  # an inner team may have bound the thread

    def members(self, context, size):
        if context.kind != PLANNED:
            return [Context(context.kind, rule=context.rule) for _ in range(size)]
        steps = [(*context.path, (number, size)) for number in range(size)]
        rule = context.plan.rule or context.rule
        if size == 1:
            if context.may_be_unbound:
                return [Context(UNKNOWN)]
            return [Context(PLANNED, steps[0], context.plan, context.plan, context.place, rule, context.part)]
        places = self.planner.team(context.plan.number, context.path, size)
        if context.place.cpus != places[0].cpus:
            raise RuntimeError(f"the primary thread would move: {context} {places}")
        places = [context.place, *places[1:]]
        members = [Context(PLANNED, step, context.plan, context.plan, place, rule, context.part) for step, place in zip(steps, places)]
        if context.may_be_unbound:
            members[0].kind = UNKNOWN
        return members

    def walk_inside(self, member, block):
        level = len(member.path)
        for line in block:
            if line.kind == "s":
                if member.kind != PLANNED or len(member.outer.sizes) < level:
                    member.kind, member.ends_anywhere, member.may_be_unbound = UNKNOWN, True, True
                elif line.text == "off":
                    member.plan = None
                else:
                    sizes = (*member.outer.sizes[:level], *levels_of(line.text)[level:])
                    whole = self.planner.plan("below", member.outer.whole, level, line.text) if member.outer.whole >= 0 else -1
                    member.plan = Plan(self.planner.plan("below", member.outer.number, level, line.text), sizes, whole=whole)
            elif line.kind == "r":
                size = self.size_of(line)
                if size > 0:
                    forking = self.forking(member, line, size)
                    self.walk_team(forking, line, size)
                    if member.kind == PLANNED and forking.kind == PLANNED:
                        member.place = forking.place
                    if forking.may_be_unbound:
                        member.ends_anywhere = member.may_be_unbound = True

    def forking(self, member, line, size):
        level = len(member.path)
        context = replace(member)
        rule, number, is_open = self.rule_for(member, line.numbers[0])
        if member.kind != PLANNED:
            context.kind = UNKNOWN if rule else member.kind
        elif is_open:
            context.kind, member.ends_anywhere, member.may_be_unbound = UNKNOWN, True, True
        elif rule == "off" or (not rule and member.plan is None):
            context.kind = UNPLANNED if size > 1 else UNKNOWN
            if not rule or size == 1:
                member.ends_anywhere = member.may_be_unbound = True
        elif rule and len(member.outer.sizes) < level:
            context.kind = UNKNOWN
        else:
            if rule:
                sizes = (*member.outer.sizes[:level], *levels_of(rule))
                context.plan = Plan(self.planner.plan("rule", member.outer.number, level, rule), sizes, number)
            if context.plan.whole >= 0 and size > len(context.part.split(",")):
                context.kind = UNPLANNED  # a team is not squeezed into its root's part
            elif context.plan.whole >= 0 and self.fits_only_undivided(context, size):
                context.kind, member.ends_anywhere = UNKNOWN, True
            else:
                context.place = member.place = self.bound_by(context, size)
        return context

    def fits_only_undivided(self, context, size):
        """Such a team runs anywhere in its root's part. Whether its primary thread stays on its slot is left open."""
        return self.planner.share(context.plan.number, context.path) < size <= self.planner.share(context.plan.whole, context.path)

    def check(self, line, number, member, is_end):
        if member.kind == UNKNOWN or (is_end and member.ends_anywhere):
            self.unknown += 1
            return
        self.checked += 1
        seen = self.results[line.id][number][3 if is_end else 0:][:3] + self.results[line.id][number][6 + is_end:][:1]
        error, pinned, core, cpus = seen
        if member.kind == UNPLANNED or member.place is None:
            wrong = cpus != self.all
            wanted = "not bound"
        else:
            place = member.place
            wrong = cpus != place.cpus
            if not is_end:
                wrong = wrong or int(error) != 0 or (place.pinned and (int(pinned), int(core)) != (1, place.core))
            wanted = f"{'' if place.pinned else 'not pinned, '}{place.cpus}"
        if wrong:
            when = "at the end of" if is_end else "in"
            self.faults.append(f"line {line.id}, member {number} {when} region r{line.numbers[0]}: error {error}, processors {cpus}, expected {wanted}")


def processors(machine):
    count = 1
    for part in machine.split():
        count *= int(part.partition(":")[2]) if ":" in part else 1
    return count


# --- Running --------------------------------------------------------------------------------------

class Places:
    """Runs sequences, and compares."""

    def __init__(self, options, library, programs):
        self.options, self.library, self.programs = options, library, programs
        self.checked = self.unknown = 0
        self.rule_names = {}
        programs.compile("places")
        self.planners = Planners(library, programs.folder)

    def rules_file(self, sequence):
        path = self.programs.folder / f"rules-{sequence.rules_number}"
        path.write_text("".join(f"{where} {specification}\n" for where, _, specification in sequence.rules), encoding="utf-8")
        return path

    def resolved(self, sequence, program):
        """Returns the name of the file that the command makes of the rules, with the addresses of the regions."""
        key = (program, sequence.rules_number)
        if key not in self.rule_names:
            status, out, err = running.run([self.library.command, "run", f"--rules={self.rules_file(sequence)}", "--", program, "rules"],
                                           env=running.environment(NESTBIND_QUIET="1"))
            if status != 0 or not out.strip():
                raise RuntimeError(f"rules {sequence.rules_number}: status {status}: {err}")
            self.rule_names[key] = out.strip()
        return self.rule_names[key]

    def command(self, sequence, script, results):
        program = self.programs.program("places", sequence.variant)
        variables = {**self.programs.environment(sequence.variant), **sequence.settings}
        if sequence.by_command:
            words = [self.library.command, "run", "--machine", sequence.machine]
            words += ["--smt", str(sequence.smt)] if sequence.smt else []
            words += [f"--rules={self.rules_file(sequence)}"] if sequence.rules else []
            return words + [sequence.specification, "--", program, script, results], running.environment(**variables)
        variables |= {"LD_PRELOAD": str(self.library.preload), "NESTBIND_MACHINE": sequence.machine, "OMP_NESTING_TEAM_SIZE": sequence.specification}
        variables |= {"NESTBIND_SMT": str(sequence.smt)} if sequence.smt else {}
        variables |= {"NESTBIND_RULES": self.resolved(sequence, program)} if sequence.rules else {}
        return [program, script, results], running.environment(**variables)

    def run(self, seed, sequence):
        """Returns the faults of a sequence."""
        script, results = (self.programs.folder / f"{seed}-{threading.get_ident()}.{name}" for name in ("script", "results"))
        script.write_text(toolbox.text_of(sequence.lines), encoding="utf-8")
        results.unlink(missing_ok=True)
        words, variables = self.command(sequence, script, results)
        status, err, is_fast = toolbox.timed_run(words, variables)
        if status != 0:
            return [f"status {status}: {err.strip()[-500:]}"]
        if not is_fast:
            return []
        expected = Expected(sequence, self.planners.get(sequence.machine, sequence.smt), read_results(results))
        expected.walk()
        self.checked += expected.checked
        self.unknown += expected.unknown
        script.unlink()
        results.unlink()
        return expected.faults

    def examine(self, seed):
        """Returns the faults of a sequence, shrunk, or an empty list."""
        sequence = draw_sequence(seed, sorted(self.programs.variants))
        faults = self.run(seed, sequence)
        if not faults:
            return []
        fails = lambda lines: self.run(seed, replace(sequence, lines=lines))  # noqa: E731
        lines, faults = toolbox.shrunk(sequence.lines, fails) if self.options.shrinks() else (sequence.lines, faults)
        settings = " ".join(f"{name}={value}" for name, value in sequence.settings.items())
        before = f"{sequence.variant}, {sequence.machine!r}, {sequence.specification}, {settings}, {'by the command' if sequence.by_command else 'preloaded'}"
        rules = "".join(f"rule {where} {specification}\n" for where, _, specification in sequence.rules)
        return toolbox.failure("places", seed, self.options, before, lines, faults or ["does not fail again"], rules)

    def close(self):
        self.planners.close()
        return f"{self.checked} places compared, {self.unknown} left open"


def read_results(path):
    """Returns a list of members for each region that was forked: error, pinned, core at the begin, the same at the end, both processors."""
    results = {}
    with open(path, encoding="utf-8") as file:
        for row in file:
            words = row.split()
            members = results.setdefault(int(words[0]), [])
            begin, end = words[4:8], words[8:12]
            members.append(begin[:3] + end[:3] + [begin[3], end[3]])
    return results
