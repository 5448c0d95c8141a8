# SPDX-License-Identifier: BSD-3-Clause
"""The compared configurations: each OpenMP runtime with its settings, and nestbind on each runtime."""

import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable

import runs

ACTIVE = {"OMP_WAIT_POLICY": "active"}
PASSIVE = {"OMP_WAIT_POLICY": "passive"}
HOT = {"KMP_HOT_TEAMS_MAX_LEVEL": "2"}
FRESH = {"NESTBIND_WORKERS": "fresh"}
PROGRAM = "nested_syncbench"
IDLE = ", idle tool"  # an OMPT tool without events: nestbind's library is preloaded, but has no specification


@dataclasses.dataclass
class Peer:
    """For a specification, words() returns the words before the program, and settings() the variables of its environment."""
    name: str
    program: pathlib.Path
    settings: Callable[[str], dict]
    words: Callable[[str], list] = lambda spec: []
    cases: tuple = ()  # if empty, all cases

    def output(self, given, spec, timeout):
        """Raises subprocess.SubprocessError if the program fails or takes too long. After the timeout, kills all processes of its session,
        because likwid-pin starts the program as a child."""
        command = [str(word) for word in [*self.words(spec), self.program, *given]]
        with subprocess.Popen(command, env=plain_environment() | self.settings(spec), stdout=subprocess.PIPE, text=True,
                              start_new_session=True) as process:
            try:
                text = process.communicate(timeout=timeout)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, command)
        return text


def plain_environment():
    """Returns the environment without variables that would compete with the settings."""
    return {name: value for name, value in os.environ.items()
            if not name.startswith(runs.COMPETING) and name != "LD_LIBRARY_PATH"}


def skip(name, reason):
    print(f"skipped: {name}: {reason}", file=sys.stderr)


def knows(library, variable):
    """Returns True if the library reads this variable."""
    return variable.encode() in library.read_bytes()


def runtime_in_use(program, name, settings):
    """Returns the file that the loader uses for this name of a library, with links resolved."""
    environment = plain_environment() | settings | {"LD_TRACE_LOADED_OBJECTS": "1"}
    text = subprocess.run([str(program)], env=environment, stdout=subprocess.PIPE, text=True, check=False).stdout
    for line in text.splitlines():
        if line.strip().startswith(name) and "=> /" in line:
            return os.path.realpath(line.split("=>")[1].split("(")[0].strip())
    return ""


def in_place_of(build, name, target):
    """Makes a folder in which the library `target` has the name `name`. Returns LD_LIBRARY_PATH with this folder."""
    folder = build.folder / "runtimes" / f"{pathlib.Path(target).name.split('.')[0]}-as-{name.split('.')[0]}"
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / name
    link.unlink(missing_ok=True)
    link.symlink_to(target)
    return {"LD_LIBRARY_PATH": str(folder)}


def fixed(*parts):
    settings = {}
    for part in parts:
        settings |= part
    return lambda spec: settings


def bound(build, *parts):
    settings = fixed(*parts)("")
    return lambda spec: settings | build.bound(spec)


def libgomp(build):
    program = build.by_gcc(PROGRAM)
    for policy, setting in (("", {}), (" active", ACTIVE), (" passive", PASSIVE)):
        yield Peer("libgomp" + policy, program, fixed(setting))
        yield Peer("libgomp bound" + policy, program, fixed(setting, runs.NATIVE))
        yield Peer("libgomp nestbind" + policy, program, bound(build, setting))
        if knows(build.library, "NESTBIND_WORKERS"):
            yield Peer("libgomp nestbind fresh" + policy, program, bound(build, setting, FRESH))
    if not knows(build.library, "NESTBIND_WORKERS"):
        skip("libgomp nestbind fresh", "this libnestbind.so does not keep workers")


def llvm(build, name, program, where):
    if name == "libomp":
        yield Peer("libomp", program, fixed(where))
        yield Peer("libomp bound", program, fixed(where, runs.NATIVE))
    yield Peer(f"{name} hot", program, fixed(where, HOT))
    yield Peer(f"{name} hot bound", program, fixed(where, HOT, runs.NATIVE))
    if name == "libomp":
        yield Peer(f"{name} hot bound{IDLE}", program, fixed(where, HOT, runs.NATIVE, build.preloaded()))
    yield Peer(f"{name} hot nestbind", program, bound(build, where, HOT))


def libiomp5(build, program):
    library = build.folder / "runtimes" / "libiomp5.so"
    if not library.exists():
        skip("libiomp5", f"{library} is not there; --install gets it (PyPI: intel-openmp)")
        return
    where = in_place_of(build, "libomp.so.5", library)
    if runtime_in_use(program, "libomp.so.5", where) != os.path.realpath(library):
        skip("libiomp5", "the loader takes another library for libomp.so.5")
        return
    yield from llvm(build, "libiomp5", program, where)


def gcc_on_libomp(build, libomp):
    program = build.by_gcc(PROGRAM)
    where = in_place_of(build, "libgomp.so.1", libomp)
    if runtime_in_use(program, "libgomp.so.1", where) != os.path.realpath(libomp):
        skip("GCC's program on libomp", "the loader takes another library for libgomp.so.1")
        return
    yield Peer("gcc on libomp hot bound", program, fixed(where, HOT, runs.NATIVE))
    yield Peer(f"gcc on libomp hot bound{IDLE}", program, fixed(where, HOT, runs.NATIVE, build.preloaded()))
    command = build.folder / "bin" / "nestbind"
    shown = subprocess.run([command, "run", "--help"], stdout=subprocess.PIPE, text=True, check=False).stdout
    if "--runtime" in shown:
        yield Peer("nestbind run --runtime=llvm", program, fixed({"NESTBIND_QUIET": "1"}),
                   lambda spec: [command, "run", "--runtime=llvm", spec, "--"])
    else:
        skip("nestbind run --runtime=llvm", "the command has no such option; a private folder stands for it")
        yield Peer("gcc on libomp hot nestbind", program, bound(build, where, HOT))


def likwid(build):
    command = shutil.which("likwid-pin")
    if command is None:
        skip("likwid-pin", "not installed (Debian: likwid)")
        return
    processors = ",".join(str(number) for number in sorted(os.sched_getaffinity(0)))
    # A fork under likwid-pin takes tens of milliseconds, so only one shape is measured.
    yield Peer("likwid-pin libgomp", build.by_gcc(PROGRAM), fixed({}),
               lambda spec: [command, "-q", "-c", processors], ("2x2",))


def all_of(build):
    yield from libgomp(build)
    by_clang = build.by_clang(PROGRAM)
    if by_clang is not None:
        libomp = runtime_in_use(by_clang, "libomp", {})
        yield from llvm(build, "libomp", by_clang, {})
        yield from libiomp5(build, by_clang)
        yield from gcc_on_libomp(build, libomp)
    yield from likwid(build)


def install(build):
    """Downloads the package of Intel's runtime, and unpacks it in the build folder."""
    folder = build.folder / "runtimes"
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / "libiomp5.so").exists():
        return
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "intel-openmp"],
                   check=True)
    wheel = max(folder.glob("intel_openmp-*.whl"))
    with zipfile.ZipFile(wheel) as package:
        inside = next(name for name in package.namelist() if name.endswith("/libiomp5.so"))
        (folder / "libiomp5.so").write_bytes(package.read(inside))
    (folder / "libiomp5.version").write_text(wheel.name.split("-")[1] + "\n", encoding="utf-8")
    wheel.unlink()
