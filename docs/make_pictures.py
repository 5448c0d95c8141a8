#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes docs/pictures.md, its graphics, and the pictures in README.md with `nestbind plan`.

    docs/make_pictures.py COMMAND            writes these files; COMMAND: the path of nestbind
    docs/make_pictures.py COMMAND --check    prints which of these files would change; if any, the exit status is 1
"""
import csv
import os
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "pictures.md"
README = ROOT / "README.md"
COUNTED = ROOT / "bench" / "results" / "numa-stream-traffic.csv"
MACHINES = "tests/machines/"
KNL = "pack:1 [numa] [numa] l2:32 core:2 pu:4"
TWO_BY_64 = "pack:2 [numa] l3:8 core:8 pu:2"
LAPTOP = "tests/machines/laptop.xml"

# The machines and the specifications of the pictures in README.
FOUR_NODES = ["--machine", "pack:4 [numa] core:4 pu:1"]
TWO_NODES = ["--machine", "pack:2 [numa] core:4 pu:1"]
STRATEGIES = (("2,scatter", "2,compact"), ("2,scatter,2,subscatter", "2,scatter,2,subcompact"))

HEAD = """<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by docs/make_pictures.py; a test compares. -->
# Pictures

`nestbind plan` draws these pictures: on a terminal in colour, and with `--format svg` as graphics.
Each box is an object of the machine. Its lower edge shows the processors of the object. Inside the
box are the cores of the object. `1.3` is thread 3 of the inner team that thread 1 forks. A dot is a
free core. Brackets mark a core with several hardware threads.

