# SPDX-License-Identifier: BSD-3-Clause
"""Checks the libraries: all entry points exist, and other libraries still get their events."""

import glob
import os
import re
import subprocess

import toolbox as tools

BARCELONA_2X2 = {("row", "0.0"): "0", ("row", "0.1"): "1", ("row", "1.0"): "8", ("row", "1.1"): "9"}


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    return {line.split()[-1].partition("@")[0] for line in lines.stdout.splitlines()}


def declared(header):
    with open(header, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    return set(re.findall(r"\b((?:POMP2|pomp)_\w+)\s*\(", text))


# No library has these functions, because the tools generate them.
GENERATED = {"POMP2_Get_num_regions", "POMP2_Init_regions", "POMP2_Get_opari2_version",
             "POMP2_USER_Get_num_regions", "POMP2_USER_Init_regions"}


def fortran_names(c_names, generated_for_c):
    names = set()
    for name in c_names - generated_for_c:
        lower = name.lower().replace("_for_", "_do_")
        names.add(lower + "_")
    return names


def check_entries(box):
    """Our libraries must have every function of the tools' headers and of the tools' own libraries."""
    wrong = []
    header = os.path.join(box.opari1, "usr/include/pomp_lib.h")
    own = glob.glob(os.path.join(box.opari1, "usr/lib/*/libpomp.so.0"))[0]
    wanted = declared(header) | fortran_names(declared(header), set()) | {
        name for name in exported(own) if name.startswith("pomp_")}
    have = exported(os.path.join(box.library.folder, "libnestbind-pomp.so"))
    wrong += tools.expect("entries of OPARI 1 that are missing", sorted(wanted - have), [])
    folder = subprocess.run(["opari2-config", "--cflags"], capture_output=True, text=True, check=True)
    headers = [os.path.join(folder.stdout.strip()[2:], "opari2", name) for name in ("pomp2_lib.h", "pomp2_user_lib.h")]
    names = set().union(*(declared(header) for header in headers)) - GENERATED
    no_fortran = {"POMP2_Get_new_task_handle"}
    archive = subprocess.run(["nm", "/usr/lib/libpomp.a"], capture_output=True, text=True, check=False).stdout
    more = {line.split()[-1] for line in archive.splitlines() if re.search(r" T (POMP2|pomp2)_\w+$", line)}
    more -= {name for name in more if re.search(r"2String$|RegionInfo", name)}
    wanted = names | fortran_names(names, no_fortran) | more
    have = exported(os.path.join(box.library.folder, "libnestbind-pomp2.so"))
    wrong += tools.expect("entries of OPARI2 that are missing", sorted(wanted - have), [])
    return wrong + ([] if len(wanted) > 100 else [f"only {len(wanted)} entries are looked for"])


def check_alone(box):
    """Instrumented programs must need no other library."""
    wrong = []
    for name in ("libnestbind-pomp.so", "libnestbind-pomp2.so"):
        text = subprocess.run(["readelf", "-d", os.path.join(box.library.folder, name)], capture_output=True,
                              text=True, check=True).stdout
        needed = re.findall(r"NEEDED.*\[(.*?)\]", text)
        wrong += tools.expect(f"{name} needs", [n for n in needed if not n.startswith(("libc.", "ld-linux"))], [])
    return wrong


REGIONS = """before: error 14
outer: regions.c 22-32
inner: regions.c 26-29
again: regions.c 22-32
after: error 14
"""


def check_regions(box):
    """nestbind_get_region must return a region's source with each tool, also if libnestbind is not preloaded."""
    wrong = []
    for own, name in (((), "regions2"), (box.opari1_options(), "regions1")):
        folder = box.work(name)
        box.compile(["gcc", "-fopenmp", "-I" + box.library.include, tools.path_of("regions.c"), "-o", "regions"],
                    folder, own)
        for bound in (None, "2,scatter,1,subcompact"):
            result = box.run(["./regions"], folder, bound, "barcelona" if bound else None)
            wrong += tools.expect(f"{name} {bound}", (result.returncode, result.stdout), (0, REGIONS))
    return wrong


def check_other_library(box):
    """The tracing library must get the events of parallel regions, with and without a specification. With a specification, threads must be
    bound."""
    wrong = []
    folder = box.work("trace")
    traced = "trace: forks 30 begins 60 ends 60 joins 30 loops 0 strange 0"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", tools.path_of("trace.c"), "-o", "libtrace.so"], cwd=folder,
                   check=True)
    trace = ["-Wl,--no-as-needed", "-L.", "-ltrace", "-Wl,-rpath," + folder]
    flags = ["-I" + box.library.include, "-Wl,-rpath," + box.library.folder]
    runtimes = [("libgomp", ["gcc"], {}), ("notool", ["clang-19"], {"OMP_TOOL": "disabled"})]
    for tool, own in (("opari2", ()), ("opari1", box.opari1_options())):
        for runtime, compiler, env in runtimes:
            name = f"{tool}-{runtime}"
            object_file = name + ".o"
            box.compile(compiler + ["-O1", "-fopenmp", flags[0], "-c", tools.path_of("traced.c"), "-o", object_file],
                        folder, own)
            box.compile(compiler + ["-fopenmp", object_file, "-o", name, flags[1]] + trace, folder, own)
            for bound in (None, "2,scatter,2,subcompact"):
                levels = {} if bound else {"OMP_MAX_ACTIVE_LEVELS": "2"}
                result = box.run(["./" + name], folder, bound, "barcelona" if bound else None, dict(env, **levels))
                lines = [line for line in result.stdout.splitlines() if line.startswith("trace")]
                wrong += tools.expect(f"{name} {bound} events", lines, [traced])
                if bound:
                    wrong += tools.expect(f"{name} rows", tools.rows(result.stdout), BARCELONA_2X2)
    return wrong


