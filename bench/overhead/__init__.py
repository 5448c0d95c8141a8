# SPDX-License-Identifier: BSD-3-Clause
"""The parts of bench/overhead.py; README.md describes each."""
