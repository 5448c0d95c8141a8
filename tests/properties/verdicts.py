# SPDX-License-Identifier: BSD-3-Clause
"""Judges whether a kept worker is like a new thread, from the output of the cases."""

from dataclasses import dataclass, field

from outcomes import KEPT, MASTERS, Case, ways_of

# These errors mean that this machine, its kernel or this user does not allow the change.
NOT_HERE = {"EPERM", "EACCES", "ENOSPC", "ENOSYS", "EOPNOTSUPP", "ENXIO", "ENODEV"}

ALIKE = "alike"  # a kept worker has the same value as a new thread
FRESH = "fresh"  # after the change a new thread replaced the kept worker
DIFFERS = "differs"
UNKNOWN = "not here"


@dataclass
class Verdict:
    kind: str
    new: str = ""  # from where a new thread gets its value: see new_thread()
    reason: str = ""  # only for the kind UNKNOWN
    notes: list = field(default_factory=list)  # only for the kind DIFFERS
    faults: list = field(default_factory=list)  # reasons why the test itself proves nothing


def kept(told):
    return [way for way in KEPT if way in told]


def why_not_here(told):
    """Returns the reason why the case cannot run here."""
    if "unavailable" in told:
        return told["unavailable"]
    return told.get("set", "") if told.get("set") in NOT_HERE else ""


def seen(told):
    if "after" not in told:
        return {"status": told["status"]}
    return {name: told[name] for name in ("status", "before", "set", "after")}


def new_thread(row, told):
    """Returns "creator" if a new thread gets the property of the thread that creates it."""
    if told.get("set") != "good":
        return "nobody"
    if row.setter_is_blind:
        return "creator" if told["after"] != told["before"] else "nobody"
    return "creator" if told["after"] == told["setter"] and told["after"] != told["before"] else "nobody"


def verdict(row, direction, outcomes):
    result = Verdict(UNKNOWN)
    worst = []
    for master in MASTERS:
        told = {way: outcomes[Case(row.name, direction, master, way)] for way in ways_of(row)}
        reference = told["fresh" if row.is_placed else "native"]
        result.reason = result.reason or why_not_here(reference)
        if why_not_here(reference):
            continue
        where = f"{direction}, {master} master"
        result.faults += faults_of(row, where, reference, told)
        if not result.new or new_thread(row, reference) == "creator":
            result.new = new_thread(row, reference)
        for way in kept(told):
            kind = kind_of(seen(reference), told[way])
            worst.append(kind)
            if kind == DIFFERS:
                result.notes.append(f"{where}, {way}: {shown(told[way])}; new: {shown(reference)}")
    for kind in (ALIKE, FRESH, DIFFERS):
        if kind in worst:
            result.kind = kind
    return result


def kind_of(reference, told):
    if seen(told) != reference:
        return DIFFERS
    return ALIKE if told.get("thread") == "same" else FRESH


def shown(told):
    if "after" not in told:
        return f"status {told['status']} {told.get('errors', '').strip()[:200]}"
    return ", ".join(f"{name} {value}" for name, value in seen(told).items())


def faults_of(row, where, reference, told):
    """Returns the reasons why the case proves nothing, as a list of lines."""
    faults = []
    if "after" not in reference:
        return [f"{where}: a new thread's process fails: {shown(reference)}"]
    if seen(told["fresh"]) != seen(reference):
        faults.append(f"{where}: NESTBIND_WORKERS=fresh differs: {shown(told['fresh'])}; native: {shown(reference)}")
    if reference.get("kept") != "new":
        faults.append(f"{where}: without nestbind, a team has the threads of the last team")
    for way in kept(told):
        if told[way].get("kept", "same") != "same":
            faults.append(f"{where}, {way}: the worker is not kept, even before the change")
    if reference["set"] == "good" and not row.setter_is_blind and reference["setter"] == reference["setter-before"]:
        faults.append(f"{where}: the change changes nothing")
    return faults
