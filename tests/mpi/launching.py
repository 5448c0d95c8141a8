# SPDX-License-Identifier: BSD-3-Clause
"""Starts MPI programs on several nodes that are all this machine, and reads who has sent how much to whom."""

import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
AGENT = os.path.join(HERE, "agent.sh")
sys.path.insert(0, os.path.join(HERE, "..", "runner"))

import running  # noqa: E402


class Family:
    """An MPI library: its compilers and its launcher."""

    def __init__(self, name, suffix, module):
        self.name, self.module = name, module
        self.cc, self.fortran = f"mpicc.{suffix}", f"mpif90.{suffix}"
        self.launcher = "mpirun.openmpi" if suffix == "openmpi" else "mpiexec.hydra"
        self.environment = {}

    def missing(self):
        lacking = [name for name in (self.cc, self.launcher, "unshare") if shutil.which(name) is None]
        if lacking:
            return f"there is no {', '.join(lacking)}"
        try:
            subprocess.run(["unshare", "--uts", "true"], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return "only root can give a process another host name"
        return ""

    def compile(self, folder, source, *flags):
        name = os.path.basename(source).replace(".", "-") + "".join(flag for flag in flags if flag.startswith("-D"))
        program = os.path.join(folder, name + "-" + self.name + (".so" if "-shared" in flags else ""))
        compiler = self.cc if source.endswith((".c", ".h")) else self.fortran
        done = subprocess.run([compiler, "-O1", "-g", source, *flags, "-o", program], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return program

    def command(self, ranks, per_node, words):
        """The command line that starts `ranks` ranks, in order, on nodes n0, n1 and so on."""
        nodes = -(-ranks // per_node)
        hosts = ",".join(f"n{i}:{per_node}" for i in range(nodes))
        if self.name == "openmpi":
            return [self.launcher, "--mca", "plm_rsh_agent", AGENT, "--mca", "plm", "rsh", "--mca", "plm_rsh_no_tree_spawn", "1",
                    "--mca", "mpi_yield_when_idle", "1", "--host", hosts, "-n", str(ranks), "--oversubscribe", "--bind-to", "none", *words]
        return [self.launcher, "-launcher", "ssh", "-launcher-exec", AGENT, "-hosts", hosts, "-n", str(ranks), *words]

    def run(self, ranks, per_node, words, patience=180, **more):
        settings = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **self.environment, **more}
        return running.run(self.command(ranks, per_node, words), patience, env=running.environment(**settings))


OPEN_MPI = Family("openmpi", "openmpi", "openmpi")
MPICH = Family("mpich", "mpich", "mpich")


def intel(prefix, folder):
    """Intel MPI of PyPI (impi-rt, in the prefix of a virtual environment), which runs MPICH's programs, because both have one binary interface."""
    made = Family("intel", "mpich", "mpich")
    made.launcher = os.path.join(prefix, "bin", "mpiexec.hydra")
    own = os.path.join(folder, "intel")
    os.makedirs(own, exist_ok=True)
    for theirs, ours in (("libmpi.so.12", "libmpich.so.12"), ("libmpifort.so.12", "libmpichfort.so.12")):
        if not os.path.lexists(os.path.join(own, ours)):
            os.symlink(os.path.join(prefix, "lib", theirs), os.path.join(own, ours))
    made.environment = {"LD_LIBRARY_PATH": f"{own}:{prefix}/lib:{prefix}/opt/mpi/libfabric/lib", "I_MPI_ROOT": prefix, "FI_PROVIDER": "tcp",
                        "I_MPI_HYDRA_BOOTSTRAP_EXEC": AGENT, "I_MPI_PIN": "off", "I_MPI_WAIT_MODE": "1", "I_MPI_THREAD_YIELD": "3"}
    made.command = lambda ranks, per_node, words: [
        made.launcher, "-bootstrap", "ssh", "-hosts", ",".join(f"n{i}" for i in range(-(-ranks // per_node))), "-ppn", str(per_node),
        "-n", str(ranks), *words]
    return made


def traffic(folder):
    """Returns {(from, to): [bytes, messages]} of a folder that `run --traffic` has filled."""
    sent = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        for source, to, number, messages in re.findall(r"^E\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs sent", text, re.M):
            sent[int(source), int(to)] = [int(number), int(messages)]
    return sent


def between_nodes(sent, per_node):
    return sum(number for (source, to), (number, _) in sent.items() if source // per_node != to // per_node)
