#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the plugin in a real Slurm with two nodes on this host, and runs the job scripts of nestbind-mpi(7).

usage: run.py [--case NAME]... FOLDER      FOLDER: a build tree or an installed prefix of nestbind
"""

import collections
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(HERE, "..", "runner"), os.path.join(HERE, "..", "cli")]

import device_machines  # noqa: E402
import running  # noqa: E402
import scripts  # noqa: E402
from cluster import PATIENCE, Cluster, Unusable, missing, without_waits  # noqa: E402

SPEC = "2,scatter,2,subcompact"
BAD = "4,scater"
# Slurm adds the name of its command before the first line only.
FAULT = ("error: nestbind: bad specification, column 3: missing or unknown strategy, expected scatter, compact, subscatter or subcompact\n"
         "  4,scater\n    ^\n")
NOBODY = 65534
# The number of threads of a rank and the number of ranks, for some scripts in the manual.
WANTED = {"array": (8, 1), "one rank": (4, 2), "report": (2, 2)}
LAUNCHERS = {"mpirun": "mpirun.openmpi", "mpiexec": "mpiexec.mpich"}

Row = collections.namedtuple("Row", "rank node path cpus")


def has_address():
    """Whether the name of this host can be resolved. A new Debian root has no /etc/hosts."""
    try:
        return bool(socket.getaddrinfo(os.uname().nodename, None))
    except OSError:
        return False


def rows(text):
    """Returns the rows that tests/slurm/rank.c has printed, sorted."""
    found = re.findall(r"^@ (\d+|-)@(\S+) (\S+) \S+ \d+ (\S+)$", text, re.M)
    return sorted(Row(*words) for words in found)


class Cases:
    def __init__(self, cluster, folder):
        self.cluster, self.results = cluster, running.Results()
        self.library = os.path.realpath(find(folder, "libnestbind.so"))
        self.cluster.environment["PATH"] = os.path.dirname(find(folder, "nestbind", "bin")) + ":" + self.cluster.environment["PATH"]
        self.cluster.environment["PATH"] = self.cluster.path("bin") + ":" + self.cluster.environment["PATH"]
        self.cluster.environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        self.cluster.environment["NESTBIND_QUIET"] = "1"  # no warning about four threads on two processors
        self.program = self.compile("program", os.path.join(HERE, "rank.c"), "-fopenmp")
        self.mask = self.compile("mask", os.path.join(ROOT, "tests", "programs", "mask.c"))

    def prepare(self):
        """Finds the two processors of a node: a task has these processors without nestbind."""
        self.cpus = self.masks("-n1", "-c2")["0"].split(",")
        self.check("a node has two processors", len(self.cpus), 2)

    def compile(self, name, source, *flags, compiler="gcc"):
        program = self.cluster.path(name)
        libraries = [flag for flag in flags if flag.startswith(("-l", "-L", "-Wl"))]
        flags = [flag for flag in flags if flag not in libraries]
        subprocess.run([compiler, "-O1", *flags, "-I", os.path.join(ROOT, "include"), source, "-o", program, *libraries], check=True)
        return program

    def check(self, what, seen, wanted):
        self.results.show(what, [] if seen == wanted else [f"seen   {seen!r}", f"wanted {wanted!r}"])

    def srun(self, *arguments, **more):
        return self.cluster.run("srun", *arguments, **more)

    def masks(self, *arguments):
        """Returns {rank: processors}."""
        told = self.srun("-l", "-w", "n0", *arguments, self.mask, "x")
        return dict(re.findall(r"^(\d+): @ x - - \d+ (\S+)$", told.stdout, re.M))

    def nested(self, *ranks):
        """Returns the expected rows of ranks with nested teams of 2 x 2 threads. Each element of `ranks` has a rank's number, its node, and
        the processors of its two outer threads."""
        return [Row(rank, node, f"{i}.{j}", cpus[i]) for rank, node, *cpus in ranks for i in (0, 1) for j in (0, 1)]

    def submit(self, text, *arguments, **more):
        script = self.cluster.write("script.sh", text, 0o755)
        told = self.cluster.run("sbatch", "--parsable", *arguments, script, **more)
        return told.stdout.strip(), told

    def state(self, job):
        shown = self.cluster.run("scontrol", "-o", "show", "job", job).stdout
        return re.findall(r"JobState=(\S+)", shown)

    def wait_for(self, job, *states):
        self.cluster.wait_until(f"job {job} is {' or '.join(states)}", lambda: (lambda seen: seen and set(seen) <= set(states))(self.state(job)))
        return self.state(job)

    def next_job(self):
        return re.search(r"NEXT_JOB_ID *= *(\d+)", self.cluster.run("scontrol", "show", "config").stdout).group(1)

    def output(self, name):
        """Returns the text of a job's output file, without Slurm's messages about waiting."""
        with open(self.cluster.path(name), encoding="utf-8") as file:
            return without_waits(file.read())

    def left(self):
        """Waits for the end of all jobs, and returns the files that they have not removed."""
        self.cluster.wait_for_no_job()
        return self.cluster.files()

    def case_options(self):
        for command in ("srun", "sbatch", "salloc"):
            told = self.cluster.run(command, "--help").stdout
            self.check(f"{command} knows the options", re.findall(r"^ *(--nestbind\S*)", told, re.M),
                       ["--nestbind=SPEC", "--nestbind-report=WHAT", "--nestbind-strict"])

    def case_environment(self):
        """A task with --nestbind keeps its own variables, and gets nestbind's variables and the preload."""
        names = "LD_PRELOAD|OMP_N|OMP_MAX|NESTBIND_[^QP]|KMP_"
        shown = ("sh", "-c", f"env | grep -E '^({names})' | sort")
        libm = find_libm()
        told = self.srun("-n1", "--nestbind= 2,SCATTER", "--nestbind-strict", "--nestbind-report=json:out-%r", *shown, env={"LD_PRELOAD": libm})
        job = re.search(r"-slurm-(\d+)", told.stdout)
        job = job.group(1) if job else "?"
        self.check("a task has our variables and its own", told.stdout.splitlines(),
                   ["KMP_HOT_TEAMS_MAX_LEVEL=1", f"LD_PRELOAD={self.library}:{libm}", f"NESTBIND_CACHE=/dev/shm/nestbind-cache-0-slurm-{job}",
                    f"NESTBIND_REPORT=json:{self.cluster.folder}/out-%r", "NESTBIND_RUN=;2;1;;;", "NESTBIND_STRICT=1",
                    "OMP_MAX_ACTIVE_LEVELS=1", "OMP_NESTING_TEAM_SIZE=2,scatter", "OMP_NUM_THREADS=2"])
        self.check("the task leaves no files", self.left(), [])
        told = self.srun("-n1", *shown)
        self.check("a task without an option gets no variables", (told.stdout, told.stderr), ("", ""))

    def case_masks(self):
        """Threads are bound as the specification says, to processors that Slurm gives to the task."""
        a, b = self.cpus
        told = self.srun("-w", "n0", "-n1", "-c2", f"--nestbind={SPEC}", self.program)
        self.check("the threads of a task are bound", (rows(told.stdout), told.stderr), (self.nested(("0", "n0", a, b)), ""))
        told = self.srun("-N2", "-n2", "-c2", f"--nestbind={SPEC}", self.program)
        self.check("the threads on two nodes are bound", rows(told.stdout), self.nested(("0", "n0", a, b), ("1", "n1", a, b)))
        for binding in ("none", "cores", "mask_cpu:0x2,0x1"):
            options = ("-N1", "-n2", "-c1", f"--cpu-bind={binding}")
            masks = self.masks(*options)
            told = self.srun("-w", "n0", *options, f"--nestbind={SPEC}", self.program)
            self.check(f"threads are bound with --cpu-bind={binding}", rows(told.stdout), self.nested(*(self.parts(masks))))

    def parts(self, masks):
        """Returns the expected processors of two ranks. If Slurm gives both ranks the same two processors, each rank uses one of the
        processors."""
        for rank, cpus in sorted(masks.items()):
            own = cpus.split(",")[int(rank) if "," in cpus else 0]
            yield rank, "n0", own, own

    def case_ranks(self):
        """The ranks of a node divide its processors, and ignore the other node."""
        a, b = self.cpus
        told = self.srun("-N2", "-n4", "--cpu-bind=none", f"--nestbind={SPEC}", self.program)
        self.check("two ranks on each of two nodes divide their node", rows(told.stdout),
                   self.nested(("0", "n0", a, a), ("1", "n0", b, b), ("2", "n1", a, a), ("3", "n1", b, b)))
        self.check("the ranks leave no files", self.left(), [])

    def case_two_steps(self):
        """Two steps of a job run at once, each with a specification of its own."""
        a, b = self.cpus
        step = "srun --overlap -n2 -c1 -w n0 --cpu-bind=none"
        self.cluster.write("first.sh", """#!/bin/sh
./program
touch first$SLURM_PROCID
while [ ! -e second0 ] || [ ! -e second1 ]; do sleep 0.05; done
[ $SLURM_PROCID = 1 ] || ls -d $NESTBIND_CACHE
""", 0o755)
        self.cluster.write("second.sh", """#!/bin/sh
while [ ! -e first0 ] || [ ! -e first1 ]; do sleep 0.05; done
./program
touch second$SLURM_PROCID
""", 0o755)
        script = self.cluster.write("two.sh", f"""#!/bin/sh
{step} --nestbind={SPEC} ./first.sh >one.out 2>&1 &
{step} --nestbind=3,compact,1,compact ./second.sh >two.out 2>&1 &
wait
""", 0o755)
        told = self.cluster.run("salloc", "-w", "n0", "-c2", "-n1", script)
        job = re.search(r"job allocation (\d+)", told.stderr).group(1)
        one, two = self.output("one.out"), self.output("two.out")
        self.check("the threads of the first step are bound", rows(one), self.nested(("0", "n0", a, a), ("1", "n0", b, b)))
        self.check("the first step has the folder for the machine", one.splitlines()[-1:], [f"/dev/shm/nestbind-cache-0-slurm-{job}"])
        self.check("the threads of the second step are bound",
                   rows(two), [Row(rank, "n0", f"{i}.0", cpu) for rank, cpu in (("0", a), ("1", b)) for i in range(3)])
        self.check("the steps leave no files", self.left(), [])

    def case_refused(self):
        """Slurm's commands refuse a bad specification, and submit no job."""
        first = self.next_job()
        script = self.cluster.write("never.sh", "#!/bin/sh\ntouch never\n", 0o755)
        for command in (("srun", "touch", "never"), ("sbatch", script), ("salloc", "touch", "never")):
            told = self.cluster.run(command[0], f"--nestbind={BAD}", *command[1:])
            self.check(f"{command[0]} refuses a bad specification", (told.returncode != 0, told.stdout), (True, ""))
            self.check(f"{command[0]} shows the text and a caret", told.stderr.startswith(f"{command[0]}: {FAULT}"), True)
        with open(scripts.PAGE, encoding="utf-8") as page:
            self.check("the manual has the message", f"sbatch: {FAULT}" in page.read(), True)
        told = self.submit(f"#!/bin/sh\n#SBATCH --nestbind={BAD}\ntouch never\n")[1]
        self.check("sbatch refuses a bad line of the script",
                   (told.returncode != 0, told.stderr.startswith(f"sbatch: {FAULT}")), (True, True))
        told = self.srun("--nestbind=2,scatter", "--nestbind-report=xml", "touch", "never")
        self.check("srun refuses a bad report", told.stderr.splitlines()[0] if told.stderr else "",
                   "srun: error: nestbind: bad report, expected auto, picture, text or json, also with ,now and :FILE after it")
        self.check("no refused job was submitted", (self.next_job(), os.path.exists(self.cluster.path("never"))), (first, False))

    def case_batch(self):
        """The shell of a batch script gets the specification."""
        a, b = self.cpus
        job, _ = self.submit(f"""#!/bin/sh
#SBATCH -n2 -w n0 -o batch.out --nestbind={SPEC}
echo "shell <$OMP_NESTING_TEAM_SIZE> <$LD_PRELOAD>"
nestbind run "$OMP_NESTING_TEAM_SIZE" -- ./program >shell.out
srun -n1 -c2 ./program
srun -n1 -c2 --nestbind=off sh -c 'echo "off <$OMP_NESTING_TEAM_SIZE> <$LD_PRELOAD>"'
srun -n1 -c2 sh -c 'echo "program <$OMP_NESTING_TEAM_SIZE> <$LD_PRELOAD>"'
ls -d "$NESTBIND_CACHE"
""")
        self.check("a batch job completes", self.wait_for(job, "COMPLETED", "FAILED"), ["COMPLETED"])
        told = self.output("batch.out")
        self.check("the threads of the batch job's program are bound", rows(told), self.nested(("0", "n0", a, b)))
        self.check("a program that the batch job's shell starts is not a rank",
                   rows(self.output("shell.out")), self.nested(("0", "n0", a, b)))
        self.check("the batch job's shells have the right variables", [line for line in told.splitlines() if not line.startswith("@")],
                   [f"shell <{SPEC}> <>", "off <off> <>", f"program <{SPEC}> <{self.library}>", f"/dev/shm/nestbind-cache-0-slurm-{job}"])
        self.check("the batch job leaves no files", self.left(), [])

    def case_submitted_by_a_rank(self):
        """A rank submits a job. The job's shell gets the rank's variables, but is not a rank."""
        a, b = self.cpus
        script = self.cluster.write("from-rank.sh", f"#!/bin/sh\n#SBATCH -n1 -c2 -w n0 -o from-rank.out\nnestbind run {SPEC} -- ./program\n", 0o755)
        told = self.srun("-w", "n0", "-N1", "-n2", "sh", "-c", f"test $SLURM_PROCID != 0 || sbatch --parsable {script}", cwd=self.cluster.folder)
        job = told.stdout.strip()
        self.check("a job that a rank has submitted completes", self.wait_for(job, "COMPLETED", "FAILED"), ["COMPLETED"])
        self.check("the submitted job's program has all processors", {row.cpus for row in rows(self.output("from-rank.out"))}, {a, b})
        self.check("the submitted job leaves no files", self.left(), [])

    def case_salloc(self):
        """The option of salloc must bind the threads of srun."""
        a, b = self.cpus
        told = self.cluster.run("salloc", "-n1", "-c2", "-w", "n0", f"--nestbind={SPEC}", "srun", "-c2", self.program)
        self.check("the threads of srun in salloc are bound", rows(told.stdout), self.nested(("0", "n0", a, b)))

    def case_interactive(self):
        """If Slurm runs the shell of salloc on a node, the shell is treated like the shell of a batch script."""
        a, b = self.cpus
        told = self.cluster.run("salloc", "-n1", "-c2", "-w", "n0", f"--nestbind={SPEC}",
                                text='echo "shell <$OMP_NESTING_TEAM_SIZE> <$LD_PRELOAD>"\nsrun -c2 ./program\n')
        self.check("salloc's shell on a node has the specification only",
                   re.findall(r"^shell.*", told.stdout, re.M), [f"shell <{SPEC}> <>"])
        self.check("the threads of srun in this shell are bound", rows(told.stdout), self.nested(("0", "n0", a, b)))

    def case_map(self):
        """Slurm starts each rank on the node that nestbind map has chosen, in the network that Slurm knows."""
        told = self.cluster.run("salloc", "-N2", "-n16", "--overcommit",
                                text="nestbind map --grid 2x8 --network slurm --write slurm:hosts --format json\n"
                                     "SLURM_HOSTFILE=hosts srun --overcommit --distribution=arbitrary --ntasks=16 "
                                     "sh -c 'echo @ $SLURM_PROCID $SLURMD_NODENAME'\n")
        found = re.search(r"^\{.*\}$", told.stdout, re.M)
        self.check("nestbind map answers in a job", found is not None, True)
        if found:
            answer = json.loads(found.group())
            self.check("the two nodes exchange less", (answer["before"]["between_nodes"], answer["after"]["between_nodes"]), (8, 2))
            wanted = sorted((str(rank), node["name"]) for node in answer["nodes"] for rank in node["ranks"])
            self.check("each rank is on its node", sorted(re.findall(r"^@ (\d+) (\S+)$", told.stdout, re.M)), wanted)

    def case_array(self):
        a, b = self.cpus
        job, _ = self.submit("#!/bin/sh\nexec srun -c2 ./program\n", "--array=0-19", "-n1", "-c2", "-o", "array-%a.out", f"--nestbind={SPEC}")
        self.check("an array of 20 jobs completes", self.wait_for(job, "COMPLETED", "FAILED"), ["COMPLETED"] * 20)
        seen = [[row._replace(node="n0") for row in rows(self.output(f"array-{i}.out"))] for i in range(20)]
        self.check("the threads of each job of the array are bound", seen, [self.nested(("0", "n0", a, b))] * 20)
        self.check("the array leaves no files", self.left(), [])

    def waiting(self, *options):
        """Submits a job of two tasks that wait for a signal. Returns the job's number and the processes of the tasks."""
        job, told = self.submit(f"#!/bin/sh\nexec srun {' '.join(options)} ./program wait\n", "-N1", "-n2", "-w", "n0", "-o", "wait.out",
                                f"--nestbind={SPEC}")
        ready = lambda: re.findall(r"^ready (\d+)$", self.output("wait.out"), re.M) if os.path.exists(self.cluster.path("wait.out")) else []
        self.cluster.wait_until("both tasks are there", lambda: len(ready()) == 2)
        processes = [int(one) for one in ready()]
        return job, processes

    def judge_killed(self, processes):
        """Checks which files killed ranks leave: one shared file, one of the tree, and a file for each rank."""
        left = [name for name in self.left() if not re.fullmatch(r"nestbind-\d+-\d+-\d+-\d+", name)]
        sizes = [os.path.getsize(os.path.join(self.cluster.shared, name)) for name in left if name.startswith("nestbind-ranks-")]
        self.check("no process of the killed job runs", [one for one in processes if os.path.exists(f"/proc/{one}")], [])
        trees = [name for name in left if name.startswith("nestbind-tree-0-")]
        self.check("the killed job leaves only the ranks' small file, and one of the tree",
                   ([name for name in left if not name.startswith(("nestbind-ranks-0-", "nestbind-tree-0-"))], len(sizes) <= 1, len(trees) <= 1,
                    [size for size in sizes if size > 4096]),
                   ([], True, True, []))
        a, b = self.cpus
        told = self.srun("-w", "n0", "-N1", "-n2", "--cpu-bind=none", f"--nestbind={SPEC}", self.program)
        self.check("the threads of the next job are bound",
                   (rows(told.stdout), told.stderr), (self.nested(("0", "n0", a, a), ("1", "n0", b, b)), ""))
        self.check("the next job removes the files that were left", self.left(), [])
        os.unlink(self.cluster.path("wait.out"))

    def case_balance(self):
        """Eight ranks on two nodes. A quarter of the cells has more work, and after 40 steps it is another quarter, on another node. The loads
        have a noise of 5 %. Cells move within 10 steps, and then none moves for 30 steps."""
        period = 40
        if shutil.which("mpicc.mpich") is None:
            print("not run: there is no mpicc.mpich")
            return
        log = self.cluster.path("steps.csv")
        library = os.path.dirname(self.library)
        program = self.compile("particles", os.path.join(ROOT, "bench", "particles", "particles.c"), "-fopenmp", "-ffp-contract=off", f"-L{library}",
                               "-Wl,--no-as-needed", "-lnestbind", f"-Wl,-rpath,{library}", "-lm", compiler="mpicc.mpich")
        # Both nodes are this host, so --node says which ranks are a node.
        options = ("--cells", "16", "--particles", "8000", "--steps", str(3 * period), "--drift", "0", "--heat", "0", "--shift", str(period),
                   "--noise", "0.05", "--node", "4", "--unit", "1e-3")
        variables = {"OMP_NUM_THREADS": "1"}
        told = self.srun("-N2", "-n8", "--overcommit", "--distribution=block", "--mpi=pmi2", program, *options, "--log", log, timeout=8 * PATIENCE,
                         env=variables)
        alone = self.cluster.run(program, *options, timeout=PATIENCE, env=variables)
        sums = [re.findall(r"^checksum (\S+)$", run.stdout, re.M) for run in (told, alone)]
        self.check("the sum of a job on two nodes is that of a serial run", sums[0], sums[1])
        if not sums[0]:
            print(told.stdout, told.stderr)
            return
        with open(log, encoding="ascii") as file:
            steps = [tuple(map(float, line.split(",")[1:3])) for line in file]
        for begin in range(0, 3 * period, period):
            settled = steps[begin + 10:begin + period]
            self.check(f"from step {begin}: cells move", sum(moved for _, moved in steps[begin:begin + 10]) > 0, True)
            self.check(f"from step {begin}: the slowest rank comes near the mean", max(most for most, _ in settled) < 1.15, True)
            self.check(f"from step {begin}: it settles", sum(moved for _, moved in settled), 0)

    def case_scancel(self):
        job, processes = self.waiting("--cpu-bind=none")
        self.cluster.run("scancel", job)
        self.check("scancel cancels the job", self.wait_for(job, "CANCELLED"), ["CANCELLED"])
        self.judge_killed(processes)

    def case_kill(self):
        job, processes = self.waiting("--cpu-bind=none", "--kill-on-bad-exit=1")
        os.kill(processes[0], signal.SIGKILL)
        self.check("the job fails after kill -9 of one rank", self.wait_for(job, "FAILED", "COMPLETED"), ["FAILED"])
        self.judge_killed(processes)

    def case_user(self):
        """Slurm's daemon runs as root, and may make the folder of the cached machine. The job's user must own this folder."""
        folder = self.cluster.path("of-nobody")
        os.mkdir(folder)
        os.chown(folder, NOBODY, NOBODY)

        def told(*words):
            done = subprocess.run(words, env=self.cluster.environment, cwd=folder, user=NOBODY, group=NOBODY, extra_groups=[], check=False,
                                  capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, timeout=60)
            return done.stdout

        if not told("ls", self.cluster.plugin):
            print(f"not run another user's folder: nobody cannot read {self.cluster.plugin}")
            return
        with subprocess.Popen(("sleep", "60"), user=NOBODY, group=NOBODY, extra_groups=[]) as other:
            try:
                os.sched_setaffinity(other.pid, os.sched_getaffinity(0))
            except PermissionError:
                print("not run another user's folder: a container, where root (slurmd) is not allowed to bind another user's process")
                return
            finally:
                other.kill()
        lines = told("srun", "-n1", "--nestbind=2,scatter", "sh", "-c",
                     'stat -c "%u %a %F" "$NESTBIND_CACHE"; basename "$NESTBIND_CACHE"').splitlines()
        self.check("the folder for the machine belongs to the user", lines[:1], [f"{NOBODY} 700 directory"])
        self.check("the folder is removed after the job", self.left(), [])

    def case_library(self):
        """If a node does not have the library, a message says so, and the task runs unbound."""
        self.cluster.write("plugstack.conf", f"optional {self.cluster.plugin} library=/no/such.so\n")
        try:
            told = self.srun("-n1", "--nestbind=2,scatter", "sh", "-c", 'echo "<$LD_PRELOAD>"')
            self.check("a task runs unbound without the library",
                       (told.returncode, told.stdout, "/no/such.so: no such library on this node: the program runs unbound" in told.stderr),
                       (0, "<>\n", True))
            told = self.srun("-n1", "--nestbind=2,scatter", "--nestbind-strict", "echo", "never")
            self.check("a strict task does not start without the library", (told.returncode, told.stdout), (78, ""))
        finally:
            self.cluster.write("plugstack.conf", f"optional {self.cluster.plugin}\n")

    def case_strict(self):
        """--nestbind-strict: a program that cannot preload the library is not started, as with nestbind run --strict."""
        static = self.compile("static", os.path.join(HERE, "rank.c"), "-fopenmp", "-static")
        told = self.srun("-n1", "--nestbind=2,scatter", "--nestbind-strict", static)
        self.check("a static program does not start as a strict task",
                   (told.returncode, told.stdout, "static" in told.stderr), (78, "", True))
        told = self.srun("-n1", "--nestbind=2,scatter", static)
        self.check("a static program starts as a usual task", (told.returncode, len(rows(told.stdout)) > 0), (0, True))
        told = self.srun("-n1", "-c2", "--nestbind=2,scatter", "--nestbind-strict", "sh", "-c", "exit 3")
        self.check("a program that can be preloaded starts as a strict task", told.returncode, 3)

    def case_empty(self):
        """An option with an empty value has no effect."""
        told = self.srun("-n1", "--nestbind=", "sh", "-c", 'echo "<$OMP_NESTING_TEAM_SIZE> <$LD_PRELOAD>"')
        self.check("an empty --nestbind= sets no variables", (told.returncode, told.stdout), (0, "<> <>\n"))

    def case_components(self):
        """Slurm keeps one value of the option for all components of a heterogeneous job, so two different values are refused."""
        shown = ("sh", "-c", 'echo "<$OMP_NESTING_TEAM_SIZE>"')
        one, same, two = "--nestbind=2,scatter", "--nestbind= 2, SCATTER", "--nestbind=3,compact"
        all_shown = "srun --het-group=0,1 " + shlex.join(shown)
        script = self.cluster.write("components.sh", f"#!/bin/sh\n{all_shown}\n", 0o755)
        before = self.next_job()
        for first, second in ((one, two), (one, None), (None, one)):
            first, second = ([option] if option else [] for option in (first, second))
            hetjob = "".join(f"#SBATCH {line}\n" for line in (shlex.join(["-n1", *first]), "hetjob", shlex.join(["-n1", *second])))
            for told in (self.srun("-n1", *first, *shown, ":", "-n1", *second, *shown),
                         self.cluster.run("sbatch", "-n1", *first, ":", "-n1", *second, script),
                         self.cluster.run("salloc", "-n1", *first, ":", "-n1", *second, *shown),
                         self.submit(f"#!/bin/sh\n{hetjob}{all_shown}\n")[1]):
                self.check(f"{told.args[0]} refuses different options: {first} : {second}",
                           (told.returncode != 0, told.stdout, "heterogeneous" in told.stderr), (True, "", True))
        self.check("no refused job of two components was submitted", self.next_job(), before)
        told = self.srun("-n1", one, *shown, ":", "-n1", same, *shown)
        self.check("srun accepts the same option for both components", (told.returncode, told.stdout), (0, "<2,scatter>\n" * 2))
        told = self.cluster.run("salloc", "-n1", one, ":", "-n1", same, *shlex.split(all_shown))
        self.check("salloc accepts the same option for both components", (told.returncode, told.stdout), (0, "<2,scatter>\n" * 2))
        told = self.cluster.run("salloc", "-n1", one, "sbatch", "-W", "-n1", "-o", "components.out", ":", "-n1", script)
        self.check("sbatch in salloc accepts the same option for both components", told.returncode, 0)
        if told.returncode == 0:
            self.check("both components of the submitted job have the specification", self.output("components.out"), "<2,scatter>\n" * 2)
        for name, options, text in (("script", (), f"#SBATCH -n1 {one}\n#SBATCH hetjob\n#SBATCH -n1 {one}\n"),
                                    ("script and a command line that wins", (one,), f"#SBATCH -n1 {two}\n#SBATCH hetjob\n#SBATCH -n1\n"),
                                    ("job without any", (), "#SBATCH -n1\n#SBATCH hetjob\n#SBATCH -n1\n")):
            job, told = self.submit(f"#!/bin/sh\n{text}{all_shown}\n", "-o", "components.out", "--open-mode=truncate", *options)
            self.check(f"sbatch accepts components of a {name}", (told.returncode, told.stderr), (0, ""))
            if told.returncode == 0:
                self.wait_for(job, "COMPLETED")
                self.check(f"both components of a {name} run",
                           self.output("components.out"), ("<>\n" if "without" in name else "<2,scatter>\n") * 2)

    def case_export(self):
        """srun does not pass on the user's environment, but the task gets the plugin's variables."""
        told = self.srun("--export=NONE", "-n1", "--nestbind=2,scatter", "/bin/sh", "-c", 'echo "<$OMP_NESTING_TEAM_SIZE> <$LD_PRELOAD>"')
        self.check("--export=NONE keeps our variables", told.stdout, f"<2,scatter> <{self.library}>\n")

    def case_manual(self):
        """Runs the scripts of nestbind-mpi(7) as they are printed."""
        printed = scripts.printed()
        self.check("the manual has at least eight scripts", len(printed) >= 8, True)
        for name, text in printed.items():
            lacking = self.lacking(text)
            if lacking:
                print(f"not run {name}: {lacking}")
                continue
            job, told = self.submit(text, "-o", "manual.out", "-e", "manual.err", "--open-mode=append")
            self.check(f"{name}: sbatch accepts the script", (told.returncode, told.stderr), (0, ""))
            if told.returncode == 0:
                self.check(f"{name}: the job completes", set(self.wait_for(job, "COMPLETED", "FAILED")), {"COMPLETED"})
                self.judge(name, rows(self.output("manual.out")), self.output("manual.err"))
                if "nestbind job" in text:
                    self.check(f"{name}: nestbind job finds no fault", self.output("manual.out").splitlines()[-1],
                               "nothing is wrong: no two ranks share a processor, and all are alike")
                self.check(f"{name}: the job leaves no files", self.left(), [])
                for file in ("manual.out", "manual.err"):
                    os.unlink(self.cluster.path(file))

    def lacking(self, script):
        """Makes mpirun and mpiexec in the script start the right launcher, because Debian may choose another one. Returns what the
        launcher lacks, if anything."""
        wanted = [(name, file) for name, file in LAUNCHERS.items() if re.search(rf"^{name} ", script, re.M)]
        os.makedirs(self.cluster.path("bin"), exist_ok=True)
        for name, file in wanted:
            found = shutil.which(file)
            if found is None:
                return f"there is no {file}"
            if name == "mpiexec" and not has_address():  # it would wait for ever
                return f"the name of this host, {os.uname().nodename}, has no address; a line in /etc/hosts gives one"
            # A script, not a link: MPICH's launcher looks for its other files in its own folder.
            self.cluster.write("bin/" + name, f'#!/bin/sh\nexec {found} "$@"\n', 0o755)
        return ""

    def judge(self, name, found, said):
        threads, ranks = next((wanted for word, wanted in WANTED.items() if word in name), (4, 4))
        self.check(f"{name}: all threads report", len(found), threads)
        self.check(f"{name}: all ranks report", len({row.rank for row in found}), ranks)
        owners = collections.defaultdict(set)
        for row in found:
            # MPICH gives all ranks the variables of the node where the launcher started, so the node follows from the rank's number.
            node = f"n{int(row.rank) // 2}" if "MPICH" in name else row.node
            owners[node, row.cpus].add(row.rank)
        self.check(f"{name}: each thread has a processor of its rank only",
                   [key for key, ranks in owners.items() if "," in key[1] or len(ranks) != 1], [])
        self.check(f"{name}: no message is printed", said, "")

    def case_devices(self):
        """Each task sees its own GPUs of a planned machine, and reads the variable back. A variable of a step wins."""
        machine = device_machines.write("lassen", self.cluster.folder)
        # printenv ends by exit(), unlike a shell, so the library removes the file in which the ranks meet.
        words = ("nestbind", "run", "--devices=gpu", "--machine", machine, "--", "printenv", "CUDA_VISIBLE_DEVICES")
        told = self.srun("-l", "-w", "n0", "-N1", "-n2", "-c1", *words)
        wanted = [f"{local}: {device_machines.uuid(2 * local)},{device_machines.uuid(2 * local + 1)}" for local in (0, 1)]
        self.check("each task has its GPUs", sorted(told.stdout.splitlines()), wanted)
        told = self.srun("-l", "-N2", "-n2", "-c1", *words)
        every = ",".join(map(device_machines.uuid, range(4)))
        self.check("a task that is alone on its node has all", sorted(told.stdout.splitlines()), [f"{task}: {every}" for task in (0, 1)])
        told = self.srun("-l", "-w", "n0", "-N1", "-n2", "-c1", *words, env={"CUDA_VISIBLE_DEVICES": "1,2"})
        self.check("a variable that is set wins", sorted(told.stdout.splitlines()), ["0: 1", "1: 2"])
        self.check("the tasks leave no files", self.left(), [])


