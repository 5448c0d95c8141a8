# SPDX-License-Identifier: BSD-3-Clause
"""What the kinds of sequences have in common: scripts, compiled programs, and smaller scripts that still fail."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "runner"))

import running  # noqa: E402

PATIENCE = 60  # seconds after which a program counts as hanging
REST = 4  # if a program takes more seconds, a thread or a process may have given its part back, because it has not forked for 5 s


class Line:
    """A line of a script (script.h): a letter, numbers or a text, and blocks of lines."""

    def __init__(self, kind, *numbers, text="", blocks=()):
        self.kind, self.numbers, self.text, self.blocks = kind, list(numbers), text, list(blocks)

    def copy(self):
        return Line(self.kind, *self.numbers, text=self.text, blocks=[[line.copy() for line in block] for block in self.blocks])


def text_of(lines, indent=0):
    """Returns the lines of a script as text. Gives each line its number, which the programs print."""
    written = []

    def write(block, indent):
        for line in block:
            words = [line.kind, *map(str, line.numbers), *([line.text] if line.text else [])]
            written.append("  " * indent + " ".join(words) + (" {" if line.blocks else ""))
            line.id = len(written)
            for i, inner in enumerate(line.blocks):
                write(inner, indent + 1)
                written.append("  " * indent + ("} {" if i + 1 < len(line.blocks) else "}"))
    write(lines, indent)
    return "".join(line + "\n" for line in written)


def smaller(lines):
    """Yields scripts with one line or one block fewer."""
    def without(block, rebuild):
        for i in range(len(block) - 1, -1, -1):
            yield rebuild(block[:i] + block[i + 1:])
        for i, line in enumerate(block):
            for b, inner in enumerate(line.blocks):
                def put(changed, i=i, b=b, line=line):
                    copy = line.copy()
                    copy.blocks[b] = changed
                    return rebuild(block[:i] + [copy] + block[i + 1:])
                yield from without(inner, put)
    yield from without(lines, lambda block: block)


def shrunk(lines, fails, attempts=150):
    """Removes lines of the script as long as it fails. `fails` returns the faults of a script."""
    faults = fails(lines)
    changed = bool(faults)
    while changed:
        changed = False
        for candidate in smaller(lines):
            attempts -= 1
            if attempts < 0:
                return lines, faults
            found = fails(candidate)
            if found:
                lines, faults, changed = candidate, found, True
                break
    return lines, faults


def timed_run(words, variables):
    """Runs a program, and returns its status, its error output, and whether it was fast enough to be compared."""
    begin = time.monotonic()
    status, _, err = running.run(words, PATIENCE, env=variables)
    return status, err, time.monotonic() - begin < REST


class Library:
    """The library, the planner and the command of a build tree or an installed prefix."""

    def __init__(self, folder):
        folder = pathlib.Path(folder).resolve()
        self.preload = next(folder.glob("lib*/libnestbind.so"))
        self.planner = next(folder.glob("lib*/nestbind/libnestbind-planner.so"))
        self.command = folder / "bin" / "nestbind"


VARIANTS = {  # the compiler, and the runtime of GCC's programs
    "gcc-libgomp": ("gcc", None),
    "clang-libomp": ("clang-19", None),
    "gcc-libomp": ("gcc", "libomp.so.5"),
}


class Programs:
    """Compiles the programs of this folder once for each compiler."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.variants = {name: found for name, found in VARIANTS.items() if shutil.which(found[0])}
        self.libomp = self.private_gomp()
        if self.libomp is None:
            self.variants.pop("gcc-libomp", None)

    def private_gomp(self):
        """Returns a folder in which libgomp.so.1 is a link to LLVM's runtime, or None without LLVM's runtime."""
        listed = running.run(["/sbin/ldconfig", "-p"])[1].splitlines()
        found = [line.split("=> ")[1] for line in listed if line.strip().startswith("libomp.so.5 ")]
        if not found:
            return None
        folder = self.folder / "libomp-as-libgomp"
        folder.mkdir(exist_ok=True)
        for name in ("libgomp.so.1", "libomp.so.5"):
            link = folder / name
            link.unlink(missing_ok=True)
            link.symlink_to(os.path.realpath(found[0]))
        return folder

    def compile(self, name, *flags):
        for compiler in {compiler for compiler, _ in self.variants.values()}:
            source, made = HERE / f"{name}.c", self.folder / f"{name}-{compiler}"
            written = max(path.stat().st_mtime for path in (source, *HERE.glob("*.h")))
            if not made.exists() or made.stat().st_mtime < written:
                subprocess.run([compiler, "-O1", "-g", "-fopenmp", "-pthread", "-Wall", "-Werror", *flags, source, "-o", made, "-ldl"], check=True)

    def program(self, name, variant):
        return self.folder / f"{name}-{self.variants[variant][0]}"

    def environment(self, variant):
        """Returns the variables with which a program of the variant finds its runtime."""
        return {"LD_LIBRARY_PATH": str(self.libomp)} if self.variants[variant][1] else {}


def failure(kind, seed, options, before, lines, faults, more=""):
    """Returns the lines that are printed for a failed sequence."""
    again = f"tests/sequences/run.py --kind {kind} --seed {seed} --count 1 {options.folder}"
    return [f"repeat it by: {again}", *faults[:8], f"with {before}", *more.splitlines(), *text_of(lines).splitlines()[:60]]
