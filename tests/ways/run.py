#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the table of tests/README.md (hook x runtime x way of loading): runs a program for each cell.

usage: run.py [options] FOLDER      FOLDER: a build tree or an installed prefix of nestbind
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("matrix", "opari", "runner")]

import running  # noqa: E402
import variant as variants  # noqa: E402
from rows import ROWS, Maker  # noqa: E402
from ways import WAYS, impossible, too_late  # noqa: E402

README = os.path.join(HERE, "..", "README.md")
SPEC = "2,scatter,2,subcompact"
PATIENCE = 60


def find(folder, name):
    for place, _, files in os.walk(folder):
        if name in files and os.path.basename(place) == "bin":
            return os.path.join(os.path.abspath(place), name)
    raise variants.BuildError(f"no bin/{name} under {folder}")


def expected(labels, cpus):
    """Returns the expected slots."""
    return sorted(f"{label} {outer}.{inner} {cpus[outer]}" for label in labels for outer in (0, 1) for inner in (0, 1))


class Cell:
    def __init__(self, maker, way, command, cpus):
        self.maker, self.way, self.command, self.cpus = maker, way, command, cpus
        self.trace = maker.path("trace-" + way.name.replace(" ", "-"))

    def run(self):
        """Returns the word for the table, and the fault as a text if the result is wrong."""
        is_late = too_late(self.maker.row, self.way)
        why = impossible(self.maker.row, self.way) or self.maker.missing()
        if why:
            return why, ""
        env = running.environment(OMP_WAIT_POLICY="passive", LC_ALL="C", OMP_NESTING_TEAM_SIZE=SPEC,
                                  NESTBIND_QUIET="0" if is_late else "1", NESTBIND_TRACE=self.trace,
                                  **(self.maker.env | self.way.env))
        preload = ["LD_PRELOAD=" + self.maker.library.preload] if self.way.is_preloaded else []
        words = [self.maker.path(self.way.program)]
        words += [word.replace("{library}", self.maker.path("libregion.so")) for word in self.way.arguments]
        status, out, err = running.run(["taskset", "-c", ",".join(map(str, self.cpus)), "env", *preload, *words], PATIENCE, env=env)
        rows = sorted(out.splitlines())
        if status == running.HANGS:
            return "hangs", "hangs"
        if status != 0:
            return f"status {status}", f"status {status}: {err}"
        if is_late:
            return (is_late, "") if "libnestbind" in err else ("not said", f"no message, but {err}")
        if rows != expected(self.way.labels, self.cpus):
            return "not bound", f"{rows} {err}"
        return self.judge_source()

    def judge_source(self):
        wanted = self.maker.row.acts or self.maker.row.hook
        told = subprocess.run([self.command, "trace", self.trace], capture_output=True, text=True, check=False).stdout
        acted = {line.split(" acts")[0].split()[-1] for line in told.splitlines() if " acts" in line}
        # A region in a constructor runs before the trace begins, so the trace cannot say which hook acted.
        if not acted and self.way.name == "constructor":
            return "bound", ""
        return ("bound", "") if wanted in acted else ("bound by another", f"{wanted} did not act, but {acted}")


def table(results):
    """Returns the table as Markdown, with a column for each way. A cell may have the number of a note."""
    notes = []

    def word(text):
        if text in ("bound", "not bound", "hangs") or text.startswith(("status", "bound by")):
            return text
        if text not in notes:
            notes.append(text)
        return f"({notes.index(text) + 1})"

    lines = ["| hook | runtime | " + " | ".join(way.name for way in WAYS) + " |",
             "| --- | --- |" + " --- |" * len(WAYS)]
    for row, cells in results:
        name = row.hook + (f" ({row.acts} acts)" if row.acts and row.acts != "POMP" else "")
        lines.append(f"| {name} | {row.runtime} | " + " | ".join(word(cell) for cell in cells) + " |")
    lines += [""] + [f"({i}) {note}." + "  " for i, note in enumerate(notes, 1)]
    return "\n".join(line.rstrip() if not line.startswith("(") else line for line in lines) + "\n"


def readme_parts():
    """Returns three parts of README.md: the text before the table, the table, and the text after it."""
    begin, end = "<!-- the table -->\n", "<!-- end of the table -->\n"
    with open(README, encoding="utf-8") as file:
        text = file.read()
    head, _, rest = text.partition(begin)
    inside, _, tail = rest.partition(end)
    return head + begin, inside, end + tail


def main():
    parser = running.parser(__doc__, without=("--all", "--jobs"))
    parser.add_argument("--write", action="store_true", help="write the table into tests/README.md")
    parser.add_argument("--opari1", default="", help="where get-opari.sh unpacks (default: FOLDER/opari/packages)")
    arguments = parser.parse_args()
    results = running.Results()
    root = os.path.abspath(arguments.folder)
    folder = os.path.abspath(arguments.build or os.path.join(root, "ways"))
    opari1 = os.path.abspath(arguments.opari1 or os.path.join(root, "opari", "packages"))
    cpus = sorted(os.sched_getaffinity(0))[:2]
    if len(cpus) < 2:
        print("not run: needs two processors")
        return running.SKIPPED
    try:
        subprocess.run([os.path.join(HERE, "..", "opari", "get-opari.sh"), opari1], check=True)
        library = variants.Library.find(root)
        instrument, command = find(root, "nestbind-instrument"), find(root, "nestbind")
        rows = [row for row in ROWS if not arguments.case or any(text in row.name for text in arguments.case)]
        makers = [Maker(row, library, instrument, opari1, folder) for row in rows]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(Maker.make, [maker for maker in makers if not maker.row.impossible and not maker.missing()]))
    except (variants.BuildError, subprocess.CalledProcessError) as error:
        print(error)
        return 1
    rows_found = []
    for maker in makers:
        cells = []
        for way in WAYS:
            word, seen = Cell(maker, way, command, cpus).run()
            results.show(f"{maker.row.name} {way.name}: {word}", [seen] if seen else [])
            cells.append(word)
        rows_found.append((maker.row, cells))
    found = table(rows_found)
    if not arguments.case:
        head, recorded, tail = readme_parts()
        if arguments.write:
            with open(README, "w", encoding="utf-8") as file:
                file.write(head + found + tail)
        else:
            results.show("the table of tests/README.md", [] if recorded == found else ["this was found:\n" + found])
    cells = [cell for _, row in rows_found for cell in row]
    return results.close(f"{cells.count('bound')} of {len(cells)} cells bound")


if __name__ == "__main__":
    sys.exit(main())
