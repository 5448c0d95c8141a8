# SPDX-License-Identifier: BSD-3-Clause
"""Checks which tool nestbind-instrument runs."""

import os
import shutil

import toolbox as tools
from checks_command import OTHER, RESULT, find_module, hello, write

FORTRAN = """subroutine part
!$omp parallel num_threads(2)
  call row
!$omp end parallel
end subroutine
"""


def check_wrong_tool(box):
    """If the tool is of the wrong kind, one line must say so. If the tool is missing, a message must say how to get it."""
    folder = box.work("wrong-tool")
    write(folder, "one.c", OTHER)
    write(folder, "one.f90", FORTRAN)
    opari1 = os.path.join(box.opari1, "usr/bin/opari")
    opari2 = shutil.which("opari2")
    wrong = []
    cases = [(["--opari", opari1], {}, 2, f"{opari1} is OPARI 1: give --opari1"),
             ([], {"NESTBIND_OPARI": opari1}, 2, f"{opari1} is OPARI 1: give --opari1"),
             (["--opari1", "--opari", opari2], {}, 2, f"{opari2} is OPARI2: leave --opari1 out"),
             (["--opari1", "--opari", "opari2"], {}, 2, "opari2 is OPARI2: leave --opari1 out"),
             (["--opari", "nope"], {}, 127, "nope is not found; --opari names it"),
             (["--opari", "/nowhere/opari2"], {}, 127,
              "/nowhere/opari2 is not found; Debian has it in the package opari2, and --opari names another"),
             (["--opari1", "--opari", "/nowhere/opari"], {}, 127,
              "/nowhere/opari is not found; Debian's package opari excludes opari2: unpack opari and libpomp-dev with "
              "apt-get download and dpkg -x, as in nestbind-opari(7), and name it by --opari")]
    for compiler, source in (("gcc", "one.c"), ("gfortran", "one.f90")):
        for own, env, status, line in cases:
            ran = box.run([box.instrument] + own + [compiler, "-fopenmp", "-c", source], folder, env=env)
            wrong += tools.expect(f"{own} {compiler}", (ran.returncode, ran.stdout, ran.stderr),
                                  (status, "", f"nestbind-instrument: {line}\n"))
    return wrong + tools.expect("left", sorted(os.listdir(folder)), ["one.c", "one.f90"])


CMAKE_BOTH = """# SPDX-License-Identifier: BSD-3-Clause
cmake_minimum_required(VERSION 3.20)
project(both C)
set(NESTBIND_INSTRUMENT_COMMAND "{command}")
include("{module}")
find_package(OpenMP REQUIRED)
add_executable(with1 hello.c "sub dir/other.c")
add_executable(with2 hello.c "sub dir/other.c")
target_link_libraries(with1 PRIVATE OpenMP::OpenMP_C)
target_link_libraries(with2 PRIVATE OpenMP::OpenMP_C)
nestbind_instrument(with1 OPARI1 OPARI {opari1})
nestbind_instrument(with2 OPARI {opari2})
"""


def check_cmake_both(box):
    """One project has targets for both tools. It has a relative path for one tool, and a name for the other tool."""
    wrong = []
    for generator in ("Ninja", "Unix Makefiles"):
        folder = box.work("cmake-both")
        hello(folder)
        os.symlink(box.opari1, os.path.join(folder, "opari-1"))
        write(folder, "CMakeLists.txt", CMAKE_BOTH.format(command=box.instrument, module=find_module(box),
                                                          opari1="opari-1/usr/bin/opari", opari2="opari2"))
        for command in (["cmake", "-G", generator, "-S", ".", "-B", "build"], ["cmake", "--build", "build", "-j2"]):
            ran = box.run(command, folder, env={"NESTBIND_OPARI": "/nowhere/opari"})
            wrong += [] if ran.returncode == 0 else [f"{generator}: {' '.join(command)}", (ran.stdout + ran.stderr)[-1500:]]
        for program, entry in (("with1", "pomp_parallel_begin"), ("with2", "POMP2_Parallel_begin")):
            path = os.path.join(folder, "build", program)
            wrong += tools.expect(f"{generator} {program}", box.run(["./build/" + program], folder).stdout, RESULT)
            calls = os.path.exists(path) and entry in tools.builds.undefined_symbols(path)
            wrong += [] if calls else [f"{generator} {program}: {entry} is not called"]
    return wrong


CHECKS = (check_wrong_tool, check_cmake_both)