def masks_set(box, folder, program, env):
    """Counts the system calls that bind threads."""
    log = os.path.join(folder, program + ".calls")
    preload = ["-E", "LD_PRELOAD=" + box.library.preload]
    command = ["strace", "-f", "-qq", "-e", "trace=sched_setaffinity", "-o", log] + preload + ["./" + program]
    result = box.run(command, folder, None, None, dict(env, OMP_NESTING_TEAM_SIZE="1,scatter,2,subcompact"))
    with open(log, encoding="utf-8", errors="replace") as file:
        return result.returncode, file.read().count("sched_setaffinity(")


def check_bound_once(box):
    """Instrumentation must not change how often a program binds threads. GOMP or OMPT reports the forks in this test."""
    wrong = []
    folder = box.work("once")
    source = os.path.join(os.path.dirname(tools.SOURCES), "..", "programs", "repeat.c")
    for compiler in ("gcc", "clang-19"):
        for tool, own in (("plain", None), ("opari2", ()), ("opari1", box.opari1_options())):
            arguments = [compiler, "-O1", "-fopenmp", "-I" + box.library.include, source, "-o", f"{compiler}-{tool}",
                         "-Wl,-rpath," + box.library.folder]
            if own is None:
                subprocess.run(arguments, cwd=folder, check=True)
            else:
                box.compile(arguments, folder, own)
        counts = {}
        for tool in ("plain", "opari2", "opari1"):
            command = f"{compiler}-{tool}"
            script = os.path.join(folder, command + "-run")
            with open(script, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\nexec ./{command} 20 1 2\n")
            os.chmod(script, 0o755)
            counts[tool] = masks_set(box, folder, command + "-run", {})
        if counts["plain"][1] == 0:
            wrong.append(f"{compiler}: no thread is bound at all")
        for tool in ("opari2", "opari1"):
            wrong += tools.expect(f"{compiler} {tool}: status and masks set", counts[tool], counts["plain"])
    return wrong


CHECKS = (check_entries, check_alone, check_regions, check_other_library, check_bound_once)
