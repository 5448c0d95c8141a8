# SPDX-License-Identifier: BSD-3-Clause
"""Makes C programs with random worksharing loops in nested teams. A seed always gives the same program."""

import random

# For each type: its size in bits, and whether it is signed.
TYPES = {"int": (32, True), "long": (64, True), "unsigned": (32, False), "unsigned long": (64, False), "short": (16, True),
         "unsigned char": (8, False)}
SECOND = 3  # iterations of the inner loop, if two loops are collapsed
MOST_LOOPS = 4  # in one team
DEEPEST = 2  # levels of teams below the outermost team

BETWEEN = ("#pragma omp barrier", "#pragma omp single\nsched_yield();", "#pragma omp single nowait\nsched_yield();",
           "#pragma omp sections nowait\n{\n#pragma omp section\nsched_yield();\n#pragma omp section\nsched_yield();\n}",
           "#pragma omp for schedule(static) nowait\nfor (int other = 0; other < 9; ++other) sched_yield();",
           "#pragma omp critical\nsched_yield();", "#pragma omp master\n{\n#pragma omp task\nsched_yield();\n}")


def literal(value, kind):
    if value == -2**63:
        return "(-0x7fffffffffffffffL - 1)"
    return f"({kind}){value}{'L' if TYPES[kind][1] else 'UL'}"


class Loop:
    """A random loop: its type, first value (also near the limits of the type), step and clauses."""

    def __init__(self, draw):
        self.kind = draw.choices(list(TYPES), (8, 5, 4, 5, 1, 1))[0]
        bits, is_signed = TYPES[self.kind]
        self.count = min(draw.choice((0, 1, 2, 3, draw.randint(4, 60), draw.randint(10, 200), 127, 900)), 30 if bits == 8 else 900)
        self.step = draw.choice((1, 1, 1, 2, 3, 7))
        if bits >= 32 and draw.random() < 0.1:  # The end of a chunk may overflow.
            self.count, self.step = draw.randint(1, 100), draw.choice((2**(bits - 8), 2**(bits - 8) - 1))
        least, most = (-2**(bits - 1), 2**(bits - 1) - 1) if is_signed else (0, 2**bits - 1)
        self.is_up = not is_signed or draw.random() < 0.7
        span = self.step * self.count
        first, last = (least, most - span) if self.is_up else (least + span, most)
        self.begin = draw.choice((max(first, min(last, 0)), first, last, max(first, min(last, draw.randint(-50, 50)))))
        ragged = draw.randint(0, self.step - 1) if self.count > 0 and draw.random() < 0.4 else 0
        self.end = self.begin + span - ragged if self.is_up else self.begin - span + ragged
        self.draw_clauses(draw)

    def draw_clauses(self, draw):
        self.schedule = draw.choices(("runtime", "dynamic", "guided", "auto", "static"), (45, 22, 18, 5, 10))[0]
        self.is_ordered = draw.random() < 0.08 and self.count > 0
        self.is_collapsed = draw.random() < 0.15 and self.count > 0 and TYPES[self.kind][0] >= 32 and self.step < 100
        self.is_reduced = draw.random() < 0.5
        self.is_nowait = draw.random() < 0.45 and not self.is_ordered
        modifier = draw.choice(("", "", "monotonic: ", "nonmonotonic: "))
        has_modifier = self.schedule in ("runtime", "dynamic", "guided") and not self.is_ordered
        chunk = draw.choice(("", ", 1", ", 2", ", 7", ", 50"))
        self.schedule = (f"schedule({modifier if has_modifier else ''}{self.schedule}"
                         f"{chunk if self.schedule in ('dynamic', 'guided', 'static') else ''})")

    @property
    def iterations(self):
        return self.count * (SECOND if self.is_collapsed else 1)

    def name(self):
        return f"{self.kind} from {self.begin} by {'' if self.is_up else '-'}{self.step}, {self.iterations} times, {self.schedule}"

    def text(self, number, directive="for"):
        clauses = [self.schedule] + ["ordered"] * self.is_ordered + ["collapse(2)"] * self.is_collapsed
        clauses += [f"reduction(+: reduced{number})"] * self.is_reduced + ["nowait"] * (self.is_nowait and directive == "for")
        far = "(number)i - (number)from" if self.is_up else "(number)from - (number)i"
        lines = [f"{{ const {self.kind} from = {literal(self.begin, self.kind)}, to = {literal(self.end, self.kind)};",
                 f"#pragma omp {directive} {' '.join(clauses)}",
                 f"for ({self.kind} i = from; i {'<' if self.is_up else '>'} to; i {'+' if self.is_up else '-'}= {self.step})"]
        lines += [f"for (int j = 0; j < {SECOND}; ++j)"] * self.is_collapsed
        at = f"({far}) / {self.step} * {SECOND} + (number)j" if self.is_collapsed else f"({far}) / {self.step}"
        lines += [f"{{ const number at = {at};", f'run(team, {number}, at, {self.iterations}, "{self.name()}");']
        lines += [f"reduced{number} += mixed(at);"] * self.is_reduced
        lines += ["#pragma omp ordered", f'come(team, {number}, at, {self.iterations}, "{self.name()}");'] * self.is_ordered
        return [*lines, "} }"]


