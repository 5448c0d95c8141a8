# SPDX-License-Identifier: BSD-3-Clause
"""If a source compiles without warnings, it must also compile without warnings by nestbind-instrument. No object file may name the working
folder of nestbind-instrument."""

import glob
import os
import subprocess

import toolbox as tools
from checks_command import write

PATHS = """#include <nestbind/region.h>
#include <stdio.h>
int main(void) {
#pragma omp parallel num_threads(2)
  {
    struct nestbind_region region;
#pragma omp critical
    if (nestbind_get_region(&region) == 0)
      printf("%s %d %d\\n", region.file, region.first_line, region.last_line);
  }
  return 0;
}
"""
FORTRAN_REGION = """program region
  use omp_lib
  implicit none (type, external)
  integer :: i, n
  n = 0
  !$omp parallel do num_threads(2) reduction(+:n) if(n == 0)
  do i = 1, 4
    n = n + i
  end do
  !$omp parallel num_threads(2) default(none) reduction(+:n)
  n = n + 1
  !$omp end parallel
  if (n < 0) stop 1
end program region
"""
C_REGIONS = """#include <assert.h>
#include <stdio.h>
#define USED 2
int total(int n);
int total(int n) {
  int sum = 0;
#pragma omp parallel num_threads(USED) reduction(+ : sum)
  {
#pragma omp parallel num_threads(USED) reduction(+ : sum) if (n > 0)
    sum += n;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += i;
  }
  assert(sum > n);
  return sum;
}
int main(void) {
#pragma omp parallel
  {
#pragma omp master
    printf("%d\\n", total(2));
  }
  return 0;
}
"""
CXX_REGIONS = C_REGIONS.replace("int total(int n);", "static int total(int n);").replace("int total(int n) {", "static int total(int n) {")


def check_places(box):
    """A region's source file must have the path that the user has given, and two equal compilations must give equal object files."""
    wrong = []
    for own, name in (((), "places2"), (box.opari1_options(), "places1")):
        folder = box.work(name)
        include = "-I" + box.library.include
        for source in (write(folder, "reg.c", PATHS), write(folder, "sub dir/reg.c", PATHS)):
            box.compile(["gcc", "-fopenmp", include, source, "-o", "program"], folder, own)
            wrong += tools.expect(f"{name} {source}", set(box.run(["./program"], folder).stdout.splitlines()),
                                  {f"{source} 4 10"})
        write(folder, "reg.f90", FORTRAN_REGION.replace(" (type, external)", ""))
        write(folder, "reg.cpp", CXX_REGIONS)
        commands = [["gcc", "-g", include, "reg.c"], ["gcc", include, "reg.c"], ["g++", "-g", "reg.cpp"],
                    ["gfortran", "-g", "reg.f90"], ["clang-19", "-g", include, "reg.c"]]
        for command in commands:
            objects = []
            for _ in range(2):
                box.compile(command + ["-fopenmp", "-c", "-o", "reg.o"], folder, own)
                with open(os.path.join(folder, "reg.o"), "rb") as file:
                    objects.append(file.read())
            what = f"{name} {' '.join(command[:2])}"
            wrong += [] if objects[0] == objects[1] else [f"{what}: two equal compiles give two objects"]
            wrong += [f"{what}: the object names {text.decode()}" for text in (b"nestbind-instrument", b"opari.rc")
                      if text in objects[0]]
            wrong += [] if command[-1].encode() in objects[0] else [f"{what}: the object does not name its source"]
    return wrong


