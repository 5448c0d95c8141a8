#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""first_hour.py PREFIX: runs the commands that README, guide and manual show to a new user."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "nested.c"
README = (ROOT / "README.md").read_text().replace("\\\n", "")
GUIDE = (ROOT / "docs" / "guide.md").read_text().replace("\\\n", "")
CHANGES = ROOT / "examples" / "change_at_run_time.c"
MACHINE = ROOT / "tests" / "machines" / "barcelona.xml"

results = []


def check(name, good, detail=""):
    results.append(bool(good))
    print(("ok   " if good else "FAIL ") + name + ("" if good else f": {detail}"))


def run(*command, **more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("NESTBIND_", "OMP_", "LD_"))}
    environment.update(more.pop("env", {}))
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120, check=False, env=environment, **more)


def configure(work, name, *options, **more):
    return run("cmake", "-S", ROOT, "-B", work / name, *options, **more)


def check_plain_configuration(work):
    """README's packages do not include Catch2."""
    done = configure(work, "plain", "-DCMAKE_DISABLE_FIND_PACKAGE_Catch2=ON")
    check("a plain configuration needs no Catch2", done.returncode == 0, done.stdout + done.stderr)
    cache = (work / "plain" / "CMakeCache.txt").read_text()
    for name in ("NESTBIND_BUILD_TESTS", "NESTBIND_BUILD_BENCH", "NESTBIND_WERROR"):
        check(f"{name} is off", f"{name}:BOOL=OFF" in cache)
    flags = (work / "plain" / "compile_commands.json").read_text()
    check("no -Werror", "-Werror" not in flags)
    check("no tests", "/tests/" not in flags.replace(str(work), ""))


def check_missing_packages(work):
    """If a package is missing, the message must name it. README must name it, too, but only developers need Catch2."""
    line = re.search(r"apt install (cmake .*)", README).group(1)
    apt = subprocess.run(["bash", "-c", f"echo {line}"], capture_output=True, text=True, check=True).stdout.split()
    for name, options, env, package in (
            ("pkg-config", ["-DPKG_CONFIG_EXECUTABLE=/bin/false"], {}, "pkg-config"),
            ("hwloc", [], {"PKG_CONFIG_LIBDIR": "/nonexistent", "PKG_CONFIG_PATH": ""}, "libhwloc-dev"),
            ("CLI11", ["-DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON"], {}, "libcli11-dev"),
            ("fmt", ["-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON"], {}, "libfmt-dev"),
            ("nlohmann-json", ["-DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON"], {}, "nlohmann-json3-dev"),
            ("Catch2", ["-DCMAKE_DISABLE_FIND_PACKAGE_Catch2=ON", "-DNESTBIND_BUILD_TESTS=ON"], {}, "catch2")):
        done = configure(work, "without-" + name, *options, env=env)
        told = re.search(r"apt\s+install\s+(.*)", done.stderr)
        check(f"without {name}", done.returncode != 0 and told and package in told.group(1).split(), done.stderr)
        check(f"... README names {package}", package == "catch2" or package in apt, apt)


def check_presets(work):
    done = run("cmake", "--preset", "developer", "-B", work / "developer", cwd=ROOT)
    cache = (work / "developer" / "CMakeCache.txt").read_text() if done.returncode == 0 else ""
    for name in ("NESTBIND_BUILD_TESTS", "NESTBIND_BUILD_BENCH", "NESTBIND_WERROR"):
        check(f"{name} is on by the preset", f"{name}:BOOL=ON" in cache, done.stderr)
    check("a change in one file compiles one file by the preset", "NESTBIND_UNITY:BOOL=OFF" in cache, done.stderr)


def is_bound(ran):
    """Compares the report with the slots of `2,scatter,2,subcompact` on Barcelona."""
    rows = [line.split() for line in ran.stderr.splitlines()]
    found = {words[0]: words[2] for words in rows if len(words) > 2 and re.fullmatch(r"\d\.\d", words[0])}
    return found == {"0.0": "0", "0.1": "1", "1.0": "8", "1.1": "9"}


REGION_C = """#include <nestbind/region.h>
int main(void) {
  struct nestbind_region region;
  return nestbind_get_region(&region) == NESTBIND_NOT_PLACED ? 0 : 1;
}
"""
REGION_FORTRAN = """program p
  use nestbind_regions
  implicit none
  character(len=20) :: file
  integer :: error
  call nestbind_get_region(file, error=error)
  if (error /= 14) stop 1
end program p
"""


