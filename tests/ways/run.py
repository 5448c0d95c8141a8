#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of tests/README.md: hook x runtime x way of loading, each cell run.

usage: run.py [options] FOLDER      FOLDER: a build tree or an installed prefix of nestbind
"""

import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # nothing is written beside the sources
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "matrix"), os.path.join(HERE, "..", "opari")]

import variant as variants  # noqa: E402
from rows import ROWS, Maker  # noqa: E402
from runner import COMPETING  # noqa: E402
from ways import WAYS, impossible  # noqa: E402

README = os.path.join(HERE, "..", "README.md")
SPEC = "2,scatter,2,subcompact"
PATIENCE = 60


def find(folder, name):
    for place, _, files in os.walk(folder):
        if name in files and os.path.basename(place) == "bin":
            return os.path.join(os.path.abspath(place), name)
    raise variants.BuildError(f"no bin/{name} under {folder}")


def expected(labels, cpus):
    """The slots: the outer threads' are the two processors, and each has its inner team there."""
    return sorted(f"{label} {outer}.{inner} {cpus[outer]}" for label in labels for outer in (0, 1) for inner in (0, 1))


class Cell:
    def __init__(self, maker, way, command, cpus):
        self.maker, self.way, self.command, self.cpus = maker, way, command, cpus
        self.trace = maker.path("trace-" + way.name.replace(" ", "-"))

    def run(self):
        """Returns a word for the table, and what was seen if that is not as it should be."""
        why = impossible(self.maker.row, self.way) or self.maker.missing()
        if why:
            return why, ""
        env = {k: v for k, v in os.environ.items() if not k.startswith(COMPETING) and k != "LD_PRELOAD"}
        env.update(OMP_WAIT_POLICY="passive", LC_ALL="C", OMP_NESTING_TEAM_SIZE=SPEC, NESTBIND_QUIET="1",
                   NESTBIND_TRACE=self.trace, **self.maker.env)
        env.update(self.way.env)
        preload = ["LD_PRELOAD=" + self.maker.library.preload] if self.way.is_preloaded else []
        words = [self.maker.path(self.way.program)]
        words += [word.replace("{library}", self.maker.path("libregion.so")) for word in self.way.arguments]
        try:
            ran = subprocess.run(["taskset", "-c", ",".join(map(str, self.cpus)), "env", *preload, *words], env=env,
                                 capture_output=True, text=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return "hangs", "hangs"
        rows = sorted(ran.stdout.splitlines())
        if ran.returncode != 0:
            return f"status {ran.returncode}", f"status {ran.returncode}: {ran.stderr}"
        if rows != expected(self.way.labels, self.cpus):
            return "not bound", f"{rows} {ran.stderr}"
        return self.judge_source()

    def judge_source(self):
        wanted = self.maker.row.acts or self.maker.row.hook
        told = subprocess.run([self.command, "trace", self.trace], capture_output=True, text=True, check=False).stdout
        acted = {line.split(" acts")[0].split()[-1] for line in told.splitlines() if " acts" in line}
        # A region in a constructor comes before the trace begins, and who acts is decided there.
        if not acted and self.way.name == "constructor":
            return "bound", ""
        return ("bound", "") if wanted in acted else ("bound by another", f"{wanted} did not act, but {acted}")


def table(results):
    """As Markdown: a column for each way, impossibilities as notes."""
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


def readme_parts(mark):
    """The text before, inside and behind the table."""
    begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->\n"
    with open(README, encoding="utf-8") as file:
        text = file.read()
    head, _, rest = text.partition(begin)
    inside, _, tail = rest.partition(end)
    return head + begin, inside, end + tail


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="build tree or installed prefix")
    parser.add_argument("--write", action="store_true", help="write the table into tests/README.md")
    parser.add_argument("--before", action="store_true", help="write it as that of the build before")
    parser.add_argument("--build", default="", help="where programs are compiled (default: FOLDER/ways)")
    parser.add_argument("--opari1", default="", help="where get-opari.sh unpacks (default: FOLDER/opari/packages)")
    parser.add_argument("--row", action="append", default=[], help="only rows whose name has this")
    arguments = parser.parse_args()
    begin = time.monotonic()
    root = os.path.abspath(arguments.folder)
    folder = os.path.abspath(arguments.build or os.path.join(root, "ways"))
    opari1 = os.path.abspath(arguments.opari1 or os.path.join(root, "opari", "packages"))
    cpus = sorted(os.sched_getaffinity(0))[:2]
    if len(cpus) < 2:
        print("not run: needs two processors")
        return 77
    try:
        subprocess.run([os.path.join(HERE, "..", "opari", "get-opari.sh"), opari1], check=True)
        library = variants.Library.find(root)
        instrument, command = find(root, "nestbind-instrument"), find(root, "nestbind")
        rows = [row for row in ROWS if not arguments.row or any(text in row.name for text in arguments.row)]
        makers = [Maker(row, library, instrument, opari1, folder) for row in rows]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(Maker.make, [maker for maker in makers if not maker.row.impossible and not maker.missing()]))
    except (variants.BuildError, subprocess.CalledProcessError) as error:
        print(error)
        return 1
    results, failed = [], 0
    for maker in makers:
        cells = []
        for way in WAYS:
            word, seen = Cell(maker, way, command, cpus).run()
            failed += bool(seen)
            print(("FAIL " if seen else "ok   ") + f"{maker.row.name} {way.name}: {word}" + (f": {seen}" if seen else ""))
            cells.append(word)
        results.append((maker.row, cells))
    found = table(results)
    if not arguments.row:
        head, recorded, tail = readme_parts("the table before" if arguments.before else "the table")
        if arguments.write or arguments.before:
            with open(README, "w", encoding="utf-8") as file:
                file.write(head + found + tail)
        elif recorded != found:
            print("FAIL tests/README.md has another table; this was found:\n" + found)
            failed += 1
    cells = [cell for _, row in results for cell in row]
    print(f"{cells.count('bound')} of {len(cells)} cells bound, {failed} failed in {time.monotonic() - begin:.0f} s")
    return 1 if failed and not arguments.before else 0


if __name__ == "__main__":
    sys.exit(main())
