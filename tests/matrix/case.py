# SPDX-License-Identifier: BSD-3-Clause
"""Case files: the programs to run, and the literal rows and lines that they must print (see README.md)."""

import copy
import os
import re
import shlex
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import product

FIELDS = ("machine", "spec", "run", "env", "on", "cpus", "status", "stderr", "rows", "times", "checks", "each", "calls")
RULE = re.compile(r"^(?:(?P<labels>\S+) )?(?P<place>-|[0-9.]+|[0-9]+(?:x[0-9]+)*) ?(?P<sort>[:=]) (?P<cpus>.+)$")


class CaseError(Exception):
    """A case file that cannot be read."""


@dataclass
class Case:
    name: str
    where: str
    machine: str = ""
    spec: str | None = None
    run: list = field(default_factory=list)
    env: dict = field(default_factory=dict)
    on: list = field(default_factory=list)
    cpus: str = ""
    status: int = 0
    stderr: list = field(default_factory=list)
    rows: str = "all"
    times: int = 0
    calls: list = field(default_factory=list)  # system calls; the case is skipped if the kernel refuses one
    each: list = field(default_factory=list)  # an environment variable and the values with which the case runs
    expected: dict = field(default_factory=dict)  # (label, path) -> processors as the case file writes them
    shapes: dict = field(default_factory=dict)  # label -> team sizes
    lines: list = field(default_factory=list)

    @property
    def kernel(self):
        return self.machine.startswith("here")

    @property
    def processors(self):
        """Returns how many processors of this machine the case needs."""
        return int(self.machine.split()[1]) if self.kernel else 1


def set_field(case, name, value):
    if name == "run":
        case.run = shlex.split(value)
    elif name == "env":
        for word in shlex.split(value):
            key, _, text = word.partition("=")
            case.env[key] = text
    elif name in ("on", "each", "calls"):
        setattr(case, name, value.split())
    elif name == "checks":
        case.run = value.split()
        case.lines += [f"{check} good" for check in case.run[1:]]
    elif name in ("status", "times"):
        setattr(case, name, int(value))
    elif name == "stderr":
        case.stderr.append(value)
    else:
        setattr(case, name, value)


def add_rule(case, match):
    labels = (match["labels"] or "-").split(",")
    place = match["place"]
    cpus = [word for word in match["cpus"].split() if word != "/"]
    if match["sort"] == ":":
        if len(cpus) != 1:
            raise CaseError(f"{case.where}: exactly one processor set is needed after ':'")
        for label in labels:
            case.expected[(label, place)] = cpus[0]
        return
    sizes = [int(size) for size in place.split("x")]
    paths = [".".join(map(str, path)) for path in product(*(range(size) for size in sizes))]
    if len(cpus) == 1:
        cpus = cpus * len(paths)
    if len(cpus) != len(paths):
        raise CaseError(f"{case.where}: {len(cpus)} processor sets for {place}")
    for label in labels:
        case.shapes[label] = ".".join(map(str, sizes))
        for path, cpu in zip(paths, cpus):
            case.expected[(label, path)] = cpu


def with_each_value(case):
    if not case.each:
        return [case]
    name, *values = case.each
    made = []
    for value in values:
        made.append(copy.deepcopy(case))
        made[-1].name += f":{value}"
        made[-1].env[name] = value
    return made


def read_cases(path):
    """Returns all cases of a file, in order."""
    cases = []
    base = os.path.basename(path).removesuffix(".case")
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            where = f"{os.path.basename(path)}:{number}"
            if not line.strip() or line.startswith("#"):
                continue
            header = re.fullmatch(r"\[([a-z0-9-]+)\]", line)
            if header:
                cases.append(Case(name=f"{base}/{header[1]}", where=where))
                continue
            if not cases:
                raise CaseError(f"{where}: text before the first [name]")
            case = cases[-1]
            name, colon, value = line.partition(":")
            rule = RULE.match(line)
            if line.startswith("> "):
                case.lines.append(line[2:])
            elif rule and name not in FIELDS:
                add_rule(case, rule)
            elif colon and name in FIELDS:
                set_field(case, name, value.strip())
            else:
                raise CaseError(f"{where}: neither a field nor a row: {line}")
    for case in cases:
        if not case.run or not case.machine:
            raise CaseError(f"{case.where}: a case needs 'machine' and 'run'")
        if not case.expected and not case.lines and not case.status:
            raise CaseError(f"{case.where}: nothing is expected")
    cases = [made for case in cases for made in with_each_value(case)]
    names = Counter(case.name for case in cases)
    doubled = [name for name, count in names.items() if count > 1]
    if doubled:
        raise CaseError(f"{path}: twice: {doubled}")
    return cases