def find(folder, name, where=""):
    for place, _, files in os.walk(folder):
        if name in files and (not where or os.path.basename(place) == where):
            return os.path.join(os.path.abspath(place), name)
    raise Unusable(f"no {name} under {folder}")


def find_libm():
    """Returns the path of a library that a test can preload in addition to nestbind."""
    linked = subprocess.run(["gcc", "-print-file-name=libm.so.6"], capture_output=True, encoding="utf-8", check=True)
    return os.path.realpath(linked.stdout.strip())


def interrupted(_number, _frame):
    raise KeyboardInterrupt


def main():
    arguments = running.parser(__doc__, without=("--build", "--all", "--jobs")).parse_args()
    reason = missing()
    try:
        plugin = find(arguments.folder, "libnestbind-slurm.so")
    except Unusable as none:
        reason = reason or f"{none}: slurm/spank.h was not found when it was built"
    if reason:
        print("not run: " + reason)
        return running.SKIPPED
    signal.signal(signal.SIGTERM, interrupted)
    cluster = Cluster(plugin)
    try:
        cluster.start()
        cases = Cases(cluster, arguments.folder)
        cases.prepare()
        for name in [one for one in dir(Cases) if one.startswith("case_")]:
            if not arguments.case or any(text in name for text in arguments.case):
                getattr(cases, name)()
                print(f"     {name[5:]}, {cases.results.seconds():.1f} s from the start", flush=True)
    except Unusable as fault:
        print(f"FAIL {fault}")
        return 1
    finally:
        cluster.stop()
    return cases.results.close()


if __name__ == "__main__":
    sys.exit(main())