CLEAN = (
    ("gcc", ["-std=c11", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"], "clean.c", C_REGIONS),
    ("gcc", ["-std=c99", "-pedantic-errors", "-Wshadow", "-Wunused-macros", "-Wundef", "-Werror"], "clean.c", C_REGIONS),
    ("gcc", ["-Wconversion", "-Wmissing-prototypes", "-Wredundant-decls", "-Wunused", "-Wcast-qual", "-Wwrite-strings",
             "-Wstrict-prototypes", "-Wdeclaration-after-statement", "-Wimplicit-fallthrough", "-Werror"], "clean.c",
     C_REGIONS.replace("for (int i = 0; i < n; ++i) sum += i;",
                       "for (int i = 0; i < n; ++i)\n      switch (i) {\n        case 1:\n          sum += i;\n"
                       "          /* fall through */\n        default:\n          sum += i;\n      }")),
    ("clang-19", ["-std=c11", "-pedantic-errors", "-Weverything", "-Wno-unsafe-buffer-usage",
                  "-Wno-declaration-after-statement", "-Wno-disabled-macro-expansion", "-Wno-pre-c11-compat",
                  "-Werror"], "clean.c", C_REGIONS),
    ("g++", ["-std=c++17", "-pedantic-errors", "-Wall", "-Wextra", "-Wshadow", "-Wold-style-cast", "-Wuseless-cast",
             "-Wzero-as-null-pointer-constant", "-Wunused-macros", "-Wmissing-declarations", "-Werror"], "clean.cpp",
     CXX_REGIONS),
    ("clang++-19", ["-I.", "-std=c++20", "-pedantic-errors", "-Wall", "-Wextra", "-Wshadow", "-Werror"], "clean.cpp",
     CXX_REGIONS),
    ("gfortran", ["-Wall", "-Wextra", "-Werror"], "clean.f90", FORTRAN_REGION),
    ("gfortran", ["-Wimplicit-interface", "-Wimplicit-procedure", "-Werror"], "clean.f90", FORTRAN_REGION),
    ("gfortran", ["-std=f2018", "-Wall", "-Wextra", "-pedantic", "-Werror"], "clean.f90", FORTRAN_REGION),
    ("gfortran", ["-std=f2003", "-Wall", "-Wextra", "-Werror"], "clean.f90",
     FORTRAN_REGION.replace(" (type, external)", "")),
    ("gfortran", ["-fdefault-integer-8", "-fcheck=all", "-fimplicit-none", "-Wall", "-Werror"], "clean.f90",
     FORTRAN_REGION.replace(" (type, external)", "")),
)


def check_clean(box):
    wrong = []
    folder = box.work("clean")
    for compiler, flags, name, text in CLEAN:
        write(folder, name, text)
        command = [compiler, "-fopenmp"] + flags + ["-c", name]
        plain = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if plain.returncode != 0:
            wrong.append(f"{' '.join(command)}: has warnings without nestbind-instrument: {plain.stderr[:600]}")
            continue
        for own, tool in (((), "opari2"), (box.opari1_options(), "opari1")):
            made = box.run([box.instrument] + list(own) + command, folder)
            wrong += tools.expect(f"{tool} {' '.join(command)}", (made.returncode, made.stderr[:1200]), (0, ""))
    return wrong


BROKEN = {
    "syntax.c": ("gcc", "int main(void) {\n#pragma omp parallel\n  {\n    int x = ;\n    y();\n  }\n}\n"),
    "brace.c": ("gcc", "int main(void) {\n#pragma omp parallel\n  {\n    int x = 1;\n"),
    "none.c": ("gcc", "int main(void) {\n  int x = 1;\n#pragma omp parallel default(none)\n  x = 2;\n  return x;\n}\n"),
    "clause.c": ("gcc", "int main(void) {\n#pragma omp parallel for nowait\n  for (int i = 0; i < 2; ++i) ;\n}\n"),
    "header.c": ("gcc", "#include \"no_such.h\"\n#pragma omp parallel\nint x;\n"),
    "template.cpp": ("g++", "template <class T> void f(T t) {\n#pragma omp parallel\n  t.g();\n}\nint main() { f(1); }\n"),
    "type.f90": ("gfortran", "program p\n!$omp parallel\nprint *, 'a' + 1\n!$omp end parallel\nend program\n"),
    "nesting.f90": ("gfortran", "program p\n!$omp parallel\n!$omp end do\nend program\n"),
    "open.f90": ("gfortran", "program p\ninteger :: i\n!$omp parallel do\ndo i = 1, 3\nend program\n"),
    "warn.c": ("gcc -Wall -Werror", "int main(void) {\n  int unused;\n#pragma omp parallel\n  {\n    int other;\n  }\n}\n"),
}


def check_plain_errors(box):
    """If the source does not compile, the output must be the same as the compiler's output without the command."""
    wrong = []
    folder = box.work("broken")
    for name, (compiler, text) in BROKEN.items():
        write(folder, name, text)
        command = compiler.split() + ["-fopenmp", "-c", name]
        plain = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                               env=dict(os.environ, LC_ALL="C"))
        for own, tool in (((), "opari2"), (box.opari1_options(), "opari1")):
            made = box.run([box.instrument] + list(own) + command, folder)
            wrong += tools.expect(f"{tool} {name}", (made.returncode, made.stdout, made.stderr),
                                  (plain.returncode, plain.stdout, plain.stderr))
    for arguments in (["no-such-compiler", "-fopenmp", "-c", "syntax.c"], ["no-such-compiler", "--version"],
                      ["/no/such/gcc", "x.o"]):
        result = box.run([box.instrument] + arguments, folder)
        expected = f"nestbind-instrument: the compiler {arguments[0]} is not found\n"
        wrong += tools.expect(arguments[0], (result.returncode, result.stdout, result.stderr), (127, "", expected))
    return wrong + tools.expect("left", glob.glob(os.path.join(folder, "*.o")), [])


def check_without_regions(box):
    """If a source has no regions, the command must compile the source itself, not a changed copy."""
    folder = box.work("without")
    write(folder, "plain.c", "int f(int n) {\n#pragma omp barrier\n  return n;\n}\n")
    objects = []
    for command in ([], [box.instrument], [box.instrument] + box.opari1_options()):
        result = box.run(command + ["gcc", "-fopenmp", "-g", "-Wall", "-c", "plain.c"], folder)
        with open(os.path.join(folder, "plain.o"), "rb") as file:
            objects.append((result.returncode, result.stderr, file.read()))
    return [] if objects[0] == objects[1] == objects[2] else ["another object, or other messages"]


CHECKS = (check_places, check_clean, check_plain_errors, check_without_regions)
