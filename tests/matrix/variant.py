# SPDX-License-Identifier: BSD-3-Clause
"""The variants: compilers, runtimes and ways to load the library. Compiles tests/programs for a variant."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(os.path.dirname(HERE), "programs")
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
NO_OPENMP = ("mask", "loader", "unloaded", "own_children", "late_handle", "visible", "plugin_library", "counter", "tool", "disturber", "elsewhere_library",
             "loops_loaded")
LIBRARIES = ("startup_library", "work_library", "plugin_library", "counter", "tool", "disturber", "elsewhere_library",
             "loops_library")
GCC_ONLY = ("legacy",)
# Fortran programs that use the library's modules.
MODULES = {"topology_fortran": ("nestbind.f90", "nestbind_topology.f90"), "balance_fortran": ("nestbind.f90", "nestbind_balancing.f90")}
FORTRAN = {"gcc": "gfortran", "clang-19": "flang-new-19"}


class BuildError(Exception):
    """A program cannot be compiled, or a compiler or library is missing."""


def run_quietly(command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise BuildError(" ".join(command) + "\n" + result.stdout + result.stderr)
    return result.stdout


@dataclass
class Library:
    """The folder of the library under test: a build tree or an installed prefix."""

    preload: str
    folder: str
    include: str
    pkg_config: str | None
    command: str

    @staticmethod
    def find(root):
        preload = None
        command = None
        pkg_config = None
        include = None
        for folder, folders, files in os.walk(root):
            folders.sort()
            if "libnestbind.so" in files and preload is None:
                preload = os.path.join(folder, "libnestbind.so")
            if folder.endswith("bin") and "nestbind" in files:
                command = os.path.join(folder, "nestbind")
            if "nestbind.pc" in files and pkg_config is None:
                pkg_config = folder
            if folder.endswith("include/nestbind") and "nestbind.h" in files:
                include = os.path.dirname(folder)
        if preload is None:
            raise BuildError(f"no libnestbind.so under {root}")
        return Library(
            preload=os.path.abspath(preload),
            folder=os.path.dirname(os.path.abspath(preload)),
            include=include or os.path.join(REPOSITORY, "include"),
            pkg_config=pkg_config if include else None,
            command=os.path.abspath(command or "nestbind"),
        )

    def link_flags(self):
        """Returns the linker flags that a user would use: from pkg-config if the library is installed."""
        path = ["-Wl,-rpath," + self.folder]
        if self.pkg_config is None:
            kept = ["-Wl,--push-state,--no-as-needed", "-lnestbind", "-Wl,--pop-state"]
            return ["-L" + self.folder] + kept + path
        environment = dict(os.environ, PKG_CONFIG_PATH=self.pkg_config)
        environment["PKG_CONFIG_LIBDIR"] = self.pkg_config
        command = ["pkg-config", "--define-prefix", "--libs", "nestbind"]
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise BuildError(result.stderr)
        return result.stdout.split() + path


@dataclass
class Variant:
    """One way to compile and run the programs."""

    name: str
    compiler: str
    runtime: str  # libgomp or libomp: the runtime that the program runs on
    linked: bool  # the library is linked at build time, not preloaded
    library_path: str = ""
    flags: list = field(default_factory=list)
    link_flags: list = field(default_factory=list)
    folder: str = ""
    objects: str = ""  # the folder of object files, which several variants link
    note: str = ""
    stock: bool = True  # false if the runtime is from --runtime
    env: dict = field(default_factory=dict)

    @property
    def tags(self):
        made = "gcc" if self.compiler.startswith("gcc") else "clang"
        how = "linked" if self.linked else "preload"
        wanted = "wanted" if self.env else "found"
        words = {made, self.runtime, f"{made}-{self.runtime}", how, "stock" if self.stock else "extra", wanted}
        return words | {self.compiler} | ({"fortran"} if self.fortran else set())

    @property
    def fortran(self):
        """Returns the name of the variant's Fortran compiler, or None if the compiler is not installed."""
        name = FORTRAN.get(self.compiler)
        return name if name and not self.linked and shutil.which(name) else None


def loadable(name):
    """Returns a list with the library's path from ldconfig. The list is empty if there is no such library."""
    lines = run_quietly(["/sbin/ldconfig", "-p"]).splitlines()
    return [line.split("=> ")[1] for line in lines if line.strip().startswith(name + " ")][:1]


