#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests memory on a NUMA machine. planted.py tests the report, and applied.py tests interleaving. The kernel's NUMA balancing tells
nestbind which thread uses a page.

usage: memory.py FOLDER     FOLDER: a build tree with the libraries and the command

No test measures time.
"""

import glob
import os
import re
import subprocess
import sys

import path
import running
from applied import CASES, PREFIX, USUAL, Applied
from boot import Boot, GuestSkipped, parser
from planted import MORE, PLANTED, Planted
from scanned import AS_USUAL, BALANCED, LOAD, MACHINE

ATTEMPTS = 3


def parse_arguments():
    options = parser(__doc__, ("--build", "--case"))
    names = [*PLANTED, *MORE, "paranoid", *(PREFIX + name for name in CASES)]
    options.add_argument("--only", action="append", default=[], choices=names, help="only this program; repeatable")
    options.add_argument("--again", type=int, default=0, metavar="N", help="the Nth repetition of failed programs, one at a time")
    options.add_argument("--default-scans", action="store_true", help="use the kernel's own settings, not earlier and more frequent scans")
    options.add_argument("--load", type=int, default=0, metavar="N", help="run beside N busy processes")
    return options.parse_args()


def is_wanted(arguments, name):
    usual = [*PLANTED, "paranoid", *(PREFIX + one for one in USUAL)]
    return name in (arguments.only or usual) or (arguments.all and not arguments.only)


def libraries_of(files):
    listed = subprocess.run(["ldd", *files], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    return sorted(set(re.findall(r"=> (/\S+)", listed)))


def main():
    arguments = parse_arguments()
    tree = os.path.abspath(arguments.folder)
    folder = os.path.join(tree, "guest-suite", "memory")
    os.makedirs(folder, exist_ok=True)
    boot = Boot(MACHINE, os.path.join(folder, "results"), arguments.cache)
    settings = AS_USUAL if arguments.default_scans else BALANCED
    settings += LOAD.format(arguments.load) if arguments.load else ""
    kinds = (Planted(tree, folder, settings), Applied(tree, folder, settings))
    boot.need(os.path.join(tree, "lib", "nestbind"), *glob.glob(os.path.join(tree, "lib", "libnestbind.so*")))
    for kind in kinds:
        programs, others = kind.files()
        boot.need(*programs, *libraries_of(programs), *others)
        kind.add(boot, lambda name: is_wanted(arguments, name), arguments.again > 0)
    try:
        boot.run(60)
    except GuestSkipped as reason:
        print(reason)
        return running.SKIPPED
    judged = [one for kind in kinds for one in kind.judge(boot)]
    failed = sorted({name for name, wrong, _ in judged if wrong})
    results = running.Results()
    for name, wrong, shown in judged:
        results.show(name + (f": {shown}" if shown else ""), wrong)
    status = results.close()
    if failed and arguments.again < ATTEMPTS - 1:
        # While the host stops the guest's processors, samples are lost. So a program has failed only if it fails each time.
        print("the failed programs once more, each alone:", flush=True)
        return subprocess.run([sys.executable, "-B", __file__, f"--again={arguments.again + 1}", "--cache", arguments.cache,
                               *(f"--only={name}" for name in failed), f"--load={arguments.load}",
                               *(["--default-scans"] if arguments.default_scans else []), arguments.folder], check=False).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
