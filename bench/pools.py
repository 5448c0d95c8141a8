#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-3-Clause
"""Measures programs whose outer level is not OpenMP. pool_workloads.py runs PyTorch in four Python threads, and scikit-learn with joblib's
threading backend. GROMACS (Debian's gromacs) has two ranks of thread-MPI. Each program runs unbound, limited by threadpoolctl, with
nestbind's auto, and with a part of the machine for each root thread. Prints a table with the number of threads and the times. A column says
if the results are equal to the results of the unbound run, bit for bit. The raw figures are in results/pools.csv."""

import hashlib
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv

import cells
import runs

PACKAGES = ("torch", "scikit-learn", "threadpoolctl")
PYTORCH = "https://download.pytorch.org/whl/cpu"  # packages without support for GPUs
PLAIN, LIMITED = "unbound", "threadpoolctl"
# `auto` and `divide` do the same, so their difference is noise. N is the number of root threads.
NESTBIND = {"auto": ["auto"], "--roots=divide": ["--roots=divide"], "--roots=N": ["--roots=N", "auto"]}
QUANTITIES = ("seconds", "threads", "digest")
WORKLOADS = {"torch": "PyTorch, 4 threads", "boosting": "scikit-learn, boosting, 4 threads", "clusters": "scikit-learn, k-means, 4 threads"}
GROMACS = "GROMACS, 2 ranks x 2 threads"
TOPOLOGY = '#include "oplsaa.ff/forcefield.itp"\n#include "oplsaa.ff/spce.itp"\n[ system ]\nwater\n[ molecules ]\n'
SETTINGS = "integrator = md\nnsteps = 300\ncoulombtype = PME\ngen-vel = yes\ngen-seed = 1\n"


def arguments():
    parser = runs.arguments(__doc__, rounds=9)
    parser.add_argument("--python", type=pathlib.Path, help="an interpreter with " + ", ".join(PACKAGES))
    parser.add_argument("--venv", type=pathlib.Path, help="make a virtual environment in this folder, if there is none (PyPI, a gigabyte)")
    return parser.parse_args()


def interpreter(options):
    """Returns the interpreter. If there is none, prints a message and returns None."""
    if options.python or not options.venv:
        if not options.python:
            print("no --python and no --venv: PyTorch and scikit-learn are not measured", file=sys.stderr)
        return options.python
    python = options.venv / "bin" / "python"
    if not python.exists():
        venv.create(options.venv, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--extra-index-url", PYTORCH, *PACKAGES], check=True)
    return python


def threads_of(process):
    try:
        return len(os.listdir(f"/proc/{process.pid}/task"))
    except OSError:
        return 0


def watched(command, folder):
    """Returns the output of a program, and its largest number of threads."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(runs.COMPETING)}
    most = 0
    with subprocess.Popen([str(word) for word in command], env=environment, cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            most = max(most, threads_of(process))
            time.sleep(0.01)
        output, errors = process.communicate()
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}\n{errors}")
    return output, most


def starts(options, roots):
    """Returns the beginning of the command line for each variant. `roots` is the number of root threads."""
    build = runs.Build(options)
    nestbind = [build.by_gcc("nestbind"), "run", "--library", build.library]
    return {PLAIN: []} | {name: [*nestbind, *(word.replace("=N", f"={roots}") for word in words), "--"]
                           for name, words in NESTBIND.items()}


def python_runs(options, python, folder):
    """Yields the title of each program, with a function for each variant. The function runs the program, and returns the QUANTITIES."""
    def run(command):
        def measured():
            output, threads = watched(command, folder)
            seconds, digest = output.split()
            return float(seconds), threads, digest
        return measured

    limit = max(1, len(os.sched_getaffinity(0)) // 4)
    script = runs.BENCH / "pool_workloads.py"
    for name, title in WORKLOADS.items():
        made = {variant: run([*words, python, script, name]) for variant, words in starts(options, 4).items()}
        yield title, made | {LIMITED: run([python, script, name, limit])}


def make_water(gmx, folder):
    """Prepares a simulation of 884 molecules."""
    for name, text in (("topol.top", TOPOLOGY), ("md.mdp", SETTINGS)):
        (folder / name).write_text(text, encoding="utf-8")
    for words in (["solvate", "-cs", "spc216.gro", "-box", "3", "3", "3", "-o", "water.gro"],
                  ["grompp", "-f", "md.mdp", "-c", "water.gro", "-o", "water.tpr"]):
        subprocess.run([gmx, "-quiet", *words, "-p", "topol.top"], cwd=folder, capture_output=True, check=True)


def gromacs_runs(options, gmx, folder):
    make_water(gmx, folder)
    simulate = [gmx, "-quiet", "-nobackup", "mdrun", "-s", "water.tpr", "-deffnm", "out", "-ntmpi", "2", "-ntomp", "2", "-reprod"]

    def run(command):
        def measured():
            _, threads = watched(command, folder)
            log = (folder / "out.log").read_text(encoding="utf-8", errors="replace")
            seconds = next(line.split()[2] for line in log.splitlines() if line.strip().startswith("Time:"))
            return float(seconds), threads, hashlib.sha256((folder / "out.gro").read_bytes()).hexdigest()
        return measured
    return {variant: run([*words, *simulate]) for variant, words in starts(options, 2).items()}


def row_of(program, variant, found):
    seconds, threads, digests = zip(*found[variant])
    plain = found[PLAIN]
    ratios = runs.ratios(seconds, [one[0] for one in plain])
    expected = {one[2] for one in plain}
    same = "-" if len(expected) > 1 else "yes" if set(digests) == expected else "no"
    return [program, variant, str(statistics.median_high(threads)), runs.median_and_spread(seconds), runs.median_and_spread(ratios), same]


def main():
    options = arguments()
    title = f"{runs.heading()}; {options.rounds} rounds"
    rows, raw = [], {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        python, gmx = interpreter(options), shutil.which("gmx")
        programs = dict(python_runs(options, python.absolute(), folder)) if python else {}
        if gmx:
            programs[GROMACS] = gromacs_runs(options, gmx, folder)
        else:
            print("gmx is not installed (Debian: gromacs): GROMACS is not measured", file=sys.stderr)
        for program, variants in programs.items():
            found = runs.interleaved(options.rounds, variants)
            for variant in sorted(variants, key=[PLAIN, LIMITED, *NESTBIND].index):
                rows.append(row_of(program, variant, found))
                for quantity, values in zip(QUANTITIES, zip(*found[variant])):
                    raw[program, variant, quantity] = dict(enumerate(values))
    runs.print_table(title, ["", "", "threads in all", "seconds", "to unbound", "bit for bit"], rows)
    cells.write(options.results / "pools.csv", [title], ("program", "variant", "quantity"), raw)


if __name__ == "__main__":
    main()