class Program:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.functions = []
        self.names = 0

    def new_name(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    def add(self, name, arguments, lines):
        self.functions.append("\n".join([f"static __attribute__((noinline)) void {name}({arguments}) {{", *lines, "}", ""]))

    def loop_of_team(self, number):
        """Returns lines for the parallel region, and the loop."""
        loop = Loop(self.draw)
        if self.draw.random() < 0.6:
            return loop.text(number), loop
        loop.is_reduced = False  # the function that forks the team must have the variable of a reduction
        name = self.new_name("orphan")
        self.add(name, "struct team* team", loop.text(number))
        return [f"{name}(team);"], loop

    def team(self, depth):
        """Adds a function that forks a team and checks its loops, and returns the function's name."""
        if self.draw.random() < 0.2:
            return self.combined()
        loops, body = [], []
        for _ in range(self.draw.randint(2, 6)):
            what = self.draw.random()
            if what < 0.6 and len(loops) < MOST_LOOPS:
                lines, loop = self.loop_of_team(len(loops))
                loops.append(loop)
                body += lines
            elif what < 0.75 and depth < DEEPEST:
                name, size = self.team(depth + 1), self.draw.choice(("1", "2", "3", "1 + time % 3"))
                # Any thread may execute a task, so the size in a task must not depend on the thread.
                body += self.draw.choice(([f"{name}({size});"], [f"{name}(1 + omp_get_thread_num() % 3);"],
                                          [f"if (omp_get_thread_num() == 0) {name}({size});"],
                                          ["#pragma omp single nowait", "{", "#pragma omp task", f"{name}({size});", "}",
                                           "#pragma omp taskwait"]))
            else:
                body.append(self.draw.choice(BETWEEN))
        times = self.draw.choice((1, 1, 2, 3))
        name = self.new_name("team")
        self.add(name, "int threads", ["struct team* team = new_team();", *self.sums_of(loops), "#pragma omp parallel num_threads(threads)",
                                       f"for (int time = 0; time < {times}; ++time) {{", *body, "(void)time;", "}",
                                       *self.checks_of(loops, times), "free(team);"])
        return name

    def combined(self):
        loop = Loop(self.draw)
        name = self.new_name("combined")
        self.add(name, "int threads", ["struct team* team = new_team();", *self.sums_of([loop]),
                                       *loop.text(0, "parallel for num_threads(threads)"), *self.checks_of([loop], 1), "free(team);"])
        return name

    @staticmethod
    def sums_of(loops):
        return [f"number reduced{number} = 0;" for number, loop in enumerate(loops) if loop.is_reduced]

    @staticmethod
    def checks_of(loops, times):
        return [f'check(team, {number}, {loop.iterations}, {times}, {f"&reduced{number}" if loop.is_reduced else "NULL"}, "{loop.name()}");'
                for number, loop in enumerate(loops)]

    def text(self):
        teams = [self.team(0) for _ in range(4)]
        calls = [f"{self.draw.choice(teams)}({self.draw.choice(('1', '2', '3', '4', '1 + round % 4'))});" for _ in range(6)]
        main = ["int main(void) {", "omp_set_max_active_levels(3);", "for (int round = 0; round < 4; ++round) {",
                *[f"{team}(2);" for team in teams], *calls, "}", "return tell();", "}", ""]
        return '#include "teams.h"\n\n' + "\n".join(self.functions) + "\n" + "\n".join(main)


def program(seed):
    return Program(seed).text()
