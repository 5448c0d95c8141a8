# SPDX-License-Identifier: BSD-3-Clause
"""The builds of the programs for the guests (ways), and the cases of each."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Any, Callable

import path
import builds as opari
import variant as variants

# Every case runs on GCC's runtime. DESCRIBED leaves out cases for any two processors, cases about processes, and most cases about the
# meaning of specifications. SOME and INSTRUMENTED run only a few cases.
EVERYTHING = ("gcc-libgomp-preload",)
DESCRIBED = ("clang19-libomp-preload",)
SOME = ("gcc-libomp-preload", "gcc-libgomp-linked", "clang19-libomp-linked")
INSTRUMENTED = ("opari2-llvm-libomp", "opari1-gnu-own")
OF_PROCESSES = ("own_children/", "libraries/", "visible/", "alone/")
OF_MEANINGS = ("semantics/", "shemat/", "order/")
SHAPES = ("shapes/4x4", "shapes/2x2x4", "shapes/3x4", "shapes/more-than-specified",
          "semantics/scatter-2-subscatter-8", "semantics/scatter-8-subscatter-2", "semantics/scatter-4-subscatter-4",
          "semantics/more-than-slots", "changes/sizes-follow", "masks/", "smt/", "nodes/",
          "kernel/1x2", "kernel/changes")


@dataclass
class Way:
    """A build of the programs."""

    build: Any
    make: Callable
    prefixes: tuple = ()
    files: list = field(default_factory=list)  # files that the guest needs besides the build's folder
    described_only: bool = False

    @property
    def name(self):
        return self.build.name

    def takes(self, case):
        if not case.run[0].startswith("{") and not os.path.exists(os.path.join(self.build.folder, case.run[0])):
            return False
        if self.described_only and (case.kernel or case.name.startswith(OF_PROCESSES)):
            return False
        if self.described_only and case.name.startswith(OF_MEANINGS) and not case.name.startswith(SHAPES):
            return False
        return not self.prefixes or case.name.startswith(self.prefixes)


def plain_ways(folder, library):
    result = []
    for build in variants.all_variants(folder, library, "", []):
        if build.name not in EVERYTHING + DESCRIBED + SOME:
            continue
        chosen = SHAPES if build.name in SOME else ()
        files = [build.library_path] if build.library_path else []
        result.append(Way(build, lambda build=build: variants.build(build, library), chosen, files,
                          build.name in DESCRIBED))
    return result


def instrumented_ways(folder, library, build_tree):
    """Programs in C and Fortran that OPARI 1 and OPARI2 have instrumented, made as in ../opari."""
    opari1 = os.path.join(folder, "opari1")
    getting = subprocess.run(["sh", os.path.join(opari.HERE, "get-opari.sh"), opari1], capture_output=True, text=True,
                             check=False)
    if getting.returncode != 0:
        print(f"left out OPARI 1 and OPARI2: {getting.stderr.strip()}")
        return []
    instrument = os.path.join(os.path.abspath(build_tree), "bin", "nestbind-instrument")
    made = os.path.join(folder, "opari")
    os.makedirs(made, exist_ok=True)
    result = []
    for build in opari.all_builds(made, library):
        if build.name not in INSTRUMENTED:
            continue
        files = [build.library_path] if build.library_path else []
        if build.own:
            files.append(opari.own_library_folder(opari1))
        maker = opari.Maker(build, library, instrument, opari1)
        result.append(Way(build, lambda maker=maker: make_scripts(maker), SHAPES + ("fortran/",), files))
    return result


def make_scripts(maker):
    """Compiles script.c and fscript.f90. These programs can fork teams of any shape."""
    os.makedirs(maker.folder, exist_ok=True)
    maker.make_helpers()
    maker.make_c("script")
    maker.make_fortran(opari.MODULE)


def all_ways(folder, library, build_tree, more):
    for tool in ("gcc", "clang-19"):
        if shutil.which(tool) is None:
            raise variants.BuildError(f"no {tool} here")
    if not more:
        return [way for way in plain_ways(folder, library) if way.name in EVERYTHING + DESCRIBED]
    return plain_ways(folder, library) + instrumented_ways(folder, library, build_tree)
