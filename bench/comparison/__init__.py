# SPDX-License-Identifier: BSD-3-Clause
"""Parts of ../compare_builds.py."""
