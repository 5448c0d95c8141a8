# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the test programs by nestbind-instrument, with each tool, compiler and runtime."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import variant as variants

HERE = os.path.dirname(os.path.abspath(__file__))
OWN = os.path.join(HERE, "programs")
# C programs of the matrix.
C_PROGRAMS = ("script", "levels", "roots", "inside", "manners", "many_masters", "own_sizes", "repeat", "procs",
              "forked", "purpose", "tasks", "combined", "cancel", "teams")
FORTRAN_PROGRAMS = ("fscript.f90", "uneven.f90", "fixed.f", "preprocessed.F90")
MODULE = "fscript.f90"  # contains the module `rows` of the other programs


@dataclass
class Build:
    """One way to compile and run instrumented programs."""

    name: str
    tool: str  # opari1 or opari2
    c: str
    cxx: str
    fortran: str
    runtime: str  # libgomp or libomp: the runtime that runs the regions
    how: str  # hooked: another source reports forks, too; static, notool: only POMP reports forks
    own: bool = False  # linked with OPARI 1's own library
    linked: bool = False  # libnestbind is linked, not preloaded
    library_path: str = ""
    folder: str = ""
    env: dict = field(default_factory=dict)

    @property
    def compiler(self):
        return self.c

    @property
    def tags(self):
        made = "gcc" if self.c.startswith("gcc") else "clang"
        how = "linked" if self.linked else "preload"
        only = {"only-pomp"} if self.how != "hooked" else set()
        return {made, self.runtime, f"{made}-{self.runtime}", how, "stock", self.tool, self.how} | only


def all_builds(folder, library):
    """Returns all builds."""
    gnu = ("gcc", "g++", "gfortran")
    llvm = ("clang-19", "clang++-19", "flang-new-19")
    libomp = variants.libomp_folder()
    as_gomp = variants.private_gomp(folder, libomp)
    builds = []
    for tool in ("opari2", "opari1"):
        builds += [
            Build(f"{tool}-gnu-libgomp", tool, *gnu, "libgomp", "hooked"),
            Build(f"{tool}-gnu-static", tool, *gnu, "libgomp", "static"),
            Build(f"{tool}-gnu-libomp", tool, *gnu, "libomp", "hooked", library_path=as_gomp),
            Build(f"{tool}-gnu-linked", tool, *gnu, "libgomp", "hooked", linked=True),
            Build(f"{tool}-llvm-libomp", tool, *llvm, "libomp", "hooked"),
            Build(f"{tool}-llvm-notool", tool, *llvm, "libomp", "notool", env={"OMP_TOOL": "disabled"}),
        ]
    builds.append(Build("opari1-gnu-own", "opari1", *gnu, "libgomp", "hooked", own=True))
    usable = []
    for build in builds:
        missing = [name for name in (build.c, build.cxx, build.fortran) if shutil.which(name) is None]
        if missing:
            print(f"left out {build.name}: no {' '.join(missing)} here")
            continue
        made = f"{build.tool}-{build.c}" + ("-static" if build.how == "static" else "")
        made += "-own" if build.own else "-linked" if build.linked else ""
        build.folder = os.path.join(folder, made)
        usable.append(build)
    return usable


