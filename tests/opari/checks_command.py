# SPDX-License-Identifier: BSD-3-Clause
"""Checks nestbind-instrument as users run it: with several files, make and CMake, and with errors."""

import os
import re
import shutil
import subprocess

import toolbox as tools

HELLO = """#include <omp.h>
#include <stdio.h>
int other(int);
int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 10; ++i) sum += other(i);
  printf("%d\\n", sum);
  return 0;
}
"""
OTHER = """int other(int n) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i <= n; ++i) sum += i;
  return sum;
}
"""
RESULT = "165\n"


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return name


def hello(folder):
    return [write(folder, "hello.c", HELLO), write(folder, "sub dir/other.c", OTHER)]


def check_several_files(box):
    """Compiles several files by one command, and each file by its own command. Also links an archive and a shared library."""
    wrong = []
    for own, name in (((), "several2"), (box.opari1_options(), "several1")):
        folder = box.work(name)
        files = hello(folder)
        run = lambda program: box.run(["./" + program], folder).stdout  # noqa: E731
        box.compile(["gcc", "-fopenmp"] + files + ["-o", "together"], folder, own)
        wrong += tools.expect(f"{name} together", run("together"), RESULT)
        for file in files:
            box.compile(["gcc", "-fopenmp", "-c", file], folder, own)
        box.compile(["gcc", "-fopenmp", "hello.o", "other.o", "-o", "separate"], folder, own)
        wrong += tools.expect(f"{name} separate", run("separate"), RESULT)
        box.compile(["ar", "rc", "libother.a", "other.o"], folder, own)
        box.compile(["gcc", "-fopenmp", "hello.o", "-L.", "-lother", "-o", "archive"], folder, own)
        wrong += tools.expect(f"{name} archive", run("archive"), RESULT)
        box.compile(["gcc", "-fopenmp", "-fPIC", "-shared", files[1], "-o", "libshared.so"], folder, own)
        box.compile(["gcc", "-fopenmp", "hello.o", "./libshared.so", "-o", "shared"], folder, own)
        wrong += tools.expect(f"{name} shared", run("shared"), RESULT)
        write(folder, "words", "-fopenmp hello.o other.o -o words-program")
        box.compile(["gcc", "@words"], folder, own)
        wrong += tools.expect(f"{name} response file", run("words-program"), RESULT)
        cache = write(folder, "ccache", '#!/bin/sh\n[ "$1" = -s ] && exec touch asked\nexec "$@"\n')
        os.chmod(os.path.join(folder, cache), 0o755)
        for words in (["gcc", "-fopenmp"] + files + ["-o", "cached"], ["gcc", "-c", files[1], "-o", "plain.o"], ["-s"]):
            box.compile(["./" + cache] + words, folder, own)
        wrong += tools.expect(f"{name} compiler cache", os.path.exists(os.path.join(folder, "asked")), True)
        wrong += tools.expect(f"{name} compiler cache", run("cached"), RESULT)
        left = {entry for entry in os.listdir(folder) if "mod" in entry or entry.endswith(".inc")}
        wrong += tools.expect(f"{name} leaves", left, set())
    return wrong


def check_table(box):
    """The table of regions must have the regions of all object files."""
    folder = box.work("table")
    files = hello(folder)
    box.compile(["gcc", "-fopenmp"] + files + ["-o", "program"], folder, ["--keep", "kept"])
    with open(os.path.join(folder, "kept", "nestbind-regions.c"), encoding="utf-8") as file:
        text = file.read()
    wrong = tools.expect_match("table", text, r"return 2;")
    return wrong + tools.expect("initialisers", len(set(re.findall(r"POMP2_Init_reg_\w+_1", text))), 2)


