# SPDX-License-Identifier: BSD-3-Clause
"""The bandwidth that counted traffic would have on the paper's machines, by a simple model.

All of a run's array accesses go on at once, and the slowest of these limits takes the time:

    a core      the paper's 1x1
    a package   its bound 1x4. On Barcelona it is the package's memory controller, so that the bytes of the
                package's pages count, whoever accesses them. On Tigerton, whose four packages have a bus each to
                one memory, it is the bus: the bytes of the package's processors count, wherever the pages are
    the machine its bound 4x1

    bandwidth = all bytes / max(bytes of each / its limit)

What the model does not have: links (a remote access costs what a local one does, for no bound column tells a link's
bandwidth), latency, caches, time (a processor that two threads share for a moment and that is idle later counts as
if it had been shared evenly). It is an upper bound for runs with much remote traffic.

`priced` gives remote accesses a price, by the only figure that has one in it: the paper's unbound 1x4, with the local
share that is counted here for unbound 1x4 (that the paper's was alike is an assumption). One figure cannot tell
whether it is the core that waits for remote data or the links that are full, so both are calculated:

    "core"   a core moves remote bytes at a rate of its own, whoever else does; the cores' rates add up
    "links"  a remote byte takes so many times the share of the machine's limit that a local one takes"""

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


def priced(machine, kind, threads, local, local_1x4, unpriced):
    """GB/s of a run of so many threads with the local share `local` (0 to 1), where `local_1x4` is that of unbound
    1x4; never more than the model gives without a price. For machines whose pages have a node of their own."""
    limit = limits(machine)
    measured = paper.bandwidths()[machine, "unbound", "1x4"]
    if kind == "core":
        seconds_remote = (4 / measured - local_1x4 / limit.core) / (1 - local_1x4)  # of a core, for a remote GB
        return min(unpriced, threads / (local / limit.core + (1 - local) * seconds_remote))
    weight = (limit.machine / measured - local_1x4) / (1 - local_1x4)
    return min(unpriced, limit.machine / (local + (1 - local) * weight))
