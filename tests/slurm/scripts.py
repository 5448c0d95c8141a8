# SPDX-License-Identifier: BSD-3-Clause
"""Reads the job scripts in nestbind-mpi(7). Each script begins with #!. A comment `.\\" script: NAME` precedes its display."""

import os
import re

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "man", "nestbind-mpi.7")


def printed(page=PAGE):
    """Returns {name: text} of the scripts for sbatch in the page."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r'^\.\\" script: ([^\n]*)\n\.Bd -literal[^\n]*\n(.*?)^\.Ed', text, re.M | re.S)
    displays = re.findall(r"^\.Bd -literal[^\n]*\n(#!.*?)^\.Ed", text, re.M | re.S)
    scripts = {name: script.replace("\\e", "\\").replace("\\&", "") for name, script in found}
    slurm = {name: script for name, script in scripts.items() if "#SBATCH" in script}
    assert sum("#SBATCH" in one for one in displays) == len(slurm), "a script for sbatch has no name"
    return slurm