def check_preprocessed_c(box):
    """Compiles a preprocessed source. Also tests definitions, include paths, forced includes and dependencies."""
    folder = box.work("preprocessed")
    hello(folder)
    write(folder, "include/size.h", "#define SIZE 3\n")
    write(folder, "forced.h", "#define FORCED 4\n")
    source = write(folder, "defined.c", '#define _GNU_SOURCE\n#include "size.h"\n#include <sched.h>\n#include <stdio.h>\n'
                   "int main(void) {\n  int count = 0;\n  cpu_set_t set;\n  CPU_ZERO(&set);\n#ifdef NOT_DEFINED\n"
                   "#pragma omp parallel num_threads(7)\n#else\n#pragma omp parallel num_threads(SIZE)\n#endif\n  {\n"
                   "#pragma omp atomic\n    count += STEP(FORCED);\n  }\n  printf(\"%d\\n\", count);\n  return 0;\n}\n")
    flags = ["-fopenmp", "-Iinclude", "-include", "forced.h", "-DSTEP(n)=n+n", "-D", "UNUSED"]
    box.compile(["gcc"] + flags + ["-MMD", "-MF", "deps.d", "-c", source, "-o", "out.o"], folder)
    box.compile(["gcc", "-fopenmp", "out.o", "-o", "program"], folder)
    wrong = tools.expect("output", box.run(["./program"], folder).stdout, "24\n")
    with open(os.path.join(folder, "deps.d"), encoding="utf-8") as file:
        wrong += tools.expect("dependencies", sorted(file.read().replace("\\\n", " ").split()),
                              ["defined.c", "forced.h", "include/size.h", "out.o:"])
    subprocess.run(["gcc", "-fopenmp", "-E", "hello.c", "-o", "hello.i"], cwd=folder, check=True)
    box.compile(["gcc", "-fopenmp", "hello.i", "sub dir/other.c", "-o", "from-i"], folder)
    wrong += tools.expect("from .i", box.run(["./from-i"], folder).stdout, RESULT)
    write(folder, "hello.text", HELLO)
    box.compile(["gcc", "-fopenmp", "-x", "c", "hello.text", "-x", "none", "sub dir/other.c", "-o", "from-x"], folder)
    return wrong + tools.expect("from -x", box.run(["./from-x"], folder).stdout, RESULT)


def check_errors(box):
    """If a step fails, its error messages and its status must be passed on unchanged."""
    folder = box.work("errors")
    wrong = []

    def fails(what, arguments, status, *patterns, own=()):
        result = box.run([box.instrument] + list(own) + arguments, folder)
        found = tools.expect(f"{what} status", result.returncode, status)
        for pattern in patterns:
            found += tools.expect_match(what, result.stderr, pattern)
        return found + tools.expect(f"{what} stdout", result.stdout, "")

    write(folder, "broken.c", "#include <stdio.h>\nint main(void) {\n#pragma omp parallel\n  {\n    undeclared();\n"
          "    int x = ;\n  }\n}\n")
    for own in ((), box.opari1_options()):
        wrong += fails("syntax", ["gcc", "-fopenmp", "-c", "broken.c"], 1,
                       r"(?m)^broken\.c:6:\d+: error: expected expression", r"\n +6 \| +int x = ;", own=own)
    write(folder, "wrong.f90", "program p\n!$omp parallel\nprint *, 'a' + 1\n!$omp end parallel\nend program\n")
    for own in ((), box.opari1_options()):
        wrong += fails("Fortran", ["gfortran", "-fopenmp", "-c", "wrong.f90"], 1, r"(?m)^wrong\.f90:3:",
                       r"print \*, 'a' \+ 1", own=own)
    write(folder, "missing.c", '#include "no_such.h"\n')
    wrong += fails("header", ["gcc", "-fopenmp", "-c", "missing.c"], 1, r"missing\.c:1:\d+: fatal error: no_such\.h")
    wrong += fails("file", ["gcc", "-fopenmp", "-c", "nowhere.c"], 1, r"nowhere\.c: No such file")
    wrong += fails("linker", ["gcc", "-fopenmp", write(folder, "hello.c", HELLO)], 1, r"undefined reference to `other'")
    write(folder, "unbalanced.f90", "program p\n!$omp parallel\n!$omp end do\nend program\n")
    for own in ((), box.opari1_options()):
        wrong += fails("nesting", ["gfortran", "-fopenmp", "-c", "unbalanced.f90"], 1, r"(?i)error", own=own)
    wrong += fails("no tool", ["gcc", "-fopenmp", "-c", "hello.c"], 127, r"no-such-opari is not found",
                   own=["--opari", "no-such-opari"])
    wrong += fails("no compiler", [], 2, r"no COMPILER is given")
    wrong += fails("bad option", ["--no-such"], 2, r"unknown option --no-such")
    wrong += fails("not a compiler", ["no-such-compiler", "-fopenmp", "-c", "hello.c"], 127, r"is not found")
    return wrong


