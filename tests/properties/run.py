#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares kept workers with new threads, property by property. Compares the results with the table in nestbind-workers(7).

usage: run.py [options] FOLDER      FOLDER: a build tree or an installed prefix with libnestbind.so
"""

import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "runner"))

import outcomes  # noqa: E402
import running
import table
from verdicts import ALIKE, DIFFERS, FRESH, UNKNOWN, verdict

PAGE = outcomes.HERE.parents[1] / "docs" / "man" / "nestbind-workers.7"
LEAST_ROWS = 50  # of the table
DOCUMENTED = outcomes.HERE / "documented.txt"


def parse_arguments():
    parser = running.parser(__doc__, without=("--all",))
    parser.add_argument("--write", action="store_true", help="write the manual's table")
    return parser.parse_args()


def read_documented():
    lines = [line.split("|") for line in DOCUMENTED.read_text(encoding="utf-8").splitlines()
             if line and not line.startswith("#")]
    return {name: (directions.split(), sentence) for name, directions, sentence in lines}


def judge(row, found, documented):
    """Returns the faults of a row, as a list of lines."""
    directions, _ = documented.get(row.name, ((), ""))
    wrong = []
    for direction, one in found.items():
        wrong += one.faults
        if one.kind == DIFFERS and direction not in directions:
            wrong += one.notes
        if one.kind in (ALIKE, FRESH) and direction in directions:
            wrong.append(f"{direction}: documented as different, but is {one.kind}")
    return wrong


def title(row, found):
    return f"{row.name}: " + ", ".join(f"{direction} {one.kind}" + (f" ({one.reason})" if one.kind == UNKNOWN else "")
                                       for direction, one in found.items())


def summary(verdicts):
    kinds = [{one.kind for one in found.values()} for found in verdicts.values()]
    differ = sum(DIFFERS in one for one in kinds)
    unknown = sum(UNKNOWN in one and DIFFERS not in one for one in kinds)
    fresh = sum(FRESH in one and not one & {DIFFERS, UNKNOWN} for one in kinds)
    alike = sum(one == {ALIKE} for one in kinds)
    return (f"{len(kinds)} properties: {alike} alike, {fresh} by a new thread, {differ} different, "
            f"{unknown} not possible here")


def wanted_lines(rows, verdicts, documented, standing, write):
    """If this machine lacks a property, the line in the manual stays as it is. Only --write makes new lines."""
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
    """Returns the faults of the page's table, as a list of lines."""
    page = PAGE.read_text(encoding="utf-8")
    standing = table.lines_of_page(page)
    lines = wanted_lines(rows, verdicts, documented, standing, write)
    wanted = table.page_with(page, lines)
    if write:
        PAGE.write_text(wanted, encoding="utf-8")
        return []
    if wanted == page and len(lines) >= LEAST_ROWS:
        return []
    wrong = ["its table differs from the results; run.py --write writes it"]
    for line in lines:
        if standing[table.name_of(line)] != line:
            wrong += [f"wanted {line.rstrip()}", f"found {standing[table.name_of(line)].rstrip()}"]
    return wrong + [f"found {standing[name].rstrip()}: there is no such property" for name in standing.keys() - {row.name for row in rows}]


def main():
    arguments = parse_arguments()
    if shutil.which("gcc") is None:
        print("SKIP there is no gcc here")
        return running.SKIPPED
    results = running.Results()
    folder = pathlib.Path(arguments.folder).resolve()
    library = next(iter(sorted(folder.rglob("libnestbind.so"))), None)
    if library is None:
        print(f"no libnestbind.so under {arguments.folder}")
        return 1
    try:
        program = outcomes.compile_program(pathlib.Path(arguments.build or folder / "properties").resolve())
    except subprocess.CalledProcessError as error:
        print(error)
        return 1
    every = outcomes.properties(program)
    rows = [row for row in every if not arguments.case or any(text in row.name for text in arguments.case)]
    told = outcomes.run_all(program, library, rows, arguments.jobs)
    documented = read_documented()
    verdicts = {}
    for row in rows:
        verdicts[row.name] = {direction: verdict(row, direction, told) for direction in outcomes.DIRECTIONS}
        results.show(title(row, verdicts[row.name]), judge(row, verdicts[row.name], documented))
    results.show(DOCUMENTED.name, [f"{name}: there is no such property" for name in documented.keys() - {row.name for row in every}])
    if len(rows) == len(every):
        results.show(PAGE.name, compare_page(rows, verdicts, documented, arguments.write))
    return results.close(summary(verdicts))


if __name__ == "__main__":
    sys.exit(main())
