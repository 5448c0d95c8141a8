# SPDX-License-Identifier: BSD-3-Clause
"""The two builds to compare. Their copies have paths of equal length, because the number of instructions depends on the length of a
path."""

import functools
import pathlib
import shutil
import subprocess
import sys

import runs

BEFORE, AGAIN, AFTER = BUILDS = ("before", "again", "after")  # again: the old build, measured a second time


class Programs:
    """The benchmarks, compiled by both compilers."""

    def __init__(self, folder, clang):
        self.folder = folder
        self.clang = shutil.which(clang)
        folder.mkdir(parents=True, exist_ok=True)
        if self.clang is None:
            print(f"{clang} is not installed: nothing is compared on LLVM's runtime", file=sys.stderr)

    @functools.cache
    def by_gcc(self, program):
        return self._compiled("gcc", program)

    @functools.cache
    def by_clang(self, program):
        """Returns None if the compiler is not installed."""
        return self.clang and self._compiled(self.clang, program)

    def library(self, source):
        return self._compiled("gcc", source, "-shared")

    def _compiled(self, compiler, program, *flags):
        target = self.folder / f"{pathlib.Path(program).name}-{pathlib.Path(compiler).name}"
        subprocess.run([compiler, "-std=gnu11", "-fopenmp", "-O3", "-fPIE" if not flags else "-fPIC", *(flags or ["-pie"]),
                        "-ffp-contract=off", runs.BENCH / f"{program}.c", "-o", target, "-lm"], check=True)
        return target


class Copy(runs.Build):
    """The compared parts of a build."""

    def __init__(self, source, folder, programs):
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("bin", "lib", "runtimes"):
            (folder / name).mkdir(parents=True)
        for name in ("lib/libnestbind.so", "bin/nestbind", "bin/planning_time", "runtimes/libiomp5.so"):
            if (source / name).exists():
                shutil.copy(source / name, folder / name)
        if not (folder / "lib" / "libnestbind.so").exists():
            sys.exit(f"{source}: no lib/libnestbind.so")
        shutil.copytree(source / "lib" / "nestbind", folder / "lib" / "nestbind")
        self.folder = folder
        self.library = folder / "lib" / "libnestbind.so"
        self.programs = programs

    def by_build(self, program):
        """Returns a program that is part of the build."""
        return self.folder / "bin" / program

    def by_gcc(self, program):
        return self.programs.by_gcc(SOURCES.get(program, program))

    def by_clang(self, program):
        return self.programs.by_clang(program)


SOURCES = {"first_fork": "overhead/first_fork", "spawn_times": "overhead/spawn_times"}


def of(old, new, work, clang):
    programs = Programs(work / "programs", clang)
    before, after = (Copy(source.resolve(), work / name, programs) for source, name in ((old, "old"), (new, "new")))
    return {BEFORE: before, AGAIN: before, AFTER: after}
