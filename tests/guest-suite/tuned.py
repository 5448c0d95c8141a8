# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind tune on a NUMA machine. The measure is the share of a team's pages that are on the members' own nodes."""

import json
import os
import shlex

NAME = "tune"
MACHINE = "barcelona"
PROGRAM = "own_pages"
GOOD = "4,scatter,4,subscatter"  # each team is on the node of its primary thread
BAD = "4,scatter,4,scatter"      # each team is on all four nodes
SECONDS = 240  # seconds for about sixty runs of a second; two processors emulate sixteen


def add(boot, command, folder):
    """Adds the job, whose program is in `folder`."""
    words = [command, "tune", "--candidates", f"{GOOD};{BAD}", "--metric", "^own pages: ([0-9.]+) %$", "--higher", "--rounds", "11",
             "--json", "/tmp/tune.json", "--", os.path.join(folder, PROGRAM), "4", "4"]
    boot.add(NAME, shlex.join(words) + " >&2; status=$?; cat /tmp/tune.json; exit $status", SECONDS)


def judge(boot):
    """Returns the faults, as a list of texts."""
    result = boot.result(NAME)
    if result is None:
        return ["it was not run, or the guest ended before it"]
    status, output, errors = result
    if status != 0:
        return [f"status {status}: {output}{errors}"]
    layouts = json.loads(output)["layouts"]
    median = {one["name"]: one["values"]["median"] for one in layouts["candidates"]}
    first = layouts["candidates"][0]["name"]
    wrong = []
    # The share may be below 100 %, because another thread may have touched a page before.
    if median[GOOD] < 95 or median[BAD] > 50:
        wrong.append(f"{GOOD} has {median[GOOD]}, and {BAD} has {median[BAD]} per cent of its pages on its own nodes")
    # The runtime's own spread,close may be equally good.
    if median[first] < 95 or first in (BAD, "unbound"):
        wrong.append(f"{first} is first, with {median[first]} per cent")
    if layouts["finding"] != "better":
        wrong.append(f"the verdict is \"{layouts['finding']}\"")
    return [one + "\n" + errors for one in wrong]
