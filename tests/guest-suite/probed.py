# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind probe on an emulated NUMA machine. The nodes and caches of this machine exist only by name, and all accesses take the same
time. The probe must report no difference, and must not write a file."""

import json

NAME = "probe"
MACHINE = "barcelona"
# A pair of processors in one node, and processors of three nodes.
CPUS = "0,1,4,12"
FILES = "/tmp/measured.xml /tmp/measured.svg /tmp/nestbind-probed-*"
SECONDS = 120
# The probe runs up to this many times. If the host moves a processor during a measurement, one pair may seem nearer by chance. If numbers
# stay unreliable on a busy host, the test does not judge them.
TIMES = 3


def add(boot, command):
    words = f"{command} probe --cpus {CPUS} --json --save --xml /tmp/measured.xml --svg /tmp/measured.svg"
    boot.add(NAME, f"export XDG_RUNTIME_DIR=/tmp\nfor i in $(seq {TIMES}); do rm -f {FILES}; {words} >/tmp/found 2>/tmp/told; status=$?\n"
                   f"[ $status -eq 0 ] && grep -q '\"structure\": *false' /tmp/found && break; done\n"
                   f"cat /tmp/found; cat /tmp/told >&2; ls {FILES} >&2; exit $status", SECONDS)


def judge(boot):
    """Returns the faults, as a list of texts."""
    result = boot.result(NAME)
    if result is None:
        return ["it was not run, or the guest ended before it"]
    status, output, errors = result
    if status not in (0, 3):
        return [f"status {status}: {output}{errors}"]
    found = json.loads(output)
    wrong = []
    if found["reliable"] and (found["structure"] or found["classes"] != {"pairs": 1, "nodes": 1}):
        wrong.append(f"it found differences: {found['classes']}")
    if found["reliable"] != (status == 0):
        wrong.append(f"status {status}, reliable {found['reliable']}")
    kinds = [(kind["name"], kind["all"]) for kind in found["kinds"]]
    if kinds != [("same L3", 1), ("nodes 0 and 1", 2), ("nodes 0 and 3", 2), ("nodes 1 and 3", 1)]:
        wrong.append(f"kinds: {kinds}")
    if found["nodes"]["numbers"] != [0, 1, 3]:
        wrong.append(f"nodes: {found['nodes']['numbers']}")
    for option in ("--xml", "--save") if found["classes"]["nodes"] == 1 else ():
        if f"probe: {option}: nothing is written: no difference between distances of NUMA nodes" not in errors:
            wrong.append(f"it does not say that {option} writes nothing")
    # The picture may be written. It says that the results are unreliable.
    files = [file for file in FILES.split() if found["reliable"] or not file.endswith(".svg")]
    if any(f"{file}: No such file or directory" not in errors for file in files):
        wrong.append("it has written something")
    return [one + "\n" + errors for one in wrong]
