# SPDX-License-Identifier: BSD-3-Clause
"""Machines with GPUs and network cards. Each has the shape of a machine whose topology is public (hwloc's and mpibind's tests): packages, NUMA
nodes, numbers of processors, and the PCI addresses of devices. `write(NAME, FOLDER)` writes hwloc's XML."""
import dataclasses
import os

NVIDIA, AMD, INTEL, MELLANOX = 0x10de, 0x1002, 0x8086, 0x15b3


@dataclasses.dataclass
class Device:
    kind: str  # "gpu", "nic" (an interface of OpenFabrics), "net" or "nvme"
    name: str
    pci: str
    node: int  # the position of its NUMA node, or of its cache if the machine's devices are at caches
    uuid: str = ""
    vendor: int = MELLANOX


def nvidia(name, pci, node, uuid=""):
    return Device("gpu", name, pci, node, uuid, NVIDIA)


def amd(name, pci, node, uuid=""):
    return Device("gpu", name, pci, node, uuid, AMD)


@dataclasses.dataclass
class Machine:
    packages: int
    nodes: int  # in each package
    cores: int  # in each node
    cpus: object  # the processors of a core, from its position
    devices: list = dataclasses.field(default_factory=list)
    shared: int = 0  # the number of cores that share an L3 cache; 0: no cache
    at_caches: bool = False

    def beside(self, device):
        """The processors beside a device."""
        size = self.shared if self.at_caches else self.cores
        return {cpu for core in range(device.node * size, (device.node + 1) * size) for cpu in self.cpus(core)}


def halves(cores):
    """The second thread of each core has a number in the second half."""
    return lambda core: [core, core + cores]


def uuid(number):
    return f"GPU-00000000-0000-0000-0000-{number:012x}"


