# SPDX-License-Identifier: BSD-3-Clause
"""A Slurm cluster of two nodes, n0 and n1, on this host, with its own ports, sockets and files."""

import ctypes
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time

DAEMONS = ("munged", "slurmctld", "slurmd")
COMMANDS = ("srun", "sbatch", "salloc", "scancel", "squeue", "sinfo", "scontrol")
# Variables that begin with these letters would change a job or nestbind. So jobs must not get them from the caller.
NOT_HANDED_ON = ("SLURM", "SBATCH", "SALLOC", "_SLURM", "PMI", "OMPI_", "OMP_", "KMP_", "GOMP_", "NESTBIND_", "LD_PRELOAD", "XDG_RUNTIME_DIR")
PATIENCE = 180
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

# Messages of srun that the tests ignore.
WAITS = re.compile(r"^srun: (?:[Jj]ob \d+ (?:step creation (?:temporarily|still) disabled|queued and waiting|has been allocated).*"
                   r"|Step created for .*)\n", re.M)

# slurm.conf, with short polling intervals, so that the tests need not wait.
CONFIGURATION = """\
ClusterName=nestbind
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdLogFile={folder}/slurmd-%n.log
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
FirstJobId={first_job}
PlugStackConfig={folder}/plugstack.conf
TopologyPlugin=topology/tree
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1
KillWait=1
LaunchParameters=use_interactive_step
InteractiveStepOptions="--interactive --preserve-env sh"
InactiveLimit=0
SlurmdTimeout=300
NodeName=n0 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2
PartitionName=p Nodes=n0,n1 Default=YES State=UP OverSubscribe=YES
"""


class Unusable(Exception):
    """The cluster cannot run on this machine, or does not start."""


def without_waits(text):
    return WAITS.sub("", text)


def missing():
    """Returns the reason why a cluster cannot run on this machine."""
    lacking = [name for name in DAEMONS + COMMANDS if shutil.which(name, path=PATH) is None]
    if lacking:
        return f"there is no {', '.join(lacking)} (Debian: slurmctld, slurmd, slurm-client, munge)"
    if os.geteuid() != 0:
        return "only root can start Slurm's daemons"
    if len(os.sched_getaffinity(0)) < 2:
        return "needs two processors"
    return ""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


# Each cluster has its own range of job numbers, because the names of some files on the host contain the job number.
MOST_JOBS = 1000


def adopt_orphans():
    """Makes this process the parent of all orphans among its descendants, such as Slurm's steps."""
    set_child_subreaper = 36
    if ctypes.CDLL(None, use_errno=True).prctl(set_child_subreaper, 1, 0, 0, 0) != 0:
        raise Unusable("orphans cannot be adopted here")


def children_of(process):
    found = []
    for thread in os.listdir(f"/proc/{process}/task"):
        try:
            with open(f"/proc/{process}/task/{thread}/children", encoding="ascii") as file:
                found += [int(word) for word in file.read().split()]
        except OSError:
            pass
    return found


def reap():
    """Waits for orphans that have ended."""
    for child in children_of(os.getpid()):
        try:
            with open(f"/proc/{child}/stat", encoding="utf-8", errors="replace") as file:
                is_ended = file.read().rpartition(")")[2].split()[0] == "Z"
            if is_ended:
                os.waitpid(child, os.WNOHANG)
        except (OSError, ChildProcessError):
            pass


