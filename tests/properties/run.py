#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares kept workers with new threads, property by property, and with what nestbind-workers(7) says.

usage: run.py [options] FOLDER      FOLDER: a build tree or an installed prefix with libnestbind.so
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # nothing is written beside the sources

import outcomes
import table
from verdicts import ALIKE, DIFFERS, FRESH, UNKNOWN, verdict

PAGE = outcomes.HERE.parents[1] / "docs" / "man" / "nestbind-workers.7"
LEAST_ROWS = 57  # of the table
DOCUMENTED = outcomes.HERE / "documented.txt"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="build tree or installed prefix")
    parser.add_argument("--build", type=pathlib.Path, help="where the program is compiled (FOLDER/properties)")
    parser.add_argument("--row", action="append", default=[], help="only properties whose name has this; repeatable")
    parser.add_argument("--write", action="store_true", help="write the manual's table")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    return parser.parse_args()


def read_documented():
    """Property -> the directions in which it differs, and the sentence that says so."""
    lines = [line.split("|") for line in DOCUMENTED.read_text(encoding="utf-8").splitlines()
             if line and not line.startswith("#")]
    return {name: (directions.split(), sentence) for name, directions, sentence in lines}


def judge(row, found, documented):
    """What is wrong with a row, as a list of lines."""
    directions, _ = documented.get(row.name, ((), ""))
    wrong = []
    for direction, one in found.items():
        wrong += one.faults
        if one.kind == DIFFERS and direction not in directions:
            wrong += one.notes
        if one.kind in (ALIKE, FRESH) and direction in directions:
            wrong.append(f"{direction}: documented as different, and is {one.kind}")
    return wrong


def show(row, found, wrong):
    kinds = ", ".join(f"{direction} {one.kind}" + (f" ({one.reason})" if one.kind == UNKNOWN else "")
                      for direction, one in found.items())
    print(f"{'FAIL' if wrong else 'ok  '} {row.name}: {kinds}")
    for line in wrong:
        print(f"       {line}")


def summary(verdicts, failed):
    kinds = [{one.kind for one in found.values()} for found in verdicts.values()]
    differ = sum(DIFFERS in one for one in kinds)
    unknown = sum(UNKNOWN in one and DIFFERS not in one for one in kinds)
    fresh = sum(FRESH in one and not one & {DIFFERS, UNKNOWN} for one in kinds)
    alike = sum(one == {ALIKE} for one in kinds)
    return (f"{len(kinds)} properties: {alike} alike, {fresh} by a new thread, {differ} different, "
            f"{unknown} not to be had here; {failed} failed")


def wanted_lines(rows, verdicts, documented, standing, write):
    """The table's lines. What cannot be had here stays as it stands, and is no new line; what can be had only
    on machines like this one becomes a line when it is written."""
    lines = []
    for row in rows:
        found = verdicts[row.name]
        is_unknown = UNKNOWN in {one.kind for one in found.values()}
        line = table.line_of(row, found["set"], found["left"], documented.get(row.name, ("", "differs"))[1])
        if row.name in standing:
            lines.append(standing[row.name] if is_unknown else line)
        elif not is_unknown and write:
            lines.append(line)
        elif not is_unknown:
            print(f"not in the table: {line.rstrip()}")
    return lines


def compare_page(rows, verdicts, documented, write):
    """Whether the page has the table."""
    page = PAGE.read_text(encoding="utf-8")
    standing = table.lines_of_page(page)
    lines = wanted_lines(rows, verdicts, documented, standing, write)
    wanted = table.page_with(page, lines)
    if write:
        PAGE.write_text(wanted, encoding="utf-8")
        return True
    if wanted == page and len(lines) >= LEAST_ROWS:
        return True
    print(f"FAIL {PAGE.name}: its table is not what comes out; run.py --write makes it")
    for line in lines:
        if standing[table.name_of(line)] != line:
            print(f"       wanted {line.rstrip()}\n       stands {standing[table.name_of(line)].rstrip()}")
    for name in standing.keys() - {row.name for row in rows}:
        print(f"       stands {standing[name].rstrip()}: there is no such property")
    return False


def main():
    arguments = parse_arguments()
    if shutil.which("gcc") is None:
        print("SKIP there is no gcc here")
        return 77
    library = next(iter(sorted(arguments.folder.resolve().rglob("libnestbind.so"))), None)
    if library is None:
        print(f"no libnestbind.so under {arguments.folder}")
        return 1
    try:
        program = outcomes.compile_program((arguments.build or arguments.folder / "properties").resolve())
    except subprocess.CalledProcessError as error:
        print(error)
        return 1
    every = outcomes.properties(program)
    rows = [row for row in every if not arguments.row or any(text in row.name for text in arguments.row)]
    told = outcomes.run_all(program, library, rows, arguments.jobs)
    documented = read_documented()
    verdicts = {}
    failed = 0
    for row in rows:
        verdicts[row.name] = {direction: verdict(row, direction, told) for direction in outcomes.DIRECTIONS}
        wrong = judge(row, verdicts[row.name], documented)
        failed += bool(wrong)
        show(row, verdicts[row.name], wrong)
    for name in documented.keys() - {row.name for row in every}:
        print(f"FAIL {DOCUMENTED.name}: {name}: there is no such property")
        failed += 1
    if len(rows) == len(every):
        failed += not compare_page(rows, verdicts, documented, arguments.write)
    print(summary(verdicts, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