def libomp_folder():
    """Returns the folder of the libomp.so.5 that programs get by default."""
    for found in loadable("libomp.so.5"):
        return os.path.dirname(os.path.realpath(found))
    raise BuildError("no libomp.so.5 on this machine")


def private_gomp(build, libomp):
    """Makes a folder in which libgomp.so.1 is a link to LLVM's runtime. With this folder in LD_LIBRARY_PATH, programs compiled by GCC run
    on LLVM's runtime."""
    folder = os.path.join(build, "libomp-as-libgomp")
    os.makedirs(folder, exist_ok=True)
    for name in ("libgomp.so.1", "libomp.so.5"):
        link = os.path.join(folder, name)
        if os.path.islink(link):
            os.unlink(link)
        os.symlink(os.path.join(libomp, "libomp.so.5"), link)
    return folder


def clang_14(build, libomp, own_runtime):
    """Returns the folder of omp.h, the folder of libomp, and a note, for Clang 14. Without `own_runtime`, Clang 14 uses the
    installed libomp and its omp.h."""
    if own_runtime:
        found = [folder for folder, _, files in os.walk(own_runtime) if "omp.h" in files]
        if not found:
            raise BuildError(f"no omp.h under {own_runtime}")
        return found[0], os.path.join(own_runtime, "lib"), ""
    source = run_quietly(["clang-19", "-print-file-name=include/omp.h"]).strip()
    folder = os.path.join(build, "omp-header")
    os.makedirs(folder, exist_ok=True)
    shutil.copy(source, folder)
    return folder, libomp, "runs on the installed libomp, because --libomp-14 is not given"


def all_variants(build, library, own_libomp_14, extra_runtimes):
    """Returns every variant that can be compiled on this machine."""
    link = library.link_flags()
    libomp = libomp_folder()
    variants = []
    for linked, how in ((False, "preload"), (True, "linked")):
        extra = link if linked else []
        variants.append(Variant(f"gcc-libgomp-{how}", "gcc", "libgomp", linked, link_flags=extra))
        needed = ["-Wl,--as-needed"] + extra
        variants.append(Variant(f"clang19-libomp-{how}", "clang-19", "libomp", linked, link_flags=needed))
        variants.append(
            Variant(f"gcc-libomp-{how}", "gcc", "libomp", linked, private_gomp(build, libomp), link_flags=extra)
        )
        header_folder, runtime, note = clang_14(build, libomp, own_libomp_14)
        flags = ["-idirafter", header_folder]
        where = ["-L" + runtime] + needed
        variants.append(
            Variant(f"clang14-libomp-{how}", "clang-14", "libomp", linked, runtime, flags, where, note=note)
        )
    # The variables that `nestbind run --runtime=llvm` sets for the program.
    wanted = {"NESTBIND_RUNTIME": "llvm"}
    variants.append(Variant("gcc-llvm-preload", "gcc", "libomp", False, private_gomp(build, libomp), env=wanted))
    for name, folder in extra_runtimes:
        variants.append(Variant(f"clang19-{name}-preload", "clang-19", "libomp", False, folder, stock=False))
    usable = []
    for variant in variants:
        if shutil.which(variant.compiler) is None:
            print(f"left out {variant.name}: no {variant.compiler} here")
            continue
        if variant.note:
            print(f"note {variant.name}: {variant.note}")
        made = "linked" if variant.linked else "plain"
        variant.folder = os.path.join(build, f"{variant.compiler}-{made}")
        variant.objects = os.path.join(build, f"{variant.compiler}-objects")
        usable.append(variant)
    return usable


