# SPDX-License-Identifier: BSD-3-Clause
"""Runs the command: `nestbind ...` and `python -m nestbind ...` execute the program in this package."""

import os
import pathlib
import sys

COMMAND = pathlib.Path(__file__).resolve().parent / "bin" / "nestbind"


def main() -> None:
    os.execv(COMMAND, ["nestbind", *sys.argv[1:]])


if __name__ == "__main__":
    main()