def check_left_alone(box):
    """If a region cannot be instrumented, the command leaves it unchanged and prints a message."""
    folder = box.work("alone")
    write(folder, "attribute.cpp", "int main() {\n  int sum = 0;\n  [[omp::directive(parallel reduction(+ : sum))]]\n"
          "  sum += 1;\n#pragma omp parallel reduction(+ : sum)\n  sum += 1;\n  return sum < 2;\n}\n")
    write(folder, "behind.f90", "program p\n  integer :: i, n\n  n = 0\n  !$omp parallel do reduction(+:n)\n"
          "  do i = 1, 4; n = n + 1; end do; n = n + 1\n  !$omp parallel reduction(+:n)\n  n = n + 1\n"
          "  !$omp end parallel\n  if (n < 6) stop 1\nend program\n")
    wrong = []
    for own in ((), box.opari1_options()):
        for compiler, source, line in (("g++", "attribute.cpp", 3), ("gfortran", "behind.f90", 4)):
            result = box.compile([compiler, "-fopenmp", source, "-o", "program"], folder, own)
            wrong += tools.expect_match(source, result.stderr, rf"^nestbind-instrument: {source}:{line}: ")
            wrong += tools.expect(f"{source} status", box.run(["./program"], folder).returncode, 0)
    write(folder, "serial.c", "int main(void) { return 0; }\n")
    box.compile(["gcc", "serial.c", "-o", "serial"], folder)
    dynamic = subprocess.run(["readelf", "-d", "serial"], cwd=folder, capture_output=True, text=True, check=True).stdout
    wrong += ["a program without OpenMP is linked with a POMP library"] if "nestbind" in dynamic else []
    version = box.run([box.instrument, "gcc", "--version"], folder)
    plain = box.run(["gcc", "--version"], folder)
    return wrong + tools.expect("gcc --version", version.stdout, plain.stdout)


MAKEFILE = """# SPDX-License-Identifier: BSD-3-Clause
CC = {command} gcc
FC = {command} gfortran
OBJECTS = main.o $(patsubst %,c%.o,{numbers}) $(patsubst %,f%.o,{numbers})
program: $(OBJECTS)
\t$(FC) -fopenmp $(OBJECTS) -o $@
%.o: %.c
\t$(CC) -fopenmp -c $< -o $@
%.o: %.f90
\t$(FC) -fopenmp -c $< -o $@
"""


def check_make(box):
    """Runs make -j8 with forty sources in two languages."""
    wrong = []
    count = 20
    for name, options in (("make2", []), ("make1", box.opari1_options("state.rc"))):
        folder = box.work(name)
        numbers = " ".join(map(str, range(count)))
        command = " ".join([box.instrument] + options)
        write(folder, "Makefile", MAKEFILE.format(command=command, numbers=numbers))
        calls = "".join(f"  c{i}(); f{i}_();\n" for i in range(count))
        declarations = "".join(f"void c{i}(void); void f{i}_(void);\n" for i in range(count))
        write(folder, "main.c", f"#include <stdio.h>\nint sum;\nvoid add_(void) {{\n#pragma omp atomic\n  ++sum;\n}}\n"
              f"{declarations}int main(void) {{\n{calls}  printf(\"%d\\n\", sum);\n}}\n")
        for i in range(count):
            write(folder, f"c{i}.c", f"void add_(void);\nvoid c{i}(void) {{\n#pragma omp parallel num_threads(2)\n"
                  "  add_();\n}\n")
            write(folder, f"f{i}.f90", f"subroutine f{i}\n!$omp parallel num_threads(2)\n  call add\n"
                  "!$omp end parallel\nend subroutine\n")
        result = box.run(["make", "-j8"], folder)
        wrong += tools.expect(f"{name} make", (result.returncode, result.stderr), (0, ""))
        for bound in (None, "2,scatter"):
            got = box.run(["./program"], folder, bound, "barcelona" if bound else None)
            wrong += tools.expect(f"{name} {bound}", (got.returncode, got.stdout), (0, f"{4 * count}\n"))
        os.utime(os.path.join(folder, "f3.f90"))
        again = box.run(["make", "-j8"], folder)
        wrong += tools.expect(f"{name} make again", (again.returncode, again.stderr), (0, ""))
        wrong += tools.expect(f"{name} again", box.run(["./program"], folder).stdout, f"{4 * count}\n")
    return wrong


