# SPDX-License-Identifier: BSD-3-Clause
"""The sizes of text and data in the stripped libnestbind.so."""

import subprocess

from .copies import AFTER, BEFORE

GROUP = "size"
BAR = 1.03
PARTS = ("text", "data")


def measure(copies, cells):
    for build in (BEFORE, AFTER):
        library = copies[build].library
        stripped = library.with_suffix(".stripped")
        subprocess.run(["strip", "-o", stripped, library], check=True)
        shown = subprocess.run(["size", stripped], stdout=subprocess.PIPE, text=True, check=True).stdout
        head, values = shown.splitlines()
        found = dict(zip(head.split(), values.split()))
        for part in PARTS:
            cells[GROUP, "libnestbind.so", "stripped", part, build] = {0: int(found[part])}


def judged(cells):
    before, after = ([cells[GROUP, "libnestbind.so", "stripped", part, build][0] for part in PARTS]
                     for build in (BEFORE, AFTER))
    shown = ", ".join(f"{part} {one} to {other}" for part, one, other in zip(PARTS, before, after))
    yield "text and data of the stripped libnestbind.so", BAR, f"{sum(after) / sum(before):.4f} ({shown})", \
        sum(after) <= BAR * sum(before)