def check_region_programs(prefix, libdir, work):
    """Links programs that call nestbind_get_region as omp_set_nesting_info(3) says."""
    page = (ROOT / "docs" / "man" / "omp_set_nesting_info.3").read_text().replace("\\e\n", "\\\n")
    block = re.search(r"^gcc -fopenmp program\.c -I(?:.*\n)*?(?=target_link)", page, re.M).group(0)
    (work / "nestbind").symlink_to(prefix)
    (work / "program.c").write_text(REGION_C)
    (work / "program.f90").write_text(REGION_FORTRAN)
    for compiler, line in re.findall(r"^(gcc|gfortran)((?:.*\\\n)*.*\n)", block, re.M):
        line = line.replace("nestbind/lib ", f"nestbind/{libdir.name} ")
        made = run("sh", "-c", f"{compiler} -o region {line}", cwd=work, env={"HOME": str(work)})
        ran = run(work / "region") if made.returncode == 0 else made
        check(f"nestbind_get_region without regions: {compiler}", ran.returncode == 0, ran.stderr)
        (work / "region").unlink(missing_ok=True)


def check_balance_programs(prefix, libdir, work):
    """Builds the example in nestbind-balance(3) as the page says, and runs it."""
    page = (ROOT / "docs" / "man" / "nestbind-balance.3").read_text().replace("\\e", "\\")
    displays = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", page, re.M | re.S)
    in_c, in_fortran, lines = displays[:3]
    (work / "zones.c").write_text(in_c)
    (work / "zones.f90").write_text(in_fortran)
    home = work / "zones-home"
    home.mkdir()
    (home / "nestbind").symlink_to(prefix)
    setting, made_c, include, made_fortran = re.findall(r"^((?:.*\\\n)*.*)\n", lines, re.M)
    setting = setting.replace("nestbind/lib/", f"nestbind/{libdir.name}/")
    for name, script in (("gcc", made_c), ("gfortran", f"{include}\n{made_fortran}")):
        made = run("sh", "-ec", f"{setting}\n{script} -o zones-{name}", cwd=work, env={"HOME": str(home)})
        ran = run(work / f"zones-{name}", env={"NESTBIND_MACHINE": str(MACHINE)}) if made.returncode == 0 else made
        told = "zone 3 on slot" in ran.stdout if name == "gcc" else ran.stdout.split() == ["moved", "2"]
        check(f"nestbind-balance(3): {name}", ran.returncode == 0 and told,
              made.stderr + ran.stdout + ran.stderr)


def check_prefix(prefix, work):
    dry = {"NESTBIND_MACHINE": str(MACHINE), "NESTBIND_REPORT": "text"}
    bound = {**dry, "OMP_NESTING_TEAM_SIZE": "2,scatter,2,subcompact"}
    program = work / "nested"
    run("gcc", "-O1", "-fopenmp", EXAMPLE, "-o", program)
    command = prefix / "bin" / "nestbind"
    script = f'eval "$({command} run --print-env 2,scatter,2,subcompact)"\n{program}'
    for shell in ("sh", "bash"):
        ran = run(shell, "-c", script, env=dry)
        check(f"--print-env in a job script ({shell})", ran.returncode == 0 and is_bound(ran), ran.stdout + ran.stderr)
    library = next(prefix.glob("lib*/libnestbind.so"))
    ran = run(program, env={**bound, "LD_PRELOAD": str(library)})
    check("LD_PRELOAD by its full path", is_bound(ran), ran.stderr)

    found = {"PKG_CONFIG_PATH": str(library.parent / "pkgconfig")}
    line = re.search(r"^(gcc program\.c .*)$", GUIDE, re.M).group(1)
    for source in (EXAMPLE, CHANGES):
        made = run("sh", "-c", line.replace("program.c", str(source)) + f" -o {work}/linked", env=found)
        check(f"the guide's line for gcc: {source.name}", made.returncode == 0, made.stderr)
    made = run("sh", "-c", line.replace("program.c", str(EXAMPLE)) + f" -o {work}/linked", env=found)
    ran = run(work / "linked", env=bound)
    check("... finds the library by itself, and is bound", is_bound(ran), ran.stderr)
    check_region_programs(prefix, library.parent, work)
    check_balance_programs(prefix, library.parent, work)
    ran = run(command, "plan", "4,scatter", "--machine", MACHINE)
    check("nestbind plan SPEC --machine FILE.xml", "0 4 8 12" in ran.stdout, ran.stderr)


def main():
    prefix = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        check_plain_configuration(work)
        check_missing_packages(work)
        check_presets(work)
        check_prefix(prefix, work)
    failed = results.count(False)
    print(f"first hour: {len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
