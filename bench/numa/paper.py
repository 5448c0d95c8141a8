# SPDX-License-Identifier: BSD-3-Clause
"""Reads the paper's measurements (paper.csv)."""

import csv
import pathlib

FILE = pathlib.Path(__file__).with_name("paper.csv")


def bandwidths():
    """Returns GB/s by machine, binding ("bound", "unbound") and shape (for example "4x4")."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {(row["machine"], row["binding"], row["shape"]): float(row["GBps"]) for row in csv.DictReader(lines)}
