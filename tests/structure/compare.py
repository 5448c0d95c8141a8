#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""compare.py OLD NEW: compares two builds or installations. Compares the installed files and the exported symbols. Runs the commands and
programs in compare_cases.py, and compares their output and exit status. Prints each difference and a last line. Fails if a difference is not in
compare.expected."""

import concurrent.futures
import difflib
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import compare_cases

HERE = pathlib.Path(__file__).resolve().parent
SEEN_BY_NESTBIND = ("OMP_", "KMP_", "GOMP_", "NESTBIND_", "HWLOC_", "LD_", "XDG_", "LC_", "LANG")


def run(*command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, timeout=120, **more)


def install(source, prefix, notes):
    """Installs a build in `prefix`, and removes the manifest that cmake writes to the build. An installation is copied to `prefix`."""
    script = source / "cmake_install.cmake"
    if not script.is_file():
        shutil.copytree(source, prefix, symlinks=True)
        return
    text = script.read_text().replace(f'file(WRITE "{source}/${{CMAKE_INSTALL_MANIFEST}}"',
                                      f'file(WRITE "{notes}/${{CMAKE_INSTALL_MANIFEST}}"')
    copy = notes / "cmake_install.cmake"
    copy.write_text(text)
    done = run("cmake", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-P", copy)
    if done.returncode != 0:
        sys.exit(f"{source} cannot be installed:\n{done.stderr}")


class Side:
    def __init__(self, name, source, work):
        self.work = work
        self.prefix = work / name / "prefix"
        self.folder = work / name / "folder"
        self.folder.mkdir(parents=True)
        self.runtime_folder = work / name / "runtime"
        self.runtime_folder.mkdir(mode=0o700)
        install(source, self.prefix, self.folder.parent)
        found = sorted(self.prefix.glob("lib*/**/libnestbind.so.0"))
        if not found:
            sys.exit(f"{source} has no libnestbind.so.0")
        self.library = found[0]
        self.command = self.prefix / "bin" / "nestbind"

    def environment(self, more):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(SEEN_BY_NESTBIND)}
        named = {k: self.filled(v) for k, v in more.items()}
        return {**kept, "LC_ALL": "C", "NESTBIND_CACHE": "off", "XDG_RUNTIME_DIR": str(self.runtime_folder),
                "LD_LIBRARY_PATH": str(self.library.parent), **named}

    def filled(self, text):
        for word, path in (("LIBRARY", self.library), ("NESTBIND", self.command), ("PREFIX", self.prefix),
                           ("FOLDER", self.folder), ("WORK", self.work), ("MACHINES", HERE.parent / "machines")):
            text = text.replace("{" + word + "}", str(path))
        return text

    def plain(self, text):
        """Returns the text without parts that differ from run to run, such as names of folders and numbers of processes and threads."""
        for path, word in ((self.folder, "FOLDER"), (self.runtime_folder, "RUNTIME"), (self.prefix, "PREFIX"),
                           (self.work, "WORK")):
            text = text.replace(str(path), word)
        text = re.sub(r'("process": |\bprocess )\d+', r"\1N", text)
        # A thread number becomes "master" if the thread has forked the team, and otherwise "thread", because the order of workers varies.
        row = re.compile(r"^(  )([\d.]+)( +)(\d+)(?=  )", re.M)
        member = re.compile(r'("path": )\[([\d, ]*)\](, "thread": )(\d+)')
        reported = {(thread, tuple(re.findall(r"\d+", path)))
                    for pattern in (row, member) for _, path, _, thread in pattern.findall(text)}

        def called(found):
            path = tuple(re.findall(r"\d+", found[2]))
            forked = path[-1:] == ("0",) and (found[4], path[:-1]) in reported
            return f"{found[1]}{found[2]} {'master' if forked else 'thread'}"

        return member.sub(called, row.sub(called, text))

    def blocks(self, text, any_order):
        """Returns the text, with sorted lines if threads print in any order."""
        text = self.plain(text).rstrip("\n")
        return "\n".join(sorted(re.split(r"\n(?! )", text))) if any_order else text

    def seen(self, case):
        environment = self.environment(case.environment)
        command = [self.filled(word) for word in case.command]
        try:
            done = run(*command, env=environment, cwd=self.folder)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"cannot be run: {type(error).__name__}\n"
        out = re.sub(r"^ +(?=thread )", "", done.stdout, flags=re.M)
        text = (f"status {done.returncode}\n-- stdout\n{self.blocks(out, case.forks)}\n"
                f"-- stderr\n{self.blocks(done.stderr, case.forks)}\n")
        for path in sorted(self.folder.glob(case.writes)) if case.writes else ():
            name = re.sub(r"[0-9a-f]{8,}|\d+$", "N", str(path.relative_to(self.folder)))
            text += f"-- {name} {oct(path.stat().st_mode)}\n"
            if path.is_file() and case.is_text:
                text += self.blocks(path.read_text(errors="replace"), case.forks) + "\n"
            if path.is_file():
                path.unlink()
        return text


def installed(side):
    """Returns pairs of a title and a text to compare, such as the list of installed files."""
    files = sorted(p for p in side.prefix.rglob("*") if not p.is_dir() or p.is_symlink())
    names = [str(p.relative_to(side.prefix)) for p in files]
    yield "files", "\n".join(f"{n} -> {os.readlink(p)}" if p.is_symlink() else f"{n} {oct(p.stat().st_mode)}"
                             for n, p in zip(names, files))
    for name, path in zip(names, files):
        if name.startswith("include/"):
            yield f"text of {name}", path.read_text()
        if path.is_symlink() or not path.is_file() or path.read_bytes()[:4] != b"\x7fELF":
            continue
        exported = run("nm", "-D", "--defined-only", "--with-symbol-versions", path).stdout
        yield f"exported by {name}", "\n".join(sorted(line.split(" ", 1)[1] for line in exported.splitlines()))
        dynamic = run("readelf", "-dW", path).stdout
        yield f"needed by {name}", "\n".join(sorted(
            re.sub(r"^\s*\S+\s+", "", line) for line in dynamic.splitlines()
            if re.search(r"\((NEEDED|SONAME|RPATH|RUNPATH|FLAGS\w*)\)", line)))


def expected_differences():
    """Returns the title, the line and the reason of each entry in compare.expected. The title and the line are patterns of fnmatch."""
    entries = []
    for line in (HERE / "compare.expected").read_text().splitlines():
        if line and not line.startswith("#"):
            title, changed, reason = (part.strip() for part in line.split(" | "))
            entries.append((title, changed, reason))
    return entries


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    work = pathlib.Path(tempfile.mkdtemp(prefix="nestbind-compare-"))
    try:
        sides = [Side(name, pathlib.Path(source).resolve(), work) for name, source in zip(("old", "new"), sys.argv[1:])]
        programs = compare_cases.compile_programs(work, sides[0].prefix, sides[0].library)
        seen = [dict(installed(side)) for side in sides]
        cases = compare_cases.cases(programs)
        with concurrent.futures.ThreadPoolExecutor(2) as both:
            for case in cases:
                for found, text in zip(seen, both.map(lambda side: side.seen(case), sides)):
                    assert case.title not in found, case.title
                    found[case.title] = text
    finally:
        shutil.rmtree(work)

    entries = expected_differences()
    unexpected = expected = 0
    for title in dict.fromkeys([*seen[0], *seen[1]]):
        old, new = (found.get(title, "").splitlines() for found in seen)
        changes = [line for line in difflib.unified_diff(old, new, lineterm="", n=0)
                   if not line.startswith(("---", "+++", "@@"))]
        if not changes:
            continue
        print(title)
        for line in changes:
            reason = next((r for t, c, r in entries if fnmatch.fnmatchcase(title, t) and fnmatch.fnmatchcase(line, c)), None)
            expected += reason is not None
            unexpected += reason is None
            print(f"  {line}" + (f"   [{reason}]" if reason else ""))
    print(f"compare: {len(seen[0])} things compared, {unexpected} unexpected differences, {expected} expected differences")
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
