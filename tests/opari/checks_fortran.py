# SPDX-License-Identifier: BSD-3-Clause
"""Checks the Fortran interface with and without the module, and nested STREAM in C and Fortran."""

import os
import shutil
import subprocess

import toolbox as tools

COMPILERS = ("gfortran", "flang-new-19")
API = """bad 5
<missing or unknown strategy>
<the calling thread has no place>
<unknown error>
none 0 <>
good 0
now 22 <4,scatter,2,subcompact> <4,scatter>
outside 14
max 4
"""
# The expected rows with `4,scatter,2,subcompact`. A row has the thread numbers, the core, the package, and the only processor.
PLACES = [f"place 0 2 {o} {i} {4 * o + i} {o} 1 {4 * o + i}" for o in range(4) for i in range(2)]
EXTERNAL = """set 0
length 22
<2,scatter,2,subcompact>
length 22 <2,sc>
bad 2
schedule 0
length 12
<hybrid,f=0.5        >
length 12 <hybr>
"""
SCHEDULES = """<native> 6
good 0
<hybrid,f=0.75,chunk=8> 21 <hybrid>
loop 500500
native 0
<native>
"""
MEMORY = """block good
interleave good
local good
no such way good
nothing there good
sum 45000150000.
where good
all pages T
replicate good
wrong copies 0
release good
some of the range is no memory of this process
"""
STREAM_ROWS = {"0.0": "0", "0.1": "1", "1.0": "4", "1.1": "5", "2.0": "8", "2.1": "9", "3.0": "12", "3.1": "13"}


def check_interface(box):
    wrong = []
    link = box.library.link_flags()
    module = os.path.join(box.library.include, "nestbind", "nestbind.f90")
    for compiler in COMPILERS:
        if shutil.which(compiler) is None:
            print(f"not run: the Fortran interface with {compiler}, which is not here")
            continue
        folder = box.work("interface-" + compiler)
        for name, files in (("api", [module, tools.path_of("api.f90")]), ("external", [tools.path_of("external.f90")]),
                            ("schedules", [module, tools.path_of("schedules.f90")]),
                            ("memory", [module, os.path.join(os.path.dirname(module), "nestbind_memory.f90"), tools.path_of("memory.f90")])):
            made = subprocess.run([compiler, "-fopenmp"] + files + ["-o", name] + link, cwd=folder, capture_output=True,
                                  text=True, check=False)
            if made.returncode != 0:
                wrong.append(f"{compiler} {name}: {made.stderr[:1000]}")
        api = box.run(["./api"], folder, None, "barcelona")
        lines = api.stdout.splitlines(True)
        wrong += tools.expect(f"{compiler} api", "".join(lines[:9]), API)
        wrong += tools.expect(f"{compiler} places", sorted(line.strip() for line in lines[9:]), sorted(PLACES))
        wrong += tools.expect_match(f"{compiler} fault", api.stderr, r"(?s)nonsense.*\^")
        external = box.run(["./external"], folder, None, "barcelona")
        wrong += tools.expect(f"{compiler} external", external.stdout, EXTERNAL)
        memory = box.run(["./memory"], folder, None)
        wrong += tools.expect(f"{compiler} memory", (memory.stdout, memory.stderr), (MEMORY, ""))
        schedules = box.run(["./schedules"], folder, None)
        wrong += tools.expect(f"{compiler} schedules", schedules.stdout, SCHEDULES)
        wrong += tools.expect_match(f"{compiler} fault of a schedule", schedules.stderr, r"(?s)nestbind_set_schedule: .*\^")
    return wrong


REGIONS = """program regions
  use nestbind_regions
  use nestbind
  implicit none
  character(len=400) :: file
  integer :: first, last, error
  call nestbind_get_region(file, first, last, error)
  print '(3a,3(1x,i0))', "<", trim(file), ">", first, last, error
!$omp parallel num_threads(1) private(file, first, last, error)
  call nestbind_get_region(file, first, last, error)
  if (error /= nestbind_ok) print '(a)', "outside"
  call nestbind_get_region(file)
  print '(a,2(1x,i0))', file(index(file, "/", .true.) + 1:len_trim(file)), first, last
!$omp end parallel
end program regions
"""
TOLD = """<> 0 0 14
regions.f90 9 14
"""


def check_regions(box):
    """A Fortran program asks for the source of a region, without the tools' modules."""
    wrong = []
    modules = [os.path.join(box.library.include, "nestbind", name) for name in ("nestbind.f90", "nestbind_memory.f90", "nestbind_regions.f90")]
    for tool, own in (("opari2", ()), ("opari1", box.opari1_options())):
        folder = box.work("regions-" + tool)
        with open(os.path.join(folder, "regions.f90"), "w", encoding="utf-8") as file:
            file.write(REGIONS)
        plain = subprocess.run(["gfortran", "-std=f2018", "-pedantic", "-Wall", "-Wextra", "-Werror", "-c"] + modules, cwd=folder,
                               capture_output=True, text=True, check=False)
        wrong += tools.expect(f"{tool} modules", (plain.returncode, plain.stderr), (0, ""))
        box.compile(["gfortran", "-fopenmp", "-c", "regions.f90"], folder, own)
        box.compile(["gfortran", "-fopenmp", "regions.o", "nestbind_regions.o", "nestbind.o", "-o", "regions"] +
                    box.library.link_flags(), folder, own)
        wrong += tools.expect(f"{tool} regions", box.run(["./regions"], folder).stdout, TOLD)
    return wrong


def stream_rows(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        lines = [line.strip().split(",") for line in file][1:]
    return {line[0]: line[-1] for line in lines}


def check_streams(box):
    """Runs both STREAM programs with both tools, bound on Barcelona and unbound on this machine."""
    wrong = []
    bench = os.path.join(tools.variants.REPOSITORY, "bench")
    folder = box.work("streams")
    subprocess.run(["gcc", "-O2", "-c", os.path.join(bench, "fortran_processors.c")], cwd=folder, check=True)
    c = ["gcc", "-O2", "-fPIE", "-pie", "-fopenmp", os.path.join(bench, "nested_stream.c"), "-lm"]
    fortran = ["gfortran", "-O2", "-fopenmp", os.path.join(bench, "nested_stream.f90"), "fortran_processors.o"]
    for tool, own in (("opari2", ()), ("opari1", box.opari1_options())):
        for language, command in (("c", c), ("fortran", fortran)):
            name = f"{tool}-{language}"
            box.compile(command + ["-o", name], folder, own)
            arguments = ["./" + name, "--threads", name + ".csv", "4", "2", "1000", "3"]
            bound = box.run(arguments, folder, "4,scatter,2,subcompact", "barcelona")
            wrong += tools.expect(f"{name} bound", (bound.returncode, bound.stderr), (0, ""))
            wrong += tools.expect(f"{name} threads", stream_rows(folder, name + ".csv"), STREAM_ROWS)
            unbound = box.run(["./" + name, "2", "2", "1000", "3"], folder)
            wrong += tools.expect(f"{name} unbound", (unbound.returncode, unbound.stderr), (0, ""))
    return wrong


CHECKS = (check_interface, check_regions, check_streams)