Each outer team has a colour: orange, sky blue, bluish green, yellow, blue, vermilion and reddish
purple. This is the palette of Okabe and Ito: people with any kind of colour vision can tell these
colours apart. A picture sets the colours of both text and background, so it can be read on dark and
light terminals.
"""

SECTIONS = [
    ("Four packages", "The machine is Barcelona, from the paper of 2010 (see the README). With `subcompact` and `subscatter` "
     "an inner team stays on the package of its primary thread. With `scatter` it is spread over all packages.",
     [(["4,scatter,2,subcompact", "--machine", MACHINES + "barcelona.xml"], "barcelona"),
      (["4,scatter,4,subscatter", "--beside", "4,scatter,4,scatter", "--machine", MACHINES + "barcelona.xml"], "beside")]),
    ("Caches that two cores share", "With `subscatter` each thread of a team has an L2 cache for itself.",
     [(["4,scatter,2,subscatter", "--machine", MACHINES + "tigerton.xml"], "tigerton")]),
    ("Hardware threads", "If there are enough cores, each thread has a core for itself, with all hardware threads of the core.",
     [(["2,scatter,4,subcompact", "--machine", MACHINES + "nehalem-sun.xml"], None),
      (["4,scatter,4,subcompact", "--machine", MACHINES + "nehalem-sun.xml"], "nehalem-sun"),
      (["3,scatter,3,subscatter", "--machine", MACHINES + "nehalem-sun.xml"], None)]),
    ("Boards", "If the picture would be long, parts of the machine that are alike are drawn only once.",
     [(["13,scatter,4,subscatter", "--machine", MACHINES + "scalemp.xml"], "scalemp"),
      (["60,scatter,2,subscatter", "--machine", MACHINES + "bielefeld.xml"], None)]),
    ("Two packages of 64 cores, with two hardware threads each", "",
     [(["2,scatter,64,subscatter", "--machine", TWO_BY_64], "two-by-64"),
      (["numa,scatter,l3,subscatter,4,subcompact", "--machine", TWO_BY_64], None)]),
    ("A hybrid laptop", "This laptop has six fast cores with two hardware threads each, and two clusters of four slow cores.",
     [(["4,scatter,3,subcompact", "--machine", LAPTOP], "laptop"),
      (["4,scatter,3,subcompact", "--machine", LAPTOP, "--cores", "all"], None)]),
    ("Four hardware threads a core, and two kinds of memory (KNL)", "",
     [(["4,scatter,64,subscatter", "--machine", KNL], "knl"),
      (["8,scatter,8,subcompact", "--machine", KNL], None)]),
    ("A part of a machine",
     "If the process may use no processor of an object, the object is not drawn. The other objects keep their numbers.",
     [(["numa,scatter,core,subcompact", "--machine", MACHINES + "barcelona.xml", "--cpus", "0-8,12"], "part")]),
    ("1024 processors", "",
     [(["32,scatter,32,subcompact", "--machine", "pack:16 [numa] core:64 pu:1"], "1024"),
      (["13,scatter,32,subscatter", "--machine", "pack:16 [numa] l3:8 core:8 pu:1"], None),
      (["512,scatter", "--machine", "core:1024 pu:1"], None)]),
    ("More threads than places, and one that is not bound", "",
     [(["3,compact,3,subcompact", "--machine", "pack:2 [numa] core:2 pu:1"], "shared"),
      (["1,scatter", "--machine", "pack:2 [numa] core:2 pu:1"], None)]),
]


def drawn(command, words, form):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "NESTBIND_", "COLUMNS", "LC_"))}
    process = subprocess.run([command, "plan", "--format", form, *words], cwd=ROOT, capture_output=True, encoding="utf-8",
                             env={**environment, "LC_ALL": "C.UTF-8"}, check=False)
    if process.returncode != 0:
        sys.exit(f"nestbind plan {words}: {process.stderr}")
    return process.stdout


def typed(words):
    line = "$ nestbind plan " + " ".join(f"'{word}'" if re.search(r"[ \[]", word) else word for word in words)
    return line if len(line) <= 100 else line.replace(" --machine", " \\\n    --machine")


def made(command):
    """Returns {path: text} for all files."""
    files = {}
    page = [HEAD]
    for title, text, pictures in SECTIONS:
        page.append(f"## {title}\n")
        if text:
            page.append(textwrap.fill(text, 100, break_on_hyphens=False) + "\n")
        for words, name in pictures:
            page.append(f"```console\n{typed(words)}\n{drawn(command, words, 'picture')}```\n")
            if name:
                files[ROOT / "docs" / "pictures" / f"{name}.svg"] = drawn(command, words, "svg")
                page.append(f"![{words[0]} drawn as a graphic](pictures/{name}.svg)\n")
    files[PAGE] = "\n".join(page)
    files[README] = with_pictures(command, README.read_text(encoding="utf-8"))
    return files


def boxes(command, words):
    return [line for line in drawn(command, words, "picture").splitlines() if line.startswith(("┌", "│", "└"))]


def beside(left, right, width):
    return [f"{a:<{width}}{b}".rstrip() for a, b in zip(left, right, strict=True)]


def local_percent(variant):
    """Returns the percentage of local accesses in nested STREAM (4 x 4 threads, GCC's runtime)."""
    with open(COUNTED, encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row[:3] == ["libgomp", "4x4", variant]]
    count = [(row[3] == row[4], sum(map(int, row[6].split()))) for row in rows]
    return 100 * sum(n for is_local, n in count if is_local) / sum(n for _, n in count)


def before_and_after(command):
    after = boxes(command, ["auto", "--shape", "4x4", *FOUR_NODES])
    before = [re.sub(r"\d\.\d", " ? ", line) for line in after]
    said = [f"nested STREAM: {local_percent(variant):.0f} % local accesses" for variant in ("unbound", "bound")]
    return "\n".join(beside(["before: the kernel chooses, and moves threads", *before, said[0]],
                            ["after: nestbind run -- ./program", *after, said[1]], 50))


def strategies(command):
    lines = []
    for pair in STRATEGIES:
        left, right = ([spec, *boxes(command, [spec, *TWO_NODES])] for spec in pair)
        lines += beside(left, right, 48)
    return "\n".join(lines)


def with_pictures(command, readme):
    """Replaces the two pictures in the text of README."""
    for begin, picture in (("before:", before_and_after(command)), ("2,scatter", strategies(command))):
        readme = re.sub(f"(?s)(?<=^```text\n){begin}.*?(?=\n```$)", lambda _, text=picture: text, readme, flags=re.M)
    return readme


def main():
    command = str(pathlib.Path(sys.argv[1]).resolve())
    files = made(command)
    wrong = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[2:]:
        graphics = set((ROOT / "docs" / "pictures").glob("*"))
        wrong += sorted(graphics - set(files))
        for path in wrong:
            print(f"{path.relative_to(ROOT)} is not what docs/make_pictures.py makes")
        return 1 if wrong else 0
    for path in wrong:
        path.parent.mkdir(exist_ok=True)
        path.write_text(files[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
