# SPDX-License-Identifier: BSD-3-Clause
"""nestbind probe on an emulated NUMA machine, whose nodes and caches are names only: all of it takes equally long, and the
probe has to say so, and to write nothing."""

import json

NAME = "probe"
MACHINE = "barcelona"
# A pair in a node, and three nodes; sixteen processors that wait by looking are too many for the two that play them.
CPUS = "0,1,4,12"
FILES = "/tmp/measured.xml /tmp/measured.svg /tmp/nestbind-probed-*"
SECONDS = 60


def add(boot, command):
    boot.add(NAME, f"XDG_RUNTIME_DIR=/tmp {command} probe --cpus {CPUS} --json --save --xml /tmp/measured.xml --svg /tmp/measured.svg\n"
                   f"status=$?; ls {FILES} >&2; exit $status", SECONDS)


def judge(boot):
    """What is wrong, as a list of texts."""
    result = boot.result(NAME)
    if result is None:
        return ["it was not run, or the guest ended before it"]
    status, output, errors = result
    if status not in (0, 3):
        return [f"status {status}: {output}{errors}"]
    found = json.loads(output)
    wrong = []
    if found["structure"] or found["classes"] != {"pairs": 1, "nodes": 1}:
        wrong.append(f"it found differences: {found['classes']}")
    if found["reliable"] != (status == 0):
        wrong.append(f"status {status}, reliable {found['reliable']}")
    kinds = [(kind["name"], kind["all"]) for kind in found["kinds"]]
    if kinds != [("same L3", 1), ("nodes 0 and 1", 2), ("nodes 0 and 3", 2), ("nodes 1 and 3", 1)]:
        wrong.append(f"kinds: {kinds}")
    if found["nodes"]["linux"] != [0, 1, 3]:
        wrong.append(f"nodes: {found['nodes']['linux']}")
    for option in ("--xml", "--save"):
        if f"probe: {option}: nothing is written: no difference between distances of NUMA nodes" not in errors:
            wrong.append(f"it does not say that {option} writes nothing")
    if errors.count("No such file or directory") != len(FILES.split()):
        wrong.append("it has written something")
    return [one + "\n" + errors for one in wrong]
