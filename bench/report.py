#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Runs every benchmark, counted in the NUMA guest and timed on this machine. Writes bench/results, the pictures, and the tables of the
documents."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

BENCH = pathlib.Path(__file__).resolve().parent
sys.path.append(str(BENCH / "numa"))
import documents  # noqa: E402
import site_tables  # noqa: E402

COUNTED = ("numa/stream.py", "numa/syncbench.py", "numa/heat.py", "numa/loops.py", "numa/memory.py", "numa/memory_programs.py",
           "numa/watching_cost.py", "numa/balance.py", "numa/wicon.py", "numa/mapping.py", "numa/tables.py")
PICTURES = "numa/pictures.py"
# A value is a document and the name of a table in this document. The value is None if the script itself writes its tables.
TIMED = {
    "nested-stream.py": ("README.md", "nested-stream"),
    "nested-syncbench.py": ("README.md", "nested-syncbench"),
    "heat.py": ("heat/README.md", "heat"),
    "pools.py": ("README.md", "pools"),
    "overhead.py": None,
    "schedules.py": None,
    "balance/run.py": None,
    "balance/loops.py": None,
    "balance/zones.py": None,
}
# Packages of Debian that the report needs.
NEEDED = ("cmake", "g++", "gfortran", "pkg-config", "libhwloc-dev", "libcli11-dev", "libfmt-dev", "nlohmann-json3-dev", "libncurses-dev",
          "gnuplot-nox")
USEFUL = ("clang-19", "libomp-19-dev", "flang-19", "likwid", "libscotch-dev", "libmetis-dev", "gromacs")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=BENCH.parent / "build", help="build folder (build/)")
    parser.add_argument("--results", type=pathlib.Path, default=BENCH / "results", help="folder for the figures (bench/results/)")
    parser.add_argument("--cache", type=pathlib.Path, help="the guest's packages and image (build/guest)")
    parser.add_argument("--rounds", type=int, help="rounds of each benchmark (its own default)")
    parser.add_argument("--install", action="store_true", help="first install missing packages (Debian, as root)")
    parser.add_argument("--only", choices=("counted", "timed"), help="run only the counted or only the timed benchmarks")
    parser.add_argument("--site", type=pathlib.Path, metavar="FILE", help="run nothing: print the tables of a file that site.sh has written")
    return parser.parse_args()


def is_installed(package):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Status}", package], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.startswith("install ok installed")


def get_packages(install):
    """Installs missing packages, or prints their names."""
    if shutil.which("dpkg-query") is None:
        return
    missing = [package for package in NEEDED + USEFUL if not is_installed(package)]
    if not missing:
        return
    if install:
        subprocess.run(["apt-get", "update"], check=True)
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *missing], check=True)
        return
    print("not installed (--install installs them, as root):", *missing, file=sys.stderr)
    if set(missing) & set(NEEDED):
        sys.exit(1)


def build(folder):
    if not (folder / "CMakeCache.txt").exists():
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", BENCH.parent, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release",
                        "-DNESTBIND_BUILD_BENCH=ON", "-DNESTBIND_BUILD_TESTS=OFF", "-DNESTBIND_WERROR=OFF"], check=True)
    subprocess.run(["cmake", "--build", folder, "--parallel", str(os.cpu_count())], check=True)


def run(script, words):
    """Runs a script, and returns whether it succeeded."""
    command = [sys.executable, "-B", BENCH / script, *words]
    if TIMED.get(script) is None:
        return subprocess.run(command, check=False).returncode == 0
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, flush=True)
    if done.returncode == 0:
        document, name = TIMED[script]
        documents.put(BENCH / document, {name: done.stdout})
    return done.returncode == 0


def main():
    options = arguments()
    if options.site:
        print("\n".join(site_tables.tables(options.site)))
        return
    get_packages(options.install)
    build(options.build)
    common = ["--build", options.build, "--results", options.results]
    common += ["--rounds", str(options.rounds)] if options.rounds else []
    guest = ["--work", options.build / "numa"] + (["--cache", options.cache] if options.cache else [])
    parts = [(script, common + guest) for script in COUNTED] if options.only != "timed" else []
    timed = common + (["--install"] if options.install else [])
    more = {"overhead.py": timed, "pools.py": common + (["--venv", options.build / "venv"] if options.install else [])}
    parts += [(script, more.get(script, common)) for script in TIMED] if options.only != "counted" else []
    parts.append((PICTURES, common + guest))
    failed = []
    for script, words in parts:
        begin = time.monotonic()
        print(f"== {script}", flush=True)
        if not run(script, words):
            failed.append(script)
        print(f"== {script}: {time.monotonic() - begin:.0f} s", flush=True)
    if failed:
        sys.exit("failed: " + " ".join(failed))


if __name__ == "__main__":
    main()
