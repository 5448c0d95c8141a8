# SPDX-License-Identifier: BSD-3-Clause
"""A row of the table is a hook on a runtime."""

import os
import shutil
from dataclasses import dataclass, field

import variant as variants

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")


@dataclass
class Row:
    """One hook on one runtime."""

    hook: str  # GOMP, OMPT, POMP, POMP2
    runtime: str  # the runtime's name in the table
    compiler: str = "gcc"
    source: str = "region.c"
    acts: str = ""  # name of the hook in the output of `nestbind trace`; if empty, `hook` is the name
    tool: str = ""  # opari1 or opari2, the tool that instruments the source, or empty
    is_static: bool = False  # the runtime is libgomp.a
    is_llvm: bool = False  # LLVM's runtime replaces libgomp.so.1
    env: dict = field(default_factory=dict)
    impossible: str = ""  # the reason why this runtime has no such hook, or empty

    @property
    def name(self):
        words = (self.hook, self.runtime, self.tool)
        return "-".join("".join(c if c.isalnum() else "-" for c in word) for word in words if word).lower()


WANTED = {"NESTBIND_RUNTIME": "llvm"}
NO_TOOL = {"OMP_TOOL": "disabled"}

ROWS = [
    Row("GOMP", "libgomp"),
    Row("GOMP", "libgomp, Fortran", "gfortran", "region.f90"),
    Row("GOMP", "LLVM's for libgomp, wanted", is_llvm=True, env=WANTED),
    Row("GOMP", "libgomp.a", impossible="the runtime is inside the program, so its functions cannot be interposed"),
    Row("GOMP", "LLVM's, Clang", impossible="Clang's code does not call the GOMP functions"),
    Row("OMPT", "libgomp", impossible="GCC's runtime has no tool interface"),
    Row("OMPT", "LLVM's, Clang", "clang-19"),
    Row("OMPT", "LLVM's for libgomp, found", is_llvm=True),
    Row("POMP", "libgomp", acts="GOMP", tool="opari1"),
    Row("POMP", "libgomp.a", tool="opari1", is_static=True),
    Row("POMP", "LLVM's, OMP_TOOL=disabled", "clang-19", tool="opari1", env=NO_TOOL),
    Row("POMP2", "libgomp", acts="GOMP", tool="opari2"),
    Row("POMP2", "libgomp.a", acts="POMP", tool="opari2", is_static=True),
    Row("POMP2", "LLVM's, OMP_TOOL=disabled", "clang-19", acts="POMP", tool="opari2", env=NO_TOOL),
]


class Maker:
    """Compiles and links the programs of one row."""

    def __init__(self, row, library, instrument, opari1, folder):
        self.row = row
        self.library = library
        self.folder = os.path.join(folder, row.name)
        self.command = []
        if row.tool:
            self.command = [instrument]
        if row.tool == "opari1":
            self.command += ["--opari1", "--opari", os.path.join(opari1, "usr/bin/opari"), "--rc",
                             self.path("opari.rc")]
        as_gomp = variants.private_gomp(folder, variants.libomp_folder()) if row.is_llvm else ""
        self.env = dict(row.env, LD_LIBRARY_PATH=as_gomp) if as_gomp else dict(row.env)

    def path(self, name):
        return os.path.join(self.folder, name)

    def missing(self):
        return "" if shutil.which(self.row.compiler) else f"no {self.row.compiler} here"

    def runtime(self):
        """Returns the linker arguments for the row's OpenMP runtime."""
        if self.row.is_static:
            archive = variants.run_quietly(["gcc", "-print-file-name=libgomp.a"]).strip()
            return ["-static-libgcc", archive, "-pthread", "-ldl"]
        return ["-lomp"] if self.row.compiler.startswith("clang") else ["-lgomp"]

    def with_openmp(self):
        return [] if self.row.is_static else ["-fopenmp"]

    def compile(self, name, source, *flags, is_region=False):
        compiler = self.row.compiler if is_region else "gcc"
        own = (self.command if is_region else []) + [compiler]
        openmp = ["-fopenmp"] if is_region else []
        variants.run_quietly(own + ["-O2", "-g", "-fPIC", *openmp, *flags, "-c", os.path.join(PROGRAMS, source),
                                    "-o", self.path(name)])
        return self.path(name)

    def link(self, name, parts, *flags):
        output = self.path(name)
        variants.run_quietly(self.command + [self.row.compiler, *parts, "-o", output, "-Wl,--no-as-needed", *flags,
                                             *self.with_openmp()])
        return output

    def make(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        main = self.compile("main.o", "main.c")
        tell = self.compile("tell.o", "tell.c")
        region = self.compile("region.o", self.row.source, is_region=True)
        parts = [region, main, tell]
        ours = self.library.link_flags()
        self.link("plain", parts, *self.runtime())
        self.link("front", parts, *ours, *self.runtime())
        self.link("behind", parts, "-Wl,-z,relro,-z,now", *self.runtime(), *ours)
        if not self.row.is_static:
            in_library = self.compile("tell-library.o", "tell.c", "-DIN_LIBRARY")
            self.link("libregion.so", [region, in_library], "-shared", *self.runtime())
            variants.run_quietly(["gcc", main, "-Wl,--no-as-needed", self.path("libregion.so"), "-Wl,-rpath," + self.folder,
                                  "-o", self.path("startup")])
            loader = self.compile("loader.o", "main.c", "-DLOADS")
            variants.run_quietly(["gcc", loader, "-ldl", "-o", self.path("loader")])
