# SPDX-License-Identifier: BSD-3-Clause
"""What bench/overhead.py is made of; README.md says which part does what."""
