#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs random sequences of what programs do, and compares what they see with an independent answer. The exit status is 1 if one differs.

usage: run.py [options] FOLDER      FOLDER: a build tree or an installed prefix
"""

import os
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "runner")]

import counting  # noqa: E402
import masks  # noqa: E402
import places  # noqa: E402
import processes  # noqa: E402
import running  # noqa: E402
import sizes  # noqa: E402
import toolbox  # noqa: E402

KINDS = {  # how many sequences, and how many with --all
    "places": (places.Places, 300, 10000),
    "sizes": (sizes.Sizes, 60, 2000),
    "masks": (masks.Masks, 60, 2000),
    "counting": (counting.Counting, counting.CI, len(counting.CASES)),
    "processes": (processes.Processes, 20, 400),
}
MOST_SHOWN = 5


def parse_arguments():
    parser = running.parser(__doc__, without=("--case",))
    parser.set_defaults(jobs=2 * (os.cpu_count() or 1))
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), help="only this kind; repeatable")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first sequence (1)")
    parser.add_argument("--count", type=int, default=0, help="how many sequences of each kind")
    options = parser.parse_args()
    options.shown = 0
    options.shrinks = lambda: options.shown < MOST_SHOWN
    return options


def run_kind(name, options, results, folder):
    kind, few, many = KINDS[name]
    count = options.count or (many if options.all else few)
    tested = kind(options, toolbox.Library(options.folder), toolbox.Programs(folder))
    failed = 0

    def examine(seed):
        wrong = tested.examine(seed)
        options.shown += bool(wrong)
        return wrong
    with ThreadPoolExecutor(options.jobs) as pool:
        for seed, wrong in zip(range(options.seed, options.seed + count), pool.map(examine, range(options.seed, options.seed + count))):
            if wrong and failed < MOST_SHOWN:
                print("\n       ".join([f"FAIL {name} {seed}", *wrong]), flush=True)
            failed += bool(wrong)
    results.show(f"{name}: {count} sequences, {tested.close()}", [f"{failed} of {count} sequences are wrong"] if failed else [])


def main():
    options = parse_arguments()
    results = running.Results()
    folder = pathlib.Path(options.build or options.folder).resolve() / "sequences"
    for name in options.kind or KINDS:
        run_kind(name, options, results, folder)
    return results.close()


if __name__ == "__main__":
    sys.exit(main())
