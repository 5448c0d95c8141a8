# SPDX-License-Identifier: BSD-3-Clause
"""The contents of a suite: its programs, how to compile them, and their runs."""

import pathlib
import re
import shutil
from dataclasses import dataclass, field

LANGUAGES = {".c": "c", ".cpp": "c++", ".F90": "fortran", ".f90": "fortran"}


@dataclass
class Run:
    """How to start a program: its variables and arguments."""

    variables: dict = field(default_factory=dict)
    arguments: tuple = ()


@dataclass
class Program:
    name: str
    source: pathlib.Path
    flags: list
    runs: list
    not_with: tuple = ()  # compilers with which the suite itself expects a failure

    @property
    def language(self):
        return LANGUAGES[self.source.suffix]


def directives(text):
    """Returns the positions (begin, end) of the words of each OpenMP directive, with its continuation lines."""
    for found in re.finditer(r'^[ \t]*#[ \t]*pragma[ \t]+omp\b((?:\\\n|[^\n])*)', text, re.M):
        yield found.span(1)
    for found in re.finditer(r'_Pragma\("omp\b([^"]*)"\)', text):
        yield found.span(1)
    for found in re.finditer(r'^[ \t]*!\$omp\b((?:[^\n&]*&[ \t]*\n[ \t]*!\$omp)*[^\n&]*)$', text, re.M | re.I):
        yield found.span(1)


def takes_schedule(words):
    """Whether the directive is a worksharing loop without a schedule."""
    construct = re.split(r"[(\n]", words.strip(), maxsplit=1)[0].lower()
    is_loop = re.search(r"\b(for|do)\b", construct) and not construct.startswith(("end", "declare", "cancel"))
    return bool(is_loop) and not re.search(r"\bschedule\b|\bordered\b|\bdist_schedule\b", words, re.I)


def made_runtime(text):
    """Returns the source text with schedule(runtime) added to each worksharing loop without a schedule."""
    made = []
    at = 0
    for begin, end in sorted(directives(text)):
        made.append(text[at:end])
        if takes_schedule(text[begin:end]):
            made.append(" schedule(runtime)")
        at = end
    return "".join(made) + text[at:]


def copy_made_runtime(folder, to):
    """Copies a suite with the changes of made_runtime(), and returns how many files were changed."""
    changed = 0
    for source in sorted(folder.rglob("*")):
        if not source.is_file() or source.suffix not in (*LANGUAGES, ".h", ".inc"):
            continue
        target = to / source.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8", errors="surrogateescape")
        made = made_runtime(text)
        changed += made != text
        target.write_text(made, encoding="utf-8", errors="surrogateescape")
    return changed


def has_shared_loop(text):
    return any(re.search(r"\b(for|do)\b", text[begin:end].lower()) for begin, end in directives(text))


def ompvv(root, with_devices):
    """Returns the programs of OpenMP_VV: each file is a program with one run."""
    for source in sorted((root / "tests").rglob("*")):
        if source.suffix not in LANGUAGES:
            continue
        is_device = re.search(r"target|device|unified|requires", str(source.relative_to(root)))
        if (is_device and not with_devices) or not has_shared_loop(source.read_text(encoding="utf-8", errors="replace")):
            continue
        flags = [f"-I{root / 'ompvv'}", "-DVERBOSE_MODE=1"]
        yield Program(str(source.relative_to(root / "tests")), source, flags, [Run()])


def run_of(words):
    """Returns the run for a command of the form "env NAME=VALUE ... %libomp-run ARGUMENT...", or None for any other command."""
    variables = {}
    while words and (words[0] == "env" or re.match(r"\w+=", words[0])):
        name, is_set, value = words.pop(0).partition("=")
        if is_set:
            variables[name] = value
    return Run(variables, tuple(words[1:])) if words and words[0] == "%libomp-run" else None


def text_of(source):
    return source.read_text(encoding="utf-8", errors="replace")


def of_lit(root, source, said):
    """Returns the program of an LLVM test, from its RUN lines."""
    lines = re.findall(r"RUN:[ \t]*(.*)", text_of(source))
    text = " && ".join(lines)
    for kind in ("libomp", "libomp-c99", "libomp-cxx", "libomp-cxx20"):
        text = text.replace(f"%{kind}-compile-and-run", "%libomp-compile && %libomp-run").replace(f"%{kind}-compile", "%libomp-compile")
    not_with = tuple(re.findall(r"[\w.-]+", " ".join(re.findall(r"(?:XFAIL|UNSUPPORTED):(.*)", text_of(source)))))
    programs = []
    for command in text.split("&&"):
        words = command.split()
        if words and words[0] == "%libomp-compile":
            flags = [f"-I{root}", f"-I{source.parent}", *words[1:]]
            programs.append(Program(f"{source.relative_to(root)}{''.join(words[1:])}", source, flags, [], not_with))
            continue
        run = run_of(words)
        if run is None or not programs:
            said.append(f"{source.relative_to(root)}: {command.strip()}")
            continue
        programs[-1].runs.append(run)
    return [program for program in programs if program.runs]


def llvm(root, said, folders):
    """Returns the programs of LLVM's runtime tests in these folders."""
    for folder in folders:
        for source in sorted((root / folder).rglob("*")):
            if source.suffix in LANGUAGES:
                yield from of_lit(root, source, said)


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
