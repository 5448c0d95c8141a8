#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check.py BUILD PREFIX: checks that `cmake --install` installs all files, and that `uninstall` removes them."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "nested.c"
FORTRAN = ROOT / "tests" / "install" / "consumer" / "nested.f90"
SPEC = "2,scatter,2,subcompact"
# SPEC gives these processors to the threads on the paper's Barcelona.
EXPECTED = {"0.0": "0", "0.1": "1", "1.0": "8", "1.1": "9"}

CXX = {"gcc": "g++", "clang-19": "clang++-19"}

results = []


def check(name, good, detail=""):
    results.append(bool(good))
    print(("ok   " if good else "FAIL ") + name + ("" if good else f": {detail}"))


def run(*command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120, **more)


def on_barcelona(program, environment):
    machine = ROOT / "tests" / "machines" / "barcelona.xml"
    return run(program, env={**environment, "OMP_NESTING_TEAM_SIZE": SPEC, "NESTBIND_REPORT": "text",
                             "NESTBIND_MACHINE": str(machine)})


def reported(program, environment):
    """Runs the program with the description of Barcelona. Returns {path: processors} from its report."""
    ran = on_barcelona(program, environment)
    rows = {}
    for line in ran.stderr.split("\n"):
        words = line.split()
        if len(words) > 2 and words[0].count(".") == 1 and words[1].isdigit():
            rows[words[0]] = words[2]
    return rows


def first_needed(program):
    return next((line for line in run("readelf", "-d", program).stdout.split("\n") if "NEEDED" in line), "")


