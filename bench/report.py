#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs every benchmark: counted in the NUMA guest, and timed on the machine at hand; writes bench/results, the
pictures, and the tables of bench/NUMA.md. The tables of times are printed, for bench/README.md."""

import argparse
import pathlib
import subprocess
import sys
import time

BENCH = pathlib.Path(__file__).resolve().parent
COUNTED = ("numa/stream.py", "numa/heat.py")
SHOWN = ("numa/pictures.py", "numa/tables.py")
TIMED = ("nested-stream.py", "nested-syncbench.py", "fork-cost.py", "heat.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=BENCH.parent / "build", help="build folder (build/)")
    parser.add_argument("--results", type=pathlib.Path, default=BENCH / "results", help="(bench/results/)")
    parser.add_argument("--cache", type=pathlib.Path, help="the guest's packages and image (build/guest)")
    parser.add_argument("--rounds", type=int, help="of each benchmark (its own default)")
    parser.add_argument("--only", choices=("counted", "timed"), help="one half")
    options = parser.parse_args()
    common = ["--build", options.build, "--results", options.results]
    common += ["--rounds", str(options.rounds)] if options.rounds else []
    guest = ["--work", options.build / "numa"] + (["--cache", options.cache] if options.cache else [])
    if not (options.build / "bin" / "nested_stream").exists():
        folder = str(options.build)
        subprocess.run(["cmake", "-S", BENCH.parent, "-B", folder, "-DCMAKE_BUILD_TYPE=RelWithDebInfo"], check=True)
        subprocess.run(["cmake", "--build", folder, "-j2"], check=True)
    parts = [(script, common + guest) for script in COUNTED] if options.only != "timed" else []
    parts += [(script, common) for script in TIMED] if options.only != "counted" else []
    parts += [(script, common + guest) for script in SHOWN]
    failed = []
    for script, words in parts:
        begin = time.monotonic()
        print(f"== {script}", flush=True)
        if subprocess.run([sys.executable, "-B", BENCH / script, *words], check=False).returncode != 0:
            failed.append(script)
        print(f"== {script}: {time.monotonic() - begin:.0f} s", flush=True)
    if failed:
        sys.exit("failed: " + " ".join(failed))


if __name__ == "__main__":
    main()