def cpu_set(text, names):
    """Returns the set of processors that a case writes as '3', '{0,8}', '{0-3}', or as a name such as 'all' or 'first'. 'none' is the empty
    set, which means that the program prints no mask of this thread."""
    if text == "none":
        return frozenset()
    if text in names:
        return frozenset(names[text])
    result = set()
    for part in text.strip("{}").split(","):
        low, _, high = part.partition("-")
        result.update(range(int(low), int(high or low) + 1))
    return frozenset(result)


def judge_rows(case, rows, names):
    """Returns the faults of the rows, as a list of lines."""
    wrong = []
    seen = Counter()
    for label, path, sizes, _, cpus in rows:
        wanted = case.expected.get((label, path))
        seen[(label, path)] += 1
        if wanted is None:
            wrong.append(f"row not expected: {label} {path}: {cpus}")
            continue
        got = frozenset() if cpus == "?" else cpu_set(cpus, {})
        if got != cpu_set(wanted, names):
            wrong.append(f"{label} {path}: expected {wanted}, got {cpus}")
        shape = case.shapes.get(label)
        if shape is not None and sizes not in (shape, "-"):
            wrong.append(f"{label} {path}: expected teams of {shape}, got {sizes}")
    for key in case.expected:
        if seen[key] == 0 and case.rows == "all":
            wrong.append(f"row missing: {key[0]} {key[1]}")
        elif case.times and seen[key] != case.times:
            wrong.append(f"{key[0]} {key[1]}: {seen[key]} rows, expected {case.times}")
    return wrong + judge_thread_ids(rows)


def judge_thread_ids(rows):
    """Returns a fault for each team whose members are not different kernel threads."""
    teams = defaultdict(list)
    for label, path, _, thread, _ in rows:
        if path != "-":
            teams[(label, path.rpartition(".")[0])].append((path, thread))
    wrong = []
    for (label, parent), members in teams.items():
        paths = {path for path, _ in members}
        if len(paths) == len(members) and len({thread for _, thread in members}) < len(members):
            wrong.append(f"{label} {parent or 'outermost'}: members share a kernel thread")
    return wrong


def judge_stderr(case, text):
    if not case.stderr:
        return [f"stderr is not empty: {text.strip()[:500]}"] if text.strip() else []
    wrong = []
    for rule in case.stderr:
        verb, _, value = rule.partition(" ")
        if verb == "has" and value not in text:
            wrong.append(f"stderr lacks '{value}': {text.strip()[:500]}")
        elif verb == "lacks" and value in text:
            wrong.append(f"stderr has '{value}'")
        elif verb == "once" and text.count(value) != 1:
            wrong.append(f"stderr has '{value}' {text.count(value)} times: {text.strip()[:500]}")
        elif verb not in ("has", "lacks", "once", "any"):
            raise CaseError(f"{case.where}: stderr cannot be '{rule}'")
    return wrong


def judge(case, status, out, err, names):
    """Returns the faults of a run, as a list of lines."""
    rows = []
    lines = []
    for line in out.splitlines():
        words = line.split(" ")
        if line.startswith("@ ") and len(words) == 6:
            rows.append(words[1:])
        else:
            lines.append(line)
    wrong = []
    if status != case.status:
        wrong.append(f"status {status}, expected {case.status}")
    wrong += judge_rows(case, rows, names)
    expected = Counter(case.lines)
    got = Counter(lines)
    wrong += [f"line missing: {line}" for line in (expected - got).elements()]
    wrong += [f"line not expected: {line}" for line in (got - expected).elements()]
    return wrong + judge_stderr(case, err)