MACHINES = {
    "lassen": Machine(2, 1, 20, lambda core: [8 + 8 * (core // 20) + 4 * core + i for i in range(4)], [
        nvidia("cuda0", "0004:04:00.0", 0, uuid(0)), nvidia("cuda1", "0004:05:00.0", 0, uuid(1)),
        nvidia("cuda2", "0035:03:00.0", 1, uuid(2)), nvidia("cuda3", "0035:04:00.0", 1, uuid(3)),
        Device("nic", "mlx5_0", "0003:01:00.0", 0), Device("nic", "mlx5_1", "0003:01:00.1", 0),
        Device("nic", "mlx5_2", "0033:01:00.0", 1), Device("nic", "mlx5_3", "0033:01:00.1", 1),
        Device("net", "enP5p1s0f0", "0005:01:00.0", 0), Device("nvme", "nvme0n1", "0002:01:00.0", 0)], shared=2),
    # The order of the PCI addresses is not the order of the NUMA nodes.
    "tioga": Machine(1, 4, 16, halves(64), [
        *(amd(f"rsmi{i}", f"0000:{bus}:00.0", node, f"{0x4a7c19da329a2b80 + i:x}") for i, (bus, node) in enumerate(
            (("c1", 6), ("c6", 7), ("c9", 2), ("ce", 3), ("d1", 0), ("d6", 1), ("d9", 4), ("de", 5)))),
        Device("net", "hsi0", "0000:c5:00.0", 7), Device("net", "hsi1", "0000:cd:00.0", 3), Device("net", "hsi2", "0000:d5:00.0", 1),
        Device("net", "hsi3", "0000:dd:00.0", 5), Device("net", "ens2", "0000:94:00.0", 0)], shared=8, at_caches=True),
    # GPUs beside four of eight nodes, and their UUIDs are not known.
    "corona": Machine(2, 4, 6, halves(48), [
        amd("opencl0d0", "0000:13:00.0", 1), amd("opencl0d1", "0000:23:00.0", 2), amd("opencl0d2", "0000:53:00.0", 5),
        amd("opencl0d3", "0000:73:00.0", 7), Device("nic", "mlx5_0", "0000:33:00.0", 3), Device("net", "enp3s0f0", "0000:03:00.0", 0)], shared=3),
    "corona-p2": Machine(2, 1, 24, halves(48), [
        *(amd(f"rsmi{number}", f"0000:{bus}:00.0", bus > "7f", f"{0x1000 + number:x}") for bus, number in (
            ("03", 2), ("27", 3), ("43", 1), ("63", 0), ("83", 6), ("a3", 7), ("c3", 5), ("e3", 4))),
        Device("nic", "mlx5_0", "0000:c4:00.0", 1)], shared=3),
    "g4dn": Machine(2, 1, 24, halves(48), [
        *(nvidia(f"cuda{i}", f"0000:{bus}:00.0", i // 4, uuid(i)) for i, bus in enumerate(("18", "19", "35", "36", "e7", "e8", "f4", "f5"))),
        Device("nic", "rdmap197s0", "0000:c5:00.0", 1), Device("net", "eth0", "0000:c6:00.0", 1)]),
    # All devices are beside the first package.
    "pascal": Machine(2, 1, 18, halves(36), [
        nvidia("cuda0", "0000:04:00.0", 0, uuid(0)), nvidia("cuda1", "0000:07:00.0", 0, uuid(1)), Device("nic", "mlx5_0", "0000:08:00.0", 0)]),
    # Invented, for the variables of Intel and for numbers in place of UUIDs.
    "ponte": Machine(2, 1, 4, halves(8), [Device("gpu", f"ze{i}", f"0000:{bus}:00.0", i // 2, "", INTEL) for i, bus in enumerate(("18", "2a", "8c", "a0"))]),
    "plain": Machine(2, 1, 4, halves(8), [nvidia("", f"0000:{bus}:00.0", i // 2) for i, bus in enumerate(("18", "2a", "8c", "a0"))]),
    # Invented: as many devices as the largest usual nodes have.
    "many": Machine(2, 1, 56, halves(112), [
        *(nvidia(f"cuda{i}", f"0000:{bus}:00.0", i // 4, uuid(i)) for i, bus in enumerate(("1b", "43", "52", "61", "9d", "c3", "d1", "df"))),
        *(Device("nic", f"mlx5_{i}", f"0000:{16 * i + 17:02x}:00.0", i // 5) for i in range(10))]),
    "empty": Machine(2, 1, 4, halves(8)),
}

OSDEV = {"gpu": 5, "nic": 3, "net": 2, "nvme": 0}
CLASS = {"gpu": "0302", "nic": "0207", "net": "0200", "nvme": "0108"}


def bits(numbers):
    value = sum(1 << number for number in numbers)
    words = []
    while value or not words:
        words.insert(0, f"0x{value & 0xffffffff:08x}")
        value >>= 32
    return ",".join(words)


class Writer:
    def __init__(self, machine):
        self.machine = machine
        self.lines = []
        self.index = 0

    def begin(self, kind, attributes, cpus=None, nodes=None):
        self.index += 1
        sets = "" if cpus is None else "".join(
            f' {name}="{bits(members)}"' for names, members in ((("cpuset", "complete_cpuset"), cpus), (("nodeset", "complete_nodeset"), nodes)) for name in names)
        root = f' allowed_cpuset="{bits(cpus)}" allowed_nodeset="{bits(nodes)}"' if kind == "Machine" else ""
        self.lines.append(f'<object type="{kind}" gp_index="{self.index}"{attributes}{sets}{root}>')

    def end(self):
        self.lines.append("</object>")

    def device(self, device):
        self.begin("PCIDev", f' pci_busid="{device.pci}" pci_type="{CLASS[device.kind]} [{device.vendor:04x}:0001] [0000:0000] 00" pci_link_speed="0.0"')
        if device.name:
            self.begin("OSDev", f' name="{device.name}" osdev_type="{OSDEV[device.kind]}"')
            name = {NVIDIA: "NVIDIAUUID", AMD: "AMDUUID"}.get(device.vendor)
            if device.uuid and name:
                self.lines.append(f'<info name="{name}" value="{device.uuid}"/>')
            self.end()
        self.end()

    def devices(self, node):
        for device in self.machine.devices:
            if device.node == node:
                self.device(device)

    def text(self):
        m = self.machine
        cores = m.cores * m.nodes * m.packages

        def cpus(begin, end):
            return [cpu for core in range(begin, end) for cpu in m.cpus(core)]

        self.begin("Machine", ' os_index="0"', cpus(0, cores), range(m.nodes * m.packages))
        for package in range(m.packages):
            size = m.cores * m.nodes
            own = range(package * m.nodes, (package + 1) * m.nodes)
            self.begin("Package", f' os_index="{package}"', cpus(package * size, (package + 1) * size), own)
            for node in own:
                inside = cpus(node * m.cores, (node + 1) * m.cores)
                if m.nodes > 1:
                    self.begin("Group", ' kind="1001" subkind="0"', inside, [node])
                self.begin("NUMANode", f' os_index="{node}" local_memory="1073741824"', inside, [node])
                self.end()
                for core in range(node * m.cores, (node + 1) * m.cores):
                    if m.shared and core % m.shared == 0:
                        self.begin("L3Cache", ' cache_size="1048576" depth="3" cache_linesize="64" cache_associativity="0" cache_type="0"',
                                   cpus(core, core + m.shared), [node])
                    self.begin("Core", f' os_index="{core}"', m.cpus(core), [node])
                    for cpu in m.cpus(core):
                        self.begin("PU", f' os_index="{cpu}"', [cpu], [node])
                        self.end()
                    self.end()
                    if m.shared and (core + 1) % m.shared == 0:
                        self.devices(core // m.shared if m.at_caches else -1)
                        self.end()
                self.devices(-1 if m.at_caches else node)
                if m.nodes > 1:
                    self.end()
            self.end()
        self.end()
        return ('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n<topology version="2.0">\n'
                + "\n".join(self.lines) + "\n</topology>\n")


def write(name, folder):
    path = os.path.join(folder, name + ".xml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(Writer(MACHINES[name]).text())
    return path
