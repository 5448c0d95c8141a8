# SPDX-License-Identifier: BSD-3-Clause
"""Counts what repeated forks cost. If a team is like the team of the previous fork, the library must make no system call, allocation or
lock. In a loop that the library shares among the threads (a taken loop), an iteration must cost few instructions.

A program runs with N forks, and again with 2N forks. The difference between the counts is the cost of N forks. The system calls futex and
sched_yield are not counted, because the runtimes wait with them."""

import copy
import os
import re
import shutil
import tempfile
from collections import Counter

from case import Case
from chosen import EVERY_CASE, OTHER_ENTRIES

FORKS = 200
WAITING = "futex,sched_yield"
# A kept worker that sleeps blocks its signals, but a worker that spins does not. A thread sleeps while another thread writes a report.
SLEEPING = {"kept-workers": ",rt_sigprocmask", "kept-workers-and-a-report": ",rt_sigprocmask,nanosleep",
            "hot-teams-and-a-report": ",nanosleep"}
# In each shape, a team can have the same threads as the previous team. For level 2, the runtime or the library must keep the threads.
SHAPES = (
    ("level-1", {"libgomp", "libomp"}, "2,scatter", ["2"], {}),
    ("kept-workers", {"libgomp"}, "2,scatter,2,subcompact", ["2", "2"], {}),
    ("kept-workers-that-spin", {"libgomp"}, "1,scatter,2,subcompact", ["1", "2"], {"OMP_WAIT_POLICY": "active"}),
    ("hot-teams", {"libomp"}, "2,scatter,2,subcompact", ["2", "2"], {"KMP_HOT_TEAMS_MAX_LEVEL": "2"}),
    ("kept-workers-and-a-report", {"libgomp"}, "2,scatter,2,subcompact", ["2", "2"], {"NESTBIND_REPORT": "json:/dev/null"}),
    ("hot-teams-and-a-report", {"libomp"}, "2,scatter,2,subcompact", ["2", "2"],
     {"KMP_HOT_TEAMS_MAX_LEVEL": "2", "NESTBIND_REPORT": "json:/dev/null"}),
)

ITERATIONS = 2000
MOST_INSTRUCTIONS = 120  # for each chunk of one iteration
NEXT_ITERATIONS = ("GOMP_loop_*next", "__kmpc_dispatch_next_4")


def base_case(name, spec, shape, env, machine):
    run = ["repeat", "0"] + shape
    return Case(name=name, where="counts.py", machine=machine, spec=spec, run=run, env=dict(env))


def run_forks(runner, variant, case, forks, before, changes):
    once = copy.deepcopy(case)
    once.run[1] = str(forks)
    status, out, err = runner.run(variant, once, before, changes)
    if status != 0:
        raise RuntimeError(f"{case.run[0]} {forks}: status {status}: {err.strip()[:300]}")
    return out


def system_calls(runner, variant, case, forks, changes):
    waiting = WAITING + SLEEPING.get(case.name, "")
    with tempfile.NamedTemporaryFile("r", prefix="strace-", dir=runner.folder) as log:
        before = [shutil.which("strace"), "-f", "--seccomp-bpf", "-qq", "-o", log.name, "-e", f"trace=!{waiting}"]
        run_forks(runner, variant, case, forks, before, changes)
        calls = Counter()
        for line in log:
            words = line.split(None, 1)
            if len(words) == 2 and "(" in words[1] and not words[1].startswith(("<", "-", "+")):
                calls[words[1].partition("(")[0]] += 1
        return calls


def memory_and_locks(runner, variant, case, forks, changes):
    """Returns how many allocations and locks the forks need. A preloaded library counts them."""
    counter = os.path.join(variant.folder, "libcounter.so")
    preload = changes.get("LD_PRELOAD", "")
    joined = dict(changes, LD_PRELOAD=f"{counter}:{preload}".rstrip(":"))
    out = run_forks(runner, variant, case, forks, (), joined)
    for line in out.splitlines():
        if line.startswith("allocations "):
            words = line.split()
            return Counter(allocations=int(words[1]), locks=int(words[3]))
    raise RuntimeError("the counter was not loaded")


