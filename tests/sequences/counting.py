# SPDX-License-Identifier: BSD-3-Clause
"""Counts what a fork costs if 1, 2, 5 or 40 regions with different rules fork in turn: allocations, locks and system calls, compared with a run
without nestbind, and our instructions, compared with those of two rules in turn. Counts our instructions of a fork that repeats the last one, too."""

import collections
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

import toolbox
from toolbox import ROOT, running

sys.path.append(str(ROOT / "bench"))
from comparison import callgrind  # noqa: E402

FORKS = 400
COUNTED = (1, 2, 5, 40)
# Runtimes wait with these calls. A kept worker that sleeps blocks its signals.
WAITING = "futex,sched_yield,nanosleep,rt_sigprocmask"
DESCRIBED = "pack:4 core:8 pu:1"
STRATEGIES = ("scatter", "compact", "subscatter", "subcompact")
VARIANTS = ("gcc-libgomp", "clang-libomp")
MOST_INSTRUCTIONS = 1.1  # for a fork with 40 rules in turn, against 2 rules: a fork of the last region again costs less
MOST_REPEATED = {"gcc-libgomp": 450, "clang-libomp": 280}  # for a fork of two threads without rules
HIDDEN = ROOT / "bench" / "comparison" / "unfollowed.c"

# The cases: what is counted, the variant, the machine, the outer and the inner size, the number of rules. The first ones run in CI.
CASES = [("instructions", variant, DESCRIBED, 2, 0, 40) for variant in VARIANTS]
CASES += [("repeated", variant, DESCRIBED, 2, 0, 0) for variant in VARIANTS]
CASES += [("calls", variant, DESCRIBED, 2, inner, rules) for rules in (40, 5) for inner in (2, 0) for variant in VARIANTS]
CI = len(CASES)
CASES += [("instructions", variant, DESCRIBED, 1, 2, 40) for variant in VARIANTS]
CASES += [("calls", variant, machine, 2, inner, rules) for rules in COUNTED for inner in (2, 0) for variant in VARIANTS
          for machine in (DESCRIBED, "here") if rules in (1, 2) or machine == "here"]


def specification(number, machine, inner):
    """Returns different specifications. On this machine all of them have the same places, because another place needs a system call."""
    if machine == "here":
        # The sizes of rules do not change places: the program gives the sizes.
        return f"2,{STRATEGIES[number % 4]},{1 + number // 4},subcompact" if not inner else f"2,scatter,{1 + number},subcompact"
    return f"{2 + number // 16 % 3},{STRATEGIES[number % 4]},{2 + number // 20 % 2},{STRATEGIES[number // 4 % 4]}"


