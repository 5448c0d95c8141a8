#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the mapping of ranks with other methods on simulated networks, and measures how long it takes and how much memory it needs. Writes
../results/network-*.csv and the tables of README.md.

usage: run.py [--fabrics FOLDER] BUILD      FOLDER: avakas.conf, plafrim.conf and plafrim2.conf, if you have them
"""

import argparse
import csv
import datetime
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE.parent / "results"
SIZES = ((4, 4, 4), (8, 8, 8), (16, 16, 16), (32, 32, 32), (64, 32, 32))
HEADS = {"network-distances": ["network", "hops to the partner", "mean", "slowest"],
         "network-peers": ["case", "method", "between nodes", "hop-bytes", "busiest link", "slowest message", "seconds"],
         "network-scale": ["ranks", "input", "network", "between nodes", "seconds", "MiB"]}


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    with open("/proc/loadavg", encoding="utf-8") as file:
        load = ", ".join(file.read().split()[:3])
    return f"{datetime.date.today()}, {model.group(1) if model else platform.machine()}, one thread, processor time; load average {load}"


def ask(program, *words):
    return list(csv.reader(subprocess.run([program, *words], check=True, capture_output=True, encoding="utf-8").stdout.splitlines()))


def table(head, rows):
    lines = ["| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows]]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--fabrics", default="")
    options = parser.parse_args()
    program = next(options.build.rglob("map_ranks_bench"), None) if options.build.is_dir() else options.build
    if program is None:
        sys.exit("map_ranks_bench is not built")
    found = {"network-distances": ask(program, "distances"), "network-peers": ask(program, "peers", options.fabrics or ".")}
    found["network-scale"] = [row for size in SIZES for kind in ("grid", "scrambled") for network in ("none", "tree:32,32")
                              for row in ask(program, "scale", *map(str, size), kind, network)]
    text = (HERE / "README.md").read_text(encoding="utf-8")
    for name, rows in found.items():
        with open(RESULTS / f"{name}.csv", "w", encoding="utf-8") as file:
            file.write(f"# {machine()}\n")
            csv.writer(file, lineterminator="\n").writerows([HEADS[name], *rows])
        shown = f"<!-- {name} -->\n{machine()}\n\n{table(HEADS[name], rows)}<!-- end -->"
        text = re.sub(rf"<!-- {name} -->.*?<!-- end -->", lambda _, shown=shown: shown, text, flags=re.S)
    (HERE / "README.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