def growth(measure, *arguments, changes):
    """Returns the cost of N more forks."""
    low = measure(*arguments, FORKS, changes)
    high = measure(*arguments, 2 * FORKS, changes)
    return {name: high[name] - low[name] for name in high | low if high[name] > low[name]}


def compare(measure, runner, variant, case):
    """Returns the additional cost of forks with the library, as a list of lines. The counts vary, because runtimes wait in several ways. So
    it is enough if one of three attempts shows no difference."""
    loaded = {} if variant.linked else {"LD_PRELOAD": runner.library.preload}
    lines = []
    for _ in range(3):
        ours = growth(measure, runner, variant, case, changes=loaded)
        lines = []
        if any(count >= FORKS // 10 for count in ours.values()):
            native = growth(measure, runner, variant, case, changes={"LD_PRELOAD": ""})
            for name, count in sorted(ours.items()):
                if count - native.get(name, 0) >= FORKS // 10:
                    lines.append(f"{FORKS} forks: {count} {name}, {native.get(name, 0)} without the library")
        if not lines:
            return []
    return lines


def counted(runner, variant, case, test, measure):
    try:
        return test, compare(measure, runner, variant, case)
    except RuntimeError as error:
        return test, [str(error)]


def instructions(runner, variant, case, iterations):
    with tempfile.TemporaryDirectory(dir=runner.folder) as folder:
        log = os.path.join(folder, "counted")
        before = [shutil.which("valgrind"), "-q", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={log}"]
        run_forks(runner, variant, case, iterations, before + [f"--toggle-collect={name}" for name in NEXT_ITERATIONS], {})
        with open(log, encoding="utf-8") as lines:
            return int(re.search(r"^totals: (\d+)", lines.read(), re.MULTILINE)[1])


def counted_iterations(runner, variant, case, test):
    """If the library has not shared the loop, an iteration costs less than one instruction."""
    try:
        low, high = (instructions(runner, variant, case, count) for count in (ITERATIONS, 2 * ITERATIONS))
    except RuntimeError as error:
        return test, [str(error)]
    each = (high - low) / ITERATIONS
    return test, [] if 1 < each <= MOST_INSTRUCTIONS else [f"{each:.1f} instructions for an iteration"]


def check_iterations(runner, found, pool):
    if shutil.which("valgrind") is None:
        print("not run counts of iterations: no valgrind here")
        return []
    case = Case(name="iterations", where="counts.py", machine="barcelona", run=["taken", "0"], env={"NESTBIND_SCHEDULE": "hybrid,f=0,chunk=1"})
    return [pool.submit(counted_iterations, runner, variant, case, f"{variant.name} counts/iterations")
            for variant in found if variant.name in EVERY_CASE]


def check(runner, found, pool, is_all):
    """Returns a name and a list of faults for each shape and counter."""
    measures = [("memory", memory_and_locks)]
    if shutil.which("strace") is None:
        print("not run counts of system calls: no strace here")
    else:
        measures.append(("system-calls", system_calls))
    # On a described machine no mask is set in the kernel.
    machines = ["here 2"] if len(runner.allowed) > 1 else []
    machines += ["barcelona"] if is_all or not machines else []
    begun = check_iterations(runner, found, pool)
    for variant in found:
        if variant.linked or not (is_all or variant.name in EVERY_CASE + OTHER_ENTRIES):
            continue
        for name, runtimes, spec, shape, env in SHAPES:
            if variant.runtime not in runtimes:
                continue
            for machine in machines:
                case = base_case(name, spec, shape, env, machine)
                case.env["KMP_BLOCKTIME"] = "infinite"
                where = "here" if case.kernel else machine
                begun += [pool.submit(counted, runner, variant, case, f"{variant.name} counts/{name}-{counter}-{where}", measure)
                          for counter, measure in measures]
    return [test.result() for test in begun]
