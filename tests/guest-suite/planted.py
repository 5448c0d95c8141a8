# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind memory on programs with memory on the wrong or the right nodes (../programs/planted.c)."""

import json
import os
import re
import shlex
import subprocess

from scanned import BOUND, HUGE, PATIENCE, PROGRAMS, SECONDS

SCANS = 6  # scans of the kernel until a program ends
# For each use of memory: the function that makes the first touch, the remedy, and how many nodes use a region.
KINDS = {
    "parts": ("init_grid", "block", 4),
    "cleared": ("clear_grid", "block", 4),
    "static": ("init_grid", "block", 4),
    "shared": ("init_grid", "interleave", 4),
    "good": ("init_parts", "none", 4),
    "private": ("init_grid", "none", 1),
    "teams": ("init_grid", "local", 1),
    # nestbind_memory_spread would use only two of four nodes here: the nodes of the outer team's members.
    "nested": ("init_grid", "own", 4),
}
BUILDS = {"gcc": "planted", "clang": "planted_clang", "fortran": "planted_fortran", "cxx": "planted_cxx"}
# Each entry has the build, the use of memory, and the kind of pages.
PLANTED = ("gcc-parts", "fortran-parts", "gcc-static", "gcc-shared", "gcc-good", "gcc-private", "gcc-teams", "gcc-parts-huge")
MORE = ("clang-parts", "clang-parts-huge", "clang-shared", "clang-teams", "clang-cleared", "fortran-parts-huge", "cxx-parts",
        "cxx-parts-huge", "cxx-shared", "gcc-shared-huge", "gcc-teams-huge", "gcc-parts-spec", "gcc-parts-huge-spec",
        "gcc-nested-spec", "gcc-nested-huge-spec", "gcc-shared-spec", "gcc-shared-huge-spec", "gcc-teams-spec", "gcc-teams-huge-spec",
        "gcc-good-huge", "clang-good", "gcc-private-huge", "gcc-good-spec", "clang-private", "gcc-shared-numactl",
        "gcc-parts-huge-numactl", "cxx-shared-numactl")
CALLS = ("block", "interleave", "local")  # the ways of nestbind_memory_spread
SPECIFICATIONS = {"nested": "2,scatter,2,subscatter"}

# At most this percentage of the uses may be local. The memory is on one of four nodes.
LOCAL = {"shared": 80, "teams": 5}


def line_of(function, source):
    with open(os.path.join(PROGRAMS, source), encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if f"PLANTED: {function}" in line)


def imbalance(numbers):
    mean = sum(numbers) / len(numbers)
    return 100 * (sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)) ** 0.5 / mean


def build(folder):
    os.makedirs(folder, exist_ok=True)
    flags = ["-g", "-O1", "-fopenmp"]
    made = {name: os.path.join(folder, program) for name, program in BUILDS.items()}
    for tool, name, source in (("gcc", "gcc", "planted.c"), ("clang-19", "clang", "planted.c"),
                               ("gfortran", "fortran", "planted_fortran.f90"), ("g++", "cxx", "planted_cxx.cpp")):
        more = ["-J", folder] if name == "fortran" else []
        subprocess.run([tool, *flags, *more, os.path.join(PROGRAMS, source), "-o", made[name]], check=True)
    return list(made.values())


def users_of(region):
    # nestbind sees only some of the local uses of huge pages.
    return [node for node, part in enumerate(region["users"]) if part >= 3]


def told_in(errors):
    """Returns the report, which is the last line, or None if the last line is not a report."""
    try:
        return json.loads(errors.strip().splitlines()[-1])["memory"]
    except (IndexError, ValueError):
        return None


