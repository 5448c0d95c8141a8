# SPDX-License-Identifier: BSD-3-Clause
"""Parts of ../schedules.py."""