def main():
    build, prefix = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    found = list(prefix.glob("lib*/**/libnestbind.so"))
    check("the library is there", len(found) == 1, found)
    if not found:
        return 1
    library = found[0]
    libdir = library.parent
    dynamic = run("readelf", "-d", library).stdout
    check("SONAME", "soname: [libnestbind.so.0]" in dynamic, dynamic)
    check("no libstdc++, no hwloc, no OpenMP runtime is needed",
          not any(name in dynamic for name in ("libstdc++", "libhwloc", "libgomp", "libomp")), dynamic)
    exported = {line.split()[-1] for line in
                run("nm", "-D", "--defined-only", library).stdout.split("\n") if line}
    foreign = [name for name in exported if name.startswith(("_Z", "hwloc", "std"))]
    check("nothing of C++ or hwloc is exported", not foreign, foreign)
    for path in (libdir / "nestbind" / "libnestbind-planner.so", libdir / "nestbind" / "libnestbind-topology.so",
                 libdir / "nestbind" / "libnestbind-memory.so", libdir / "nestbind" / "nestbind-scotch",
                 prefix / "include" / "nestbind" / "balance.h", prefix / "include" / "nestbind" / "nestbind_balancing.f90",
                 prefix / "bin" / "nestbind", prefix / "include" / "nestbind" / "nestbind.h",
                 prefix / "include" / "nestbind" / "memory.h", prefix / "include" / "nestbind" / "nestbind_memory.f90",
                 prefix / "include" / "nestbind" / "mpi.h", prefix / "include" / "nestbind" / "nestbind_mpi.f90",
                 prefix / "include" / "nestbind" / "topology.h", prefix / "include" / "nestbind" / "nestbind_topology.f90", libdir / "pkgconfig" / "nestbind.pc",
                 libdir / "cmake" / "nestbind" / "nestbind-config.cmake",
                 prefix / "share" / "bash-completion" / "completions" / "nestbind", prefix / "share" / "zsh" / "site-functions" / "_nestbind",
                 prefix / "share" / "fish" / "vendor_completions.d" / "nestbind.fish",
                 prefix / "share" / "man" / "man1" / "nestbind.1", prefix / "share" / "man" / "man1" / "nestbind-map.1",
                 prefix / "share" / "man" / "man1" / "nestbind-balance.1", prefix / "share" / "man" / "man3" / "nestbind_balance.3"):
        check(str(path.relative_to(prefix)), path.is_file(), "missing")

    for family in ("openmpi", "mpich"):
        module = pathlib.Path("nestbind") / f"libnestbind-mpi-{family}.so"
        if (build / "lib" / module).is_file():
            needed = run("readelf", "-d", libdir / module).stdout if (libdir / module).is_file() else "libmpi"
            check(f"the library for {family} is there, and needs no MPI and no libstdc++",
                  not any(name in needed for name in ("libmpi", "libmpich", "libstdc++")), needed)
    plugin = pathlib.Path("nestbind") / "libnestbind-slurm.so"
    if (build / "lib" / plugin).is_file():
        check("the plugin for Slurm", (libdir / plugin).is_file(), "missing")
        alone = pathlib.Path(tempfile.mkdtemp())
        run("cmake", "--install", build, "--component", "slurm", "--prefix", alone)
        written = [path.relative_to(alone) for path in alone.rglob("*") if path.is_file()]
        check("... a component of its own", written == [libdir.relative_to(prefix) / plugin], written)
        shutil.rmtree(alone)
    headers = "".join(path.read_text() for path in (prefix / "include" / "nestbind").glob("*.h"))
    # Only four functions of mpi.h are for programs.
    declared = sorted(name for name in set(re.findall(r"\b((?:nestbind|omp)_[a-z_]+)\(", headers))
                      if not re.match(r"nestbind_mpi_(?!(coordinates|rank|hops|sort)$)", name))
    check("the headers declare functions", "nestbind_memory_copy" in declared, declared)
    for function in declared:
        check(f"man {function}, of the headers", (prefix / "share" / "man" / "man3" / f"{function}.3").is_file(), "missing")
    for name in ("omp_set_nesting_info.3", "nestbind_set_schedule.3", "nestbind-memory.3"):
        page = (prefix / "share" / "man" / "man3" / name).read_text()
        functions = re.findall(r"^\.Nm (\w+)", page.partition(".Sh LIBRARY")[0], re.M)
        check(f"{name} names its functions", len(functions) > 1, functions)
        for function in functions:
            entry = prefix / "share" / "man" / "man3" / f"{function}.3"
            told = entry.name == name or entry.is_file() and entry.read_text() == f".so man3/{name}\n"
            check(f"man {function}", told, "missing")
    found = run("pkg-config", "--variable=libdir", "nestbind",
                env={**os.environ, "PKG_CONFIG_PATH": str(libdir / "pkgconfig")}).stdout.strip()
    check("pkg-config's libdir has no double slash", "//" not in found and os.path.realpath(found) == str(libdir), found)

    environment = {**os.environ, "LD_LIBRARY_PATH": str(libdir)}
    environment.pop("LD_PRELOAD", None)
    work = pathlib.Path(tempfile.mkdtemp())
    try:
        flags = run("pkg-config", "--cflags", "--libs", "nestbind",
                    env={**os.environ, "PKG_CONFIG_PATH": str(libdir / "pkgconfig")}).stdout.split()
        for compiler, source in (("gcc", EXAMPLE), ("g++", EXAMPLE), ("gfortran", FORTRAN), ("clang-19", EXAMPLE), ("clang++-19", EXAMPLE),
                                 ("flang-new-19", FORTRAN)):
            if not shutil.which(compiler):
                print(f"not run with pkg-config: no {compiler} here")
                continue
            for place, arguments in (("before", [*flags, source]), ("after", [source, *flags])):
                program = work / f"with-{compiler}-{place}"
                built = run(compiler, "-O1", "-fopenmp", "-Wl,--as-needed", *arguments, "-o", program)
                check(f"pkg-config's flags {place} the source, {compiler} --as-needed", built.returncode == 0, built.stderr)
                rows = reported(program, environment) if built.returncode == 0 else {}
                check("... binds", all(rows.get(path) == cpu for path, cpu in EXPECTED.items()), rows)
                check("... asks it first", "libnestbind" in first_needed(program), first_needed(program))
        faulty = run("gcc", "-fopenmp", "-Wl,--as-needed", "-xc", "-", "-xnone", *flags, "-o", work / "faulty",
                     input="int main(void) {\n#pragma omp parallel for schedule(dynamic)\n  for (int i = 0; i < 9; ++i) {}\n  return 0;\n}\n")
        told = run(work / "faulty", env={**environment, "OMP_NESTING_TEAM_SIZE": "bad"}).stderr
        check("a bad specification is reported if the linker left libgomp out", "column 1" in told, faulty.stderr + told)
        for compiler in CXX:
            has_fortran = compiler == "gcc" and shutil.which("gfortran") is not None
            folder = work / f"cmake-{compiler}"
            configured = run("cmake", "-S", ROOT / "tests" / "install" / "consumer", "-B", folder,
                             f"-DCMAKE_C_COMPILER={compiler}", f"-DCMAKE_CXX_COMPILER={CXX[compiler]}",
                             f"-DCMAKE_PREFIX_PATH={prefix}", f"-DEXAMPLE={EXAMPLE}",
                             *([f"-DFORTRAN_EXAMPLE={FORTRAN}"] if has_fortran else []))
            built = run("cmake", "--build", folder)
            check(f"find_package and {compiler}", configured.returncode + built.returncode == 0,
                  configured.stderr + built.stdout)
            for target in ("c", "c_after", "cxx", "cxx_after", *(("fortran", "fortran_after") if has_fortran else ()), "user", "user_PUBLIC"):
                program = folder / target
                rows = reported(program, environment) if built.returncode == 0 else {}
                check(f"... {target} binds", all(rows.get(path) == cpu for path, cpu in EXPECTED.items()), rows)
                check(f"... {target} asks it first", "libnestbind" in first_needed(program), first_needed(program))
            late = on_barcelona(folder / "user_PRIVATE", environment) if built.returncode == 0 else built
            check("... a library that keeps it for itself: a warning", late.returncode == 0 and "nestbind run" in late.stderr and "0.1" not in late.stderr,
                  late.stderr)
        ran = run(prefix / "bin" / "nestbind", "run", "--report=text", "1,scatter,2,compact", "--",
                  work / "with-gcc-after")
        check("the installed command finds the installed library", "team of 2" in ran.stderr, ran.stderr)
    finally:
        shutil.rmtree(work)

    copy = pathlib.Path(tempfile.mkdtemp()) / "prefix"
    run("cmake", "--install", build, "--prefix", copy)
    removed = run("cmake", "--build", build, "--target", "uninstall")
    left = [p for p in copy.rglob("*") if not p.is_dir()]
    check("uninstall leaves no file", removed.returncode == 0 and not left, left)
    left = [p for p in copy.rglob("nestbind*")]
    check("... and no folder of its own", not left, left)
    shutil.rmtree(copy.parent)
    if (build / "lib" / plugin).is_file():
        (build / "install_manifest.txt").unlink()
        run("cmake", "--install", build, "--component", "slurm", "--prefix", copy)
        there = [p for p in copy.rglob("*") if not p.is_dir()]
        removed = run("cmake", "--build", build, "--target", "uninstall")
        left = [p for p in copy.rglob("*") if not p.is_dir()]
        check("uninstall after --component slurm", there and removed.returncode == 0 and not left, (there, removed.stderr, left))
        shutil.rmtree(copy.parent)
    run("cmake", "--install", build, "--prefix", prefix)

    failed = results.count(False)
    print(f"install: {len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
