# SPDX-License-Identifier: BSD-3-Clause
"""Tests of kept workers in a process that another tool observes. Under sanitizers and valgrind the library must create new workers for
each region. Under a debugger it must keep the workers."""

import os
import shutil
import subprocess
import time

import running
import variant as variants

SOURCE = os.path.join(variants.PROGRAMS, "kept.c")
INCLUDE = os.path.join(os.path.dirname(os.path.dirname(variants.HERE)), "include")
SPEC = "2,scatter,2,subcompact"
PATIENCE = 120


def environment(preload, **more):
    return running.environment(LD_PRELOAD=preload, OMP_NESTING_TEAM_SIZE=SPEC, NESTBIND_QUIET="1", **more)


def run(command, env):
    return running.run(command, PATIENCE, env=env)


def missing(wanted, status, out, err):
    """Returns the faults: lines that the output lacks, or a wrong exit status."""
    lines = [line for line in wanted if line not in out.split("\n")]
    if status == 0 and not lines:
        return []
    return [f"status {status}, without {lines}"] + (out + err).split("\n")[-8:]


def compile_with(flags, output):
    subprocess.run(["gcc", "-O1", "-g", "-fopenmp", *flags, "-I", INCLUDE, SOURCE,
                    "-o", output, "-lm"], check=True, capture_output=True, text=True)


def sanitized(library, folder):
    for name in ("address", "thread"):
        program = os.path.join(folder, f"kept-{name}")
        try:
            compile_with([f"-fsanitize={name}"], program)
        except subprocess.CalledProcessError:
            print(f"not run followed/{name}: gcc cannot link -fsanitize={name} here")
            continue
        # AddressSanitizer must be the first preload. ThreadSanitizer does not know libgomp's synchronisation, so its reports do not count.
        first = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True,
                               check=True).stdout.strip()
        preload = f"{first}:{library}" if name == "address" else library
        done = run([program, "threads", "sizes"],
                   environment(preload, TSAN_OPTIONS="exitcode=0", ASAN_OPTIONS="detect_leaks=0"))
        yield f"followed/{name}", missing(["new", "threads good", "sizes good"], *done)


def valgrind(library, program):
    if shutil.which("valgrind") is None:
        print("not run followed/valgrind: no valgrind here")
        return
    done = run(["valgrind", "-q", program, "threads"], environment(library))
    yield "followed/valgrind", missing(["new", "threads good"], *done)


def attached(library, program):
    """gdb attaches to the process while its workers wait, shows their stacks, and detaches."""
    if shutil.which("gdb") is None:
        print("not run followed/gdb: no gdb here")
        return
    with subprocess.Popen([program, "threads", "idle"], env=environment(library), stdout=subprocess.PIPE,
                          text=True) as process:
        time.sleep(1)
        looked = subprocess.run(["gdb", "-q", "-batch", "-p", str(process.pid), "-ex", "thread apply all backtrace 8"],
                                capture_output=True, text=True, timeout=PATIENCE, check=False)
        out = process.communicate(timeout=PATIENCE)[0]
    if "ptrace: Operation not permitted" in looked.stderr:
        print("not run followed/gdb: a debugger is not allowed to attach here")
        return
    wrong = missing(["same", "threads good", "idle good"], process.returncode, out, "")
    if "Idle::sleep" not in looked.stdout:
        wrong += ["no waiting worker is seen"] + (looked.stdout + looked.stderr).split("\n")[-12:]
    yield "followed/gdb", wrong


def check(runner, found):
    """Returns a name and a list of faults for each test."""
    if all(variant.name != "gcc-libgomp-preload" for variant in found):
        return []
    library = runner.library.preload
    program = os.path.join(runner.folder, "kept-followed")
    compile_with([], program)
    checks = (sanitized(library, runner.folder), valgrind(library, program), attached(library, program))
    return [result for group in checks for result in group]