def faults(name, result):
    """Returns the faults in the report of a planted program."""
    if result is None:
        return ["it was not run, or the guest ended before it"]
    status, output, errors = result
    built, kind, *more = name.split("-")
    function, remedy, nodes = KINDS[kind]
    if status != (0 if built == "fortran" else 3) or not output.startswith("fortran" if built == "fortran" else kind):
        return [f"status {status}: {output}{errors}"]
    told = told_in(errors)
    if told is None:
        return [f"no report: {errors}"]
    if told["tier"] != "hints" or (told["hints"] == 0 and "numactl" not in more):
        return [f"no hint faults: {told['circumstances']}"]
    regions = told["regions"]
    wrong = []
    if len(regions) != (4 if kind == "private" else 1):
        wrong.append(f"{len(regions)} regions")
    source_file = {"fortran": "planted_fortran.f90", "cxx": "planted_cxx.cpp"}.get(built, "planted.c")
    function = "main" if built == "cxx" else function
    line = line_of(function, source_file)
    for region in regions:
        source = region["first_touch"].get("source", [{}])[0]
        if function not in source.get("function", "") or source.get("line") != line:
            wrong.append(f"first touched in {source}, which is line {line} of {function}")
        if f":{line})" not in region["text"]:
            wrong.append("the text does not name the line")
        users = users_of(region)
        first = region["bytes_on"]
        if "numactl" in more:
            if region["remedy"] != "unseen" or max(first) > 0.3 * sum(first):
                wrong.append(f"interleaved memory has the remedy {region['remedy']}, and is on {first}")
            continue
        if remedy == "none" and "huge" in more and region["remedy"] == "unseen" and region["samples"] < region["samples_needed"]:
            continue  # the region has too few pages for a verdict
        if region["remedy"] != remedy:
            wrong.append(f"the remedy is {region['remedy']}")
        if len(users) != nodes:
            wrong.append(f"users: {region['users']}")
        if kind == "teams" and users != [3]:
            wrong.append(f"used by {users}")
        if kind == "static" and region["name"] != "table":
            wrong.append(f"the array is {region['name']}")
        # Before its first team a thread of LLVM's runtime may be on any node. Huge pages may have moved before the first look.
        if remedy != "none" and (max(first) < (0.9 if "huge" in more else 0.95) * sum(first) or region["local"] > LOCAL.get(kind, 40)):
            wrong.append(f"the bytes are on {first}, local {region['local']}")
        if "spec" in more and remedy in CALLS:
            wrong += faults_of_promise(name, region, output)
        if remedy == "none" and region["local"] < 90:
            wrong.append(f"local {region['local']}")
        if (remedy == "none") != ("nothing to fix" in region["text"]):
            wrong.append("what is to be done")
    return wrong + ([errors] if wrong else [])


def counted_in(output):
    """Returns the local share and the imbalance that the program has counted after the advised call."""
    found = re.search(r"^(?:block|interleave|local) 0 uses (\d+) local (\d+) on (\d+) (\d+) (\d+) (\d+) ", output, re.MULTILINE)
    if found is None:
        return None
    uses, local, *on = map(int, found.groups())
    return 100 * local / uses, imbalance(on)


def faults_of_promise(name, region, output):
    """Whether the remedy has the effect that the report has promised."""
    counted = counted_in(output)
    if counted is None:
        return ["the program has not made the advised call"]
    margin = 10 if "huge" in name else 5
    wrong = []
    for what, number in zip(("local", "imbalance"), counted):
        promised = region.get(what + "_then", -100)
        if abs(promised - number) > margin:
            wrong.append(f"promised {what} {promised:.1f}, counted {number:.1f}")
    # Four nodes cannot have equal parts of the 31 huge pages. The small pages at the ends of the array fill the gap.
    if region["remedy"] == "interleave" and counted[1] > 3:
        wrong.append(f"interleaved with an imbalance of {counted[1]:.1f}")
    return wrong


def shown_of(result):
    """Returns the part of a report that the test prints."""
    told = told_in(result[2]) if result else None
    if told is None:
        return ""
    shown = f"hints {told['hints']}, unclear {told['unclear']}, lost {told['lost']}"
    for region in told["regions"]:
        then = f" -> local {region['local_then']:.0f}, imbalance {region['imbalance_then']:.0f}" if "local_then" in region else ""
        shown += (f"; {region['remedy']} by {region['samples']}: local {region['local']:.0f}, imbalance {region['imbalance']:.0f}"
                  f"{then}")
    counted = counted_in(result[1])
    return shown + (f"; counted: local {counted[0]:.1f}, imbalance {counted[1]:.1f}" if counted else "")


# Runs the command as user 65534 ("nobody"). The value `paranoid` decides if this user may sample.
def unprivileged(paranoid, command, program):
    return f"echo {paranoid} >/proc/sys/kernel/perf_event_paranoid\n" \
           "mkdir -p -m 777 /tmp/nobody; export TMPDIR=/tmp/nobody\n" \
           f"/usr/bin/setpriv --reuid 65534 --regid 65534 --clear-groups {shlex.join(command)} --json -- {program} parts 5"