class Maker:
    """Compiles the programs of one folder, each as a user does."""

    def __init__(self, build, library, instrument, opari1):
        self.build = build
        self.library = library
        self.opari1 = opari1
        self.folder = build.folder
        command = [instrument]
        if build.tool == "opari1":
            # Each program has its own state file, so several programs can be compiled at once.
            command += ["--opari1", "--opari", os.path.join(opari1, "usr/bin/opari"), "--rc", "{state}"]
        self.command = command

    def instrumented(self, name, arguments):
        state = os.path.join(self.folder, name + ".rc")
        words = [word.replace("{state}", state) for word in self.command]
        variants.run_quietly(words + arguments)

    def runtime(self):
        """Returns the options that replace -fopenmp at the link if the runtime is static."""
        if self.build.how != "static":
            return ["-fopenmp"]
        archive = variants.run_quietly(["gcc", "-print-file-name=libgomp.a"]).strip()
        return ["-static-libgcc", archive, "-pthread", "-ldl"]

    def link(self, name, compiler, objects, flags=()):
        output = os.path.join(self.folder, name)
        nestbind = self.library.link_flags() if self.build.linked else []
        tail = list(flags) + nestbind + self.runtime() + ["-lm", "-pthread", "-ldl"]
        if self.build.own:
            self.link_with_own_library(name, compiler, objects, tail)
        else:
            self.instrumented(name, [compiler] + objects + ["-o", output] + tail)

    def link_with_own_library(self, name, compiler, objects, tail):
        """Links as OPARI 1's manual says, with the table of regions and OPARI 1's own library."""
        tool = os.path.join(self.opari1, "usr/bin/opari")
        table = os.path.join(self.folder, name + "-table")
        state = os.path.join(self.folder, name + ".rc")
        variants.run_quietly([tool, "-rcfile", state, "-table", table + ".c"])
        include = "-I" + os.path.join(self.opari1, "usr/include")
        variants.run_quietly(["gcc", "-fopenmp", include, "-c", table + ".c", "-o", table + ".o"])
        own = own_library_folder(self.opari1)
        variants.run_quietly([compiler] + objects + [table + ".o", "-o", os.path.join(self.folder, name)]
                             + ["-L" + own, "-lpomp", "-Wl,-rpath," + own] + tail)

    def path(self, name):
        return os.path.join(self.folder, name)

    def make_c(self, name):
        source = os.path.join(variants.PROGRAMS, name + ".c")
        output = self.path(name + ".o")
        flags = ["-O2", "-g", "-fPIC", "-Wall", "-Werror", "-fopenmp", "-I" + self.library.include]
        self.instrumented(name, [self.build.c] + flags + ["-c", source, "-o", output])
        self.link(name, self.build.c, [output])

    def make_helpers(self):
        for name in ("rows", "rows_fixed"):
            source = os.path.join(OWN, name + ".c")
            variants.run_quietly([self.build.c, "-O2", "-fPIC", "-Wall", "-Werror", "-fopenmp", "-I"
                                  + self.library.include, "-c", source, "-o", self.path(name + ".o")])

    def make_fortran(self, file):
        name = file.split(".")[0]
        source = os.path.join(OWN, file)
        output = self.path(name + ".o")
        modules = self.path("modules")
        os.makedirs(modules, exist_ok=True)
        folder = ["-J", modules] if self.build.fortran == "gfortran" else ["-module-dir", modules]
        flags = ["-O2", "-g", "-fPIC", "-fopenmp", "-I", os.path.join(OWN, "include"), "-DINNER=2"] + folder
        self.instrumented(name, [self.build.fortran] + flags + ["-c", source, "-o", output])
        objects = [output, self.path("rows.o"), self.path("rows_fixed.o")]
        self.link(name, self.build.fortran, objects, self.external_call())

    def external_call(self):
        """Links fscript with our library, because it calls omp_set_nesting_info."""
        if self.build.linked:
            return []
        return ["-L" + self.library.folder, "-lnestbind", "-Wl,-rpath," + self.library.folder]

    def make_cxx(self):
        output = self.path("templates.o")
        flags = ["-std=c++17", "-O2", "-g", "-fPIC", "-Wall", "-Werror", "-fopenmp"]
        source = os.path.join(OWN, "templates.cpp")
        self.instrumented("templates", [self.build.cxx] + flags + ["-c", source, "-o", output])
        self.link("templates", self.build.cxx, [output, self.path("rows.o")])

    def make_all(self, jobs):
        os.makedirs(self.folder, exist_ok=True)
        self.make_helpers()
        tasks = [lambda name=name: self.make_c(name) for name in C_PROGRAMS]
        tasks.append(self.make_cxx)
        self.make_fortran(MODULE)
        tasks += [lambda file=file: self.make_fortran(file) for file in FORTRAN_PROGRAMS if file != MODULE]
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda task: task(), tasks))


def own_library_folder(opari1):
    for folder, _, files in os.walk(os.path.join(opari1, "usr/lib")):
        if "libpomp.so.0" in files:
            return folder
    raise variants.BuildError(f"no libpomp.so.0 under {opari1}")


def undefined_symbols(program):
    """Returns the undefined symbols of a program."""
    lines = subprocess.run(["nm", "-D", program], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].partition("@")[0] for line in lines.splitlines() if " U " in line}
