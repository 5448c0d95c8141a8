# SPDX-License-Identifier: BSD-3-Clause
"""Importing this makes the modules of ../matrix, ../runner and ../opari importable."""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
# `import run` must find tests/matrix/run.py.
sys.path.insert(0, os.path.join(TESTS, "matrix"))
sys.path += [os.path.join(TESTS, folder) for folder in ("runner", "opari")]
