# SPDX-License-Identifier: BSD-3-Clause
"""The bandwidth that counted traffic would have on the paper's machines, by a simple model.

All of a run's array accesses go on at once, and the slowest of these limits takes the time:

    a core      the paper's 1x1
    a package   its bound 1x4. On Barcelona it is the package's memory controller, so that the bytes of the
                package's pages count, whoever accesses them. On Tigerton, whose four packages have a bus each to
                one memory, it is the bus: the bytes of the package's processors count, wherever the pages are
    the machine its bound 4x1

    bandwidth = all bytes / max(bytes of each / its limit)

What the model does not have: links (a remote access costs what a local one does, for the table has no column
that tells a link's bandwidth), latency, caches, time (a processor that two threads share for a moment and that
is idle later counts as if it had been shared evenly). It is an upper bound for runs with much remote traffic."""

from dataclasses import dataclass

import paper


@dataclass
class Limits:
    """GB/s."""

    core: float
    package: float
    machine: float
    by_page: bool  # a package's limit is that of its pages, not that of its processors


def limits(machine):
    figures = paper.bandwidths()
    return Limits(core=figures[machine, "bound", "1x1"], package=figures[machine, "bound", "1x4"],
                  machine=figures[machine, "bound", "4x1"], by_page=machine == "Barcelona")


def bandwidth(traffic, machine):
    """GB/s of the array accesses. The guest's packages are its nodes."""
    limit = limits(machine)
    cores = {}
    packages = {}
    total = 0
    for (processor, node), size in traffic.bytes["array"].items():
        package = node if limit.by_page else traffic.home[processor]
        cores[processor] = cores.get(processor, 0) + size
        packages[package] = packages.get(package, 0) + size
        total += size
    time = max(max(cores.values()) / limit.core, max(packages.values()) / limit.package, total / limit.machine)
    return total / time