class Cluster:
    def __init__(self, plugin):
        adopt_orphans()
        self.folder = tempfile.mkdtemp(prefix="nestbind-slurm-")
        os.chmod(self.folder, 0o755)
        self.shared = self.path("shared")
        os.mkdir(self.shared)
        os.chmod(self.shared, 0o1777)
        self.plugin = plugin
        self.first_job = 1_000_000 + secrets.randbelow(60_000) * MOST_JOBS
        self.daemons = []
        kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_HANDED_ON)}
        self.environment = dict(kept, SLURM_CONF=self.path("slurm.conf"), NESTBIND_PUBLISH=self.shared, PATH=PATH, LC_ALL="C")

    def is_job(self, number):
        return self.first_job <= number < self.first_job + MOST_JOBS

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text, mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)
        return self.path(name)

    def start(self):
        for name in ("state", "spool-n0", "spool-n1"):
            os.mkdir(self.path(name))
        with open(self.path("key"), "wb") as key:
            key.write(secrets.token_bytes(1024))
        os.chmod(self.path("key"), 0o400)
        self.write("slurm.conf", CONFIGURATION.format(host=os.uname().nodename.split(".")[0], folder=self.folder, ports=free_ports(3),
                                                        first_job=self.first_job))
        # Slurm's default would look for a cgroup that it can write to, and a container has none.
        self.write("cgroup.conf", "CgroupPlugin=cgroup/v1\n")
        self.write("topology.conf", "SwitchName=s0 Nodes=n0\nSwitchName=s1 Nodes=n1\nSwitchName=core Switches=s[0-1]\n")
        self.write("plugstack.conf", f"optional {self.plugin}\n")
        self.begin("munged", "--force", "--foreground", "--num-threads=2", f"--socket={self.path('munge.sock')}",
                   f"--key-file={self.path('key')}", f"--pid-file={self.path('munge.pid')}", f"--seed-file={self.path('munge.seed')}",
                   f"--log-file={self.path('munge.log')}")
        self.wait_until("munged listens", lambda: os.path.exists(self.path("munge.sock")))
        self.begin("slurmctld", "-D", "-f", self.path("slurm.conf"))
        for node in ("n0", "n1"):
            self.begin("slurmd", "-D", "-f", self.path("slurm.conf"), "-N", node)
        self.wait_until("sinfo says idle", lambda: self.run("sinfo", "-h", "-N", "-o", "%t").stdout.split() == ["idle", "idle"])

    def begin(self, name, *arguments):
        log = open(self.path(name + ".out"), "ab")  # pylint: disable=consider-using-with
        # The daemon has a session of its own, so Ctrl-C interrupts only this program.
        self.daemons.append(subprocess.Popen([shutil.which(name, path=PATH), *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                                             stdout=log, stderr=log, start_new_session=True))
        log.close()

    def run(self, *command, timeout=PATIENCE, cwd=None, env=None, text=""):
        """Runs a command of a user. A command that hangs is ended with all its descendants."""
        process = subprocess.Popen(command, env=dict(self.environment, **(env or {})), cwd=cwd or self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace", start_new_session=True)
        try:
            out, err = process.communicate(text, timeout=timeout)
            return subprocess.CompletedProcess(command, process.returncode, out, without_waits(err))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            return subprocess.CompletedProcess(command, 124, out, err + "hangs\n")
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def wait_until(self, what, is_so, patience=PATIENCE):
        begin = time.monotonic()
        while not is_so():
            reap()
            if time.monotonic() - begin > patience:
                raise Unusable(f"in vain: {what}\n" + self.logs())
            for daemon in self.daemons:
                if daemon.poll() is not None:
                    raise Unusable(f"{daemon.args[0]} has ended: {what}\n" + self.logs())
            time.sleep(0.05)

    def wait_for_no_job(self):
        self.wait_until("no job is left", lambda: not self.run("squeue", "-h").stdout.strip())
        self.wait_until("no step is left", lambda: not self.steps())

    def steps(self):
        """Returns the processes (slurmstepd) that Slurm has started for steps."""
        return [process for process in self.family() if name_of(process) == "slurmstepd"]

    @staticmethod
    def family():
        """Returns all living descendants of this process."""
        found, waiting = [], children_of(os.getpid())
        while waiting:
            one = waiting.pop()
            try:
                waiting += children_of(one)
            except OSError:
                continue
            if name_of(one):
                found.append(one)
        return found

    def files(self):
        """Returns the files that jobs of this cluster have not removed."""
        return sorted(os.listdir(self.shared) + self.caches())

    def caches(self):
        numbers = [(name, re.search(r"^nestbind-.*-slurm-(\d+)$", name)) for name in os.listdir("/dev/shm")]
        return [name for name, job in numbers if job and self.is_job(int(job.group(1)))]

    def logs(self):
        said = []
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log") or name.startswith((*DAEMONS, "manual.")):  # not the outputs of earlier jobs
                with open(self.path(name), encoding="utf-8", errors="replace") as file:
                    said.append(f"--- {name}\n" + "".join(file.readlines()[-15:]))
        return "".join(said)

    def stop(self):
        """Ends every process of the cluster, and removes its files."""
        try:
            if len(self.daemons) > 1 and self.daemons[1].poll() is None:
                self.run("scancel", "--user=root", timeout=10)
                self.run("scancel", "--user=nobody", timeout=10)
                begin = time.monotonic()
                while self.steps() and time.monotonic() - begin < 10:  # a step removes its own files when it ends
                    reap()
                    time.sleep(0.05)
        finally:
            for daemon in reversed(self.daemons):
                if daemon.poll() is None:
                    daemon.terminate()
            begin = time.monotonic()
            while self.family() and time.monotonic() - begin < 5:
                for daemon in self.daemons:
                    daemon.poll()
                reap()
                time.sleep(0.05)
            for process in self.family():
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            for daemon in self.daemons:
                daemon.wait()
            for name in self.caches():
                shutil.rmtree(os.path.join("/dev/shm", name), ignore_errors=True)
            shutil.rmtree(self.folder, ignore_errors=True)


def name_of(process):
    """Returns the name of a process."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            text = file.read()
        return "" if text.rpartition(")")[2].split()[0] == "Z" else text[text.index("(") + 1:text.rindex(")")]
    except OSError:
        return ""