class Counting:
    def __init__(self, options, library, programs):
        self.options, self.library, self.programs = options, library, programs
        programs.compile("counting", "-rdynamic")
        self.hidden = programs.folder / "libunfollowed.so"
        subprocess.run(["gcc", "-O1", "-shared", "-fPIC", HIDDEN, "-o", self.hidden], check=True)
        self.notes, self.rules, self.lock = [], {}, threading.Lock()

    def rules_file(self, machine, inner, rules):
        path = self.programs.folder / f"counting-{'here' if machine == 'here' else 'described'}-{inner}-{rules}.rules"
        path.write_text("".join(f"r{i} {specification(i, machine, inner)}\n" for i in range(rules)), encoding="utf-8")
        return path

    def words(self, case, forks, plainly=False):
        _, variant, machine, outer, inner, rules = case
        program = self.programs.program("counting", variant)
        arguments = [program, max(rules, 1), forks, outer, inner]
        given = f"--rules={self.rules_file(machine, inner, rules)}" if rules else f"{outer},scatter"
        described = [] if machine == "here" else ["--machine", machine]
        before = [] if plainly else [self.library.command, "run", *described, given, "--"]
        return list(map(str, [*before, *arguments]))

    def settings(self, case, plainly=False, **more):
        variant = case[1]
        kept = {"OMP_WAIT_POLICY": "passive", "OMP_MAX_ACTIVE_LEVELS": "2", "KMP_HOT_TEAMS_MAX_LEVEL": "2", "OMP_NUM_THREADS": "8,8"}
        return running.environment(**kept, **self.programs.environment(variant), **({} if plainly else {"NESTBIND_QUIET": "1"}), **more)

    def run(self, words, env):
        status, out, err = running.run(words, 120, env=env)
        if status != 0:
            raise RuntimeError(f"{' '.join(words)}: status {status}: {err.strip()[-300:]}")
        return out

    def memory_and_locks(self, case, forks, plainly):
        words = self.run(self.words(case, forks, plainly), self.settings(case, plainly)).split()
        return collections.Counter(allocations=int(words[1]), locks=int(words[3]))

    def system_calls(self, case, forks, plainly):
        with tempfile.NamedTemporaryFile("r") as log:
            self.run(["strace", "-f", "--seccomp-bpf", "-qq", "-o", log.name, "-e", f"trace=!{WAITING}", *self.words(case, forks, plainly)],
                     self.settings(case, plainly, KMP_BLOCKTIME="infinite"))
            calls = collections.Counter()
            for line in log:
                words = line.split(None, 1)
                if len(words) == 2 and "(" in words[1] and not words[1].startswith(("<", "-", "+")):
                    calls[words[1].partition("(")[0]] += 1
            return calls

    def grown(self, measure, case, plainly):
        low, high = measure(case, FORKS, plainly), measure(case, 2 * FORKS, plainly)
        return {name: high[name] - low[name] for name in high}

    def calls(self, case):
        """The counts vary, because runtimes wait in several ways. So it is enough if one of three attempts shows no difference."""
        measures = [self.memory_and_locks] + ([self.system_calls] if shutil.which("strace") else [])
        faults = []
        for measure in measures:
            for _ in range(3):
                ours, plain = (self.grown(measure, case, plainly) for plainly in (False, True))
                more = [f"{FORKS} forks: {count} {name}, {plain.get(name, 0)} without the library" for name, count in sorted(ours.items())
                        if count - plain.get(name, 0) >= FORKS // 10]
                if not more:
                    break
            faults += more
        return faults

    def our_instructions(self, case, forks):
        """nestbind loads the hidden library after itself, by the variable that the command keeps."""
        words = self.words(case, forks)
        env = self.settings(case, LD_PRELOAD=str(self.hidden), GOMP_SPINCOUNT="0", KMP_BLOCKTIME="0")
        own, _ = callgrind.count(lambda before: self.run([*before, *words], env))
        return sum(count for name, count in own.items() if pathlib.Path(name or "").name.startswith("libnestbind"))

    def instructions_of_fork(self, case):
        low, high = (self.our_instructions(case, forks) for forks in (FORKS, 2 * FORKS))
        return (high - low) / FORKS

    def repeated(self, case):
        """From time to time a fork looks at masks. On a busy machine more of the forks do. So the smallest of three counts is the result."""
        if not shutil.which("valgrind"):
            return []
        least = min(self.instructions_of_fork(case) for _ in range(3))
        with self.lock:
            self.notes.append(f"{case[1]}: {least:.0f} instructions a repeated fork")
        return [] if 0 < least <= MOST_REPEATED[case[1]] else [f"{least:.1f} instructions a repeated fork, at most {MOST_REPEATED[case[1]]}"]

    def instructions(self, case):
        if not shutil.which("valgrind"):
            return []
        each = [self.instructions_of_fork((*case[:5], rules)) for rules in (2, case[5])]
        with self.lock:
            self.notes.append(f"{case[1]} {case[3]}x{case[4]}: {each[0]:.0f} instructions a fork with 2 rules in turn, {each[1]:.0f} with {case[5]}")
        return [] if 0 < each[1] <= MOST_INSTRUCTIONS * each[0] else [f"{each[0]:.1f} instructions a fork with 2 rules in turn, {each[1]:.1f} with {case[5]}"]

    def examine(self, seed):
        case = CASES[seed - 1]
        what, variant, machine, outer, inner, rules = case
        if variant not in self.programs.variants or (machine == "here" and len(os.sched_getaffinity(0)) < 2):
            return []
        faults = getattr(self, what)(case)
        if not faults:
            return []
        again = f"tests/sequences/run.py --kind counting --seed {seed} --count 1 {self.options.folder}"
        return [f"repeat it by: {again}", f"{what}, {variant}, {machine}, teams {outer}x{inner}, {rules} rules in turn", *faults]

    def close(self):
        return "; ".join(self.notes)
