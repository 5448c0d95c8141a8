# SPDX-License-Identifier: BSD-3-Clause
"""Estimates bandwidths on the paper's machines from the counted traffic.

In the model all array accesses of a run happen at the same time. Each core, each package and the machine has a limit of its bandwidth. The
longest time determines the time of the run:

    bandwidth = all bytes / max(bytes / limit)

The limits are bandwidths that the paper measured. On Barcelona, all accesses to the memory of a package share one memory controller. On
Tigerton, all processors of a package share one bus.

The model has no links, no latency and no caches. For runs with much remote traffic the model is an upper bound.

`priced` gives remote accesses a cost. The cost is calculated from the paper's figure for unbound 1x4. No other figure contains this cost.
We assume that the local share in the paper was the same as the share counted here for unbound 1x4. There are two kinds of cost. With
"core", each core moves remote bytes more slowly, and other cores have no effect. With "links", a remote byte uses as much bandwidth of the
machine as several local bytes."""

from dataclasses import dataclass

import paper


@dataclass
class Limits:
    """The limits of a machine, in GB/s."""

    core: float
    package: float
    machine: float
    by_page: bool  # True if each package has a memory controller.


def limits(machine):
    figures = paper.bandwidths()
    return Limits(core=figures[machine, "bound", "1x1"], package=figures[machine, "bound", "1x4"],
                  machine=figures[machine, "bound", "4x1"], by_page=machine == "Barcelona")


def bandwidth(traffic, machine):
    """Returns the bandwidth of the array accesses in GB/s. Each node of the guest is a package."""
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
    """Returns the bandwidth in GB/s of a run with `threads` threads and the local share `local` (0 to 1). Only for machines with
    several nodes (Barcelona)."""
    limit = limits(machine)
    measured = paper.bandwidths()[machine, "unbound", "1x4"]
    if kind == "core":
        seconds_remote = (4 / measured - local_1x4 / limit.core) / (1 - local_1x4)
        return min(unpriced, threads / (local / limit.core + (1 - local) * seconds_remote))
    weight = (limit.machine / measured - local_1x4) / (1 - local_1x4)
    return min(unpriced, limit.machine / (local + (1 - local) * weight))