def faults_of_unprivileged(paranoid, result):
    if result is None:
        return ["it was not run, or the guest ended before it"]
    status, output, errors = result
    if status != 3 or output != "parts 1\n":
        return [f"status {status}: {output}{errors}"]
    told = told_in(errors)
    if told is None:
        return [f"no report: {errors}"]
    touch = told["regions"][0]["first_touch"]
    wrong = []
    if paranoid == 2 and (told["tier"] != "hints" or touch.get("source", [{}])[0].get("function") != "init_grid"):
        wrong.append("the first touch is missing")
    if paranoid == 3 and (told["tier"] != "pages" or touch["thread"] != -1 or
                          "sysctl kernel.perf_event_paranoid=2" not in told["circumstances"]):
        wrong.append("the report does not show the administrator's line")
    if sum(told["regions"][0]["bytes_on"]) == 0:
        wrong.append("the report does not say on which nodes the memory is")
    return wrong + ([errors] if wrong else [])


class Planted:
    """The chosen programs, as jobs of a boot."""

    def __init__(self, tree, folder, settings):
        self.settings = settings  # shell commands that set the kernel's scans
        self.programs = build(folder)
        self.folder = folder
        self.command = os.path.join(tree, "bin", "nestbind")
        self.memory = [self.command, "memory", "--min", "8M"]
        self.names = []
        self.privileges = []

    def files(self):
        """Returns the programs whose libraries are needed, and other files that are needed."""
        return [*self.programs, self.command, "/usr/bin/setpriv"], libdw_files()

    def add(self, boot, is_wanted, alone):
        for name in PLANTED + MORE:
            if is_wanted(name):
                self.add_one(boot, name, alone)
        for paranoid in (2, 3) if is_wanted("paranoid") else ():
            boot.add(f"paranoid-{paranoid}", self.settings + BOUND + unprivileged(paranoid, self.memory, self.programs[0]))
            self.privileges.append(paranoid)

    def add_one(self, boot, name, alone):
        built, kind, *more = name.split("-")
        size = ["64" if "huge" in more else "16"]
        program = os.path.join(self.folder, BUILDS[built])
        words = [str(SECONDS), *size, str(SCANS)] if built == "fortran" else [kind, str(SECONDS), *size, str(SCANS)]
        line = shlex.join([*(["numactl", "--interleave=all"] if "numactl" in more else []), program, *words])
        setting = HUGE.format("always" if "huge" in more else "never") + self.settings
        if "spec" in more:
            specification = SPECIFICATIONS.get(kind, "4,scatter")
            seats = "taskset -c $SEAT,$((SEAT+4)),$((SEAT+8)),$((SEAT+12)) "
            fixed = shlex.join([self.command, "run", specification, "--", program, kind, "1", *size])
            line = "export OMP_WAIT_POLICY=passive\n" + seats + \
                   shlex.join([self.command, "run", "--memory=advise,min=8M,json", specification, "--"]) + f" {line}\n" + \
                   (f"FIX={KINDS[kind][1]} {seats}{fixed}" if KINDS[kind][1] in CALLS else "")
        else:
            line = BOUND + shlex.join([*self.memory, "--json", "--"]) + " " + line
        # Other programs lose samples while several threads make first touches.
        group = None if alone or kind in ("good", "private") else "huge" in more
        boot.add(name, setting + line, PATIENCE, group)
        self.names.append(name)

    def judge(self, boot):
        judged = [(name, faults(name, boot.result(name)), shown_of(boot.result(name))) for name in self.names]
        return judged + [("paranoid", faults_of_unprivileged(one, boot.result(f"paranoid-{one}")), f"perf_event_paranoid {one}")
                         for one in self.privileges]


def libdw_files():
    """Returns the library that finds source lines, and the libraries that it needs."""
    listed = subprocess.run(["ldconfig", "-p"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    found = re.findall(r"libdw\.so\.1 .*=> (/\S+)", listed)[:1]
    needed = subprocess.run(["ldd", *found], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout if found else ""
    return found + sorted(set(re.findall(r"=> (/\S+)", needed)))
