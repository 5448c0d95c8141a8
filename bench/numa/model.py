# SPDX-License-Identifier: BSD-3-Clause
"""The bandwidth that counted traffic would have on the paper's machines, by a simple model.

All array accesses of a run are made at once. The slowest of these limits determines the time:

    a core      the paper's 1x1
    a package   its bound 1x4. On Barcelona the limit is the package's memory controller: the bytes of the
                package's pages count, for all processors. On Tigerton, whose four packages have a bus each to
                one memory, the limit is the bus: the bytes of the package's processors count, for all pages
    the machine its bound 4x1

    bandwidth = all bytes / max(bytes of each / its limit)

Not in the model: links (a remote access costs as much as a local one, since no bound column gives a link's
bandwidth), latency, caches, and time (a processor that two threads share for a moment and that is idle later counts
as shared evenly). For runs with much remote traffic the model is an upper bound.

`priced` gives remote accesses a price, from the only figure that contains one: the paper's unbound 1x4, with the local
share that is counted here for unbound 1x4 (assuming that the paper's share was the same). One figure cannot show whether cores wait for
remote data, or links are full. So both are calculated:

    "core"   a core moves remote bytes at its own rate, whatever other cores do; the cores' rates add up
    "links"  a remote byte takes several times the share of the machine's limit that a local byte takes"""

from dataclasses import dataclass

import paper


@dataclass
class Limits:
    """GB/s."""

    core: float
    package: float
    machine: float
    by_page: bool  # a package's limit is for its pages, not for its processors


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
    """GB/s of a run with `threads` threads and the local share `local` (0 to 1). `local_1x4`: the local share of
    unbound 1x4. At most the model's result without a cost of remote accesses. For machines whose pages have a node of their own."""
    limit = limits(machine)
    measured = paper.bandwidths()[machine, "unbound", "1x4"]
    if kind == "core":
        seconds_remote = (4 / measured - local_1x4 / limit.core) / (1 - local_1x4)  # of a core, for a remote GB
        return min(unpriced, threads / (local / limit.core + (1 - local) * seconds_remote))
    weight = (limit.machine / measured - local_1x4) / (1 - local_1x4)
    return min(unpriced, limit.machine / (local + (1 - local) * weight))