def compile_one(variant, library, source, output, shared):
    name = os.path.splitext(os.path.basename(source))[0]
    written = max(os.path.getmtime(path) for path in [source] + headers())
    newest = max(written, os.path.getmtime(library.preload) if variant.linked else 0)
    if os.path.exists(output) and os.path.getmtime(output) > newest:
        return
    compiler = variant.compiler
    command = [compiler]
    if source.endswith(".cpp"):
        command[0] = {"gcc": "g++"}.get(compiler, compiler.replace("clang", "clang++"))
    openmp = [] if name in NO_OPENMP else ["-fopenmp"]
    compiled = os.path.join(variant.objects, name + ".o")
    if not os.path.exists(compiled) or os.path.getmtime(compiled) <= written:
        flags = ["-O1", "-g", "-fPIC", "-pthread", "-Wall", "-Werror", "-I" + library.include] + variant.flags + openmp
        flags += ["-std=c++17"] if source.endswith(".cpp") else []
        flags += ["-foffload=disable"] if name in ("target", "loops_target") and compiler == "gcc" else []
        made = os.path.join(variant.folder, name + ".o")
        run_quietly(command + flags + ["-c", source, "-o", made])
        os.replace(made, compiled)  # renamed when complete, because another thread may compile the same file
    command += ["-shared"] if shared else []
    # Test libraries do not link the library under test.
    link = [flag for flag in variant.link_flags if flag.startswith("-L")] if shared else variant.link_flags
    command += [compiled, "-o", output] + link
    if name == "startup":
        command += [os.path.join(variant.folder, "libstartup_library.so"), "-Wl,-rpath," + variant.folder]
    command += ["-foffload=disable"] if name in ("target", "loops_target") and compiler == "gcc" else []
    run_quietly(command + openmp + ["-pthread", "-ldl", "-lm"])


def compile_fortran(variant, library, source, output):
    used = MODULES.get(os.path.splitext(os.path.basename(source))[0], ())
    sources = [os.path.join(REPOSITORY, "include", "nestbind", name) for name in used] + [source]
    link = library.link_flags() if used else []
    inputs = sources + ([library.preload] if used else [])
    if os.path.exists(output) and os.path.getmtime(output) > max(map(os.path.getmtime, inputs)):
        return
    modules = os.path.join(variant.folder, "modules")
    os.makedirs(modules, exist_ok=True)
    run_quietly([variant.fortran, "-O2", "-g", "-fPIC", "-fopenmp", "-J", modules, *sources, "-o", output, *link])


def headers():
    return [os.path.join(PROGRAMS, name) for name in os.listdir(PROGRAMS) if name.endswith(".h")]


def sources():
    names = sorted(name for name in os.listdir(PROGRAMS) if name.endswith((".c", ".cpp")))
    # Libraries first, because a program may link a library.
    return sorted(names, key=lambda name: os.path.splitext(name)[0] not in LIBRARIES)


def build(variant, library, programs=None):
    """Brings the variant's programs up to date."""
    os.makedirs(variant.folder, exist_ok=True)
    os.makedirs(variant.objects, exist_ok=True)
    for source_name in sources():
        name = os.path.splitext(source_name)[0]
        if name in GCC_ONLY and variant.compiler != "gcc":
            continue
        shared = name in LIBRARIES
        if programs is not None and not shared and name not in programs:
            continue
        output = os.path.join(variant.folder, f"lib{name}.so" if shared else name)
        compile_one(variant, library, os.path.join(PROGRAMS, source_name), output, shared)
    for source_name in sorted(os.listdir(PROGRAMS)) if variant.fortran else ():
        name, extension = os.path.splitext(source_name)
        if extension == ".f90" and (programs is None or name in programs):
            compile_fortran(variant, library, os.path.join(PROGRAMS, source_name), os.path.join(variant.folder, name))


def renamed_runtimes(build_folder, library):
    """Makes two libraries with parallel regions, and a renamed libgomp for each. The new names are as long as libgomp.so.1, because they replace this name inside the
    file."""
    folder = os.path.join(build_folder, "wheels")
    os.makedirs(folder, exist_ok=True)
    original = os.path.realpath(run_quietly(["gcc", "-print-file-name=libgomp.so.1"]).strip())
    with open(original, "rb") as file:
        content = file.read()
    made = []
    for number in (1, 2):
        name = f"libgomp-{number}.so"
        copy = os.path.join(folder, name)
        with open(copy, "wb") as file:
            file.write(content.replace(b"libgomp.so.1\0", name.encode() + b"\0"))
        output = os.path.join(folder, f"libwheel{number}.so")
        source = os.path.join(PROGRAMS, "work_library.c")
        plain = os.path.join(folder, f"wheel{number}.o")
        run_quietly(["gcc", "-O2", "-fPIC", "-fopenmp", "-I" + library.include, "-c", source, "-o", plain])
        run_quietly(["gcc", "-shared", plain, "-o", output, copy, "-Wl,-rpath," + folder])
        made.append(output)
    return made

