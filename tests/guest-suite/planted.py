# SPDX-License-Identifier: BSD-3-Clause
"""nestbind memory on programs in which memory lies wrong, or right, on purpose (../programs/planted.c): the report has to name
the region, the function and line that touched it first, its users and what mends it; where nothing is wrong, that; and what
cannot be seen where the kernel does not allow it."""

import json
import os
import re
import shlex
import subprocess

from scanned import BALANCED, BOUND, HUGE, PATIENCE, PROGRAMS, SECONDS

SCANS = 6  # of the kernel's, until a program ends
# For each program: words, the function that is first, and the remedy.
PLANTED = {
    "parts": (["planted", "parts"], "init_grid", "block"),
    "fortran": (["planted_fortran"], "init_grid", "block"),
    "static": (["planted", "static"], "init_grid", "block"),
    "shared": (["planted", "shared"], "init_grid", "interleave"),
    "good": (["planted", "good"], "init_parts", "none"),
    "private": (["planted", "private"], "init_grid", "none"),
    "teams": (["planted", "teams"], "init_grid", "local"),
}
# Programs with huge pages: these are larger, as a huge page where two parts meet is used by two.
HUGE_PLANTED = {"huge": PLANTED["parts"]}

# Of what is on one of four nodes, per cent: a quarter, and more where who comes first to a page has it all to itself.
LOCAL = {"shared": 75, "teams": 5}

# Of what is where it was touched first, when it is looked at for the first time. Until 64 MB are there the kernel has begun to move them.
FIRST = {"huge": 0.5}


def line_of(function, source):
    with open(os.path.join(PROGRAMS, source), encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if f"PLANTED: {function}" in line)


def build(folder):
    os.makedirs(folder, exist_ok=True)
    flags = ["-g", "-O1", "-fopenmp"]
    planted = [os.path.join(folder, name) for name in ("planted", "planted_fortran")]
    subprocess.run(["gcc", *flags, os.path.join(PROGRAMS, "planted.c"), "-o", planted[0]], check=True)
    subprocess.run(["gfortran", *flags, "-J", folder, os.path.join(PROGRAMS, "planted_fortran.f90"), "-o", planted[1]], check=True)
    return planted


def users_of(region):
    return [node for node, part in enumerate(region["users"]) if part >= 5]


def told_in(errors):
    """The report, which is the last line; None where that is none."""
    try:
        return json.loads(errors.strip().splitlines()[-1])["memory"]
    except (IndexError, ValueError):
        return None


def faults(name, result):
    """What is wrong with the report of a planted program."""
    if result is None:
        return ["it was not run, or the guest ended before it"]
    status, output, errors = result
    words, function, remedy = (PLANTED | HUGE_PLANTED)[name]
    if status != (0 if name == "fortran" else 3) or not output.startswith(words[-1] if name != "fortran" else name):
        return [f"status {status}: {output}{errors}"]
    told = told_in(errors)
    if told is None:
        return [f"no report: {errors}"]
    if told["tier"] != "hints" or told["hints"] == 0:
        return [f"no hint faults: {told['circumstances']}"]
    regions = told["regions"]
    wrong = []
    if len(regions) != (4 if name == "private" else 1):
        wrong.append(f"{len(regions)} regions")
    line = line_of(function, words[0] + (".f90" if name == "fortran" else ".c"))
    for region in regions:
        source = region["first_touch"].get("source", [{}])[0]
        if function not in source.get("function", "") or source.get("line") != line:
            wrong.append(f"first touched in {source}, which is line {line} of {function}")
        if region["remedy"] != remedy:
            wrong.append(f"the remedy is {region['remedy']}")
        if f":{line})" not in region["text"]:
            wrong.append("the text does not name the line")
        users = users_of(region)
        if len(users) != {"private": 1, "teams": 1}.get(name, 4):
            wrong.append(f"users: {region['users']}")
        if name == "teams" and users != [3]:
            wrong.append(f"used by {users}")
        if name == "static" and region["name"] != "table":
            wrong.append(f"the array is {region['name']}")
        first = region["bytes_on"]
        if remedy != "none" and (first[0] < FIRST.get(name, 0.95) * sum(first) or region["local"] > LOCAL.get(name, 40)):
            wrong.append(f"it lay on {first}, local {region['local']}")
        if remedy == "none" and region["local"] < 90:
            wrong.append(f"local {region['local']}")
        if (remedy == "none") != ("nothing to fix" in region["text"]):
            wrong.append("what is to be done")
    return wrong + ([errors] if wrong else [])


# As nobody, where the administrator has allowed it, and where not.
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
        wrong.append("the first touch is not told")
    if paranoid == 3 and (told["tier"] != "pages" or touch["thread"] != -1 or
                          "sysctl kernel.perf_event_paranoid=2" not in told["circumstances"]):
        wrong.append("the administrator's line is not told")
    if sum(told["regions"][0]["bytes_on"]) == 0:
        wrong.append("where it is is not told")
    return wrong + ([errors] if wrong else [])


class Planted:
    """The programs that are chosen, as jobs of a boot."""

    def __init__(self, tree, folder):
        self.programs = build(folder)
        self.folder = folder
        self.command = os.path.join(tree, "bin", "nestbind")
        self.memory = [self.command, "memory", "--min", "8M"]
        self.names = []
        self.privileges = []

    def files(self):
        """Whose libraries are needed, and what else is."""
        return [*self.programs, self.command, "/usr/bin/setpriv"], libdw_files()

    def add(self, boot, is_wanted, alone):
        for name in PLANTED | HUGE_PLANTED:
            if is_wanted(name):
                self.add_one(boot, name, name in HUGE_PLANTED, alone)
        for paranoid in (2, 3) if is_wanted("paranoid") else ():
            boot.add(f"paranoid-{paranoid}", BALANCED + BOUND + unprivileged(paranoid, self.memory, self.programs[0]))
            self.privileges.append(paranoid)

    def add_one(self, boot, name, huge, alone):
        size = ["64"] if huge else [] if name == "fortran" else ["16"]
        program, *words = (PLANTED | HUGE_PLANTED)[name][0]
        line = [*self.memory, "--json", "--", os.path.join(self.folder, program), *words, str(SECONDS), *size, str(SCANS)]
        setting = HUGE.format("always" if huge else "never")
        # Where several threads touch memory first at the same time, others beside them would have samples lost.
        group = None if alone or name in ("good", "private") else setting
        boot.add(name, setting + BALANCED + BOUND + shlex.join(line), PATIENCE, group)
        self.names.append(name)

    def judge(self, boot):
        """(name, what is wrong, what is to be printed) of each."""
        judged = [(name, faults(name, boot.result(name)), "") for name in self.names]
        return judged + [("paranoid", faults_of_unprivileged(one, boot.result(f"paranoid-{one}")), f"perf_event_paranoid {one}")
                         for one in self.privileges]


def libdw_files():
    """The library that is loaded for source lines, and what that needs."""
    listed = subprocess.run(["ldconfig", "-p"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    found = re.findall(r"libdw\.so\.1 .*=> (/\S+)", listed)[:1]
    needed = subprocess.run(["ldd", *found], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout if found else ""
    return found + sorted(set(re.findall(r"=> (/\S+)", needed)))