CMAKE = """# SPDX-License-Identifier: BSD-3-Clause
cmake_minimum_required(VERSION 3.20)
project(instrumented C CXX Fortran)
set(NESTBIND_INSTRUMENT_COMMAND "{command}")
include("{module}")
find_package(OpenMP REQUIRED)
add_library(part STATIC part.cpp)
target_link_libraries(part PRIVATE OpenMP::OpenMP_CXX)
add_executable(program main.f90 rows.c)
target_include_directories(program PRIVATE "{include}")
target_link_libraries(program PRIVATE part OpenMP::OpenMP_Fortran OpenMP::OpenMP_C)
set_target_properties(program PROPERTIES LINKER_LANGUAGE Fortran)
nestbind_instrument(part program {options})
"""


def find_module(box):
    for folder, _, files in os.walk(os.path.dirname(box.library.folder)):
        if "NestbindInstrument.cmake" in files:
            return os.path.join(folder, "NestbindInstrument.cmake")
    return os.path.join(tools.variants.REPOSITORY, "cmake", "NestbindInstrument.cmake")


def check_cmake(box):
    """Tests the CMake function with three languages, a static library, Makefiles and Ninja, and both tools."""
    if shutil.which("cmake") is None:
        return ["no cmake here"]
    wrong = []
    cases = [("Ninja", ""), ("Unix Makefiles", ""), ("Ninja", "OPARI1"), ("Unix Makefiles", "OPARI1 STATE one.rc")]
    for number, (generator, options) in enumerate(cases):
        name = f"cmake{number}"
        folder = box.work(name)
        write(folder, "CMakeLists.txt", CMAKE.format(command=box.instrument, module=find_module(box), options=options,
                                                     include=box.library.include))
        write(folder, "part.cpp", 'extern "C" void show_row(const char*, int);\nextern "C" void part_(void) {\n'
              '#pragma omp parallel num_threads(2)\n  show_row("row", 3);\n}\n')
        write(folder, "main.f90", "program main\n!$omp parallel num_threads(2)\n  call part\n!$omp end parallel\n"
              "end program\n")
        shutil.copy(os.path.join(os.path.dirname(tools.SOURCES), "programs", "rows.c"), folder)
        rows = os.path.join(folder, "rows.c")
        with open(rows, encoding="utf-8") as file:
            text = file.read().replace("../../programs", os.path.join(os.path.dirname(tools.builds.HERE), "programs"))
        write(folder, "rows.c", text)
        env = {"NESTBIND_OPARI": os.path.join(box.opari1, "usr/bin/opari")} if options else {}
        for command in (["cmake", "-G", generator, "-S", ".", "-B", "build"], ["cmake", "--build", "build", "-j4"]):
            result = box.run(command, folder, env=env)
            if result.returncode != 0:
                wrong += [f"{name}: {' '.join(command)}", result.stdout[-1500:] + result.stderr[-1500:]]
                break
        else:
            got = box.run(["build/program"], folder, "2,scatter,2,subcompact", "barcelona")
            wanted = {("row", "0.0"): "0", ("row", "0.1"): "1", ("row", "1.0"): "8", ("row", "1.1"): "9"}
            wrong += tools.expect(f"{name} rows", tools.rows(got.stdout), wanted)
            symbols = tools.builds.undefined_symbols(os.path.join(folder, "build", "program"))
            entry = "pomp_parallel_begin" if options else "POMP2_Parallel_begin"
            wrong += [] if entry in symbols else [f"{name}: {entry} is not called"]
    return wrong


CHECKS = (check_several_files, check_table, check_preprocessed_c, check_errors, check_left_alone, check_make,
          check_cmake)
