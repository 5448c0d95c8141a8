# SPDX-License-Identifier: BSD-3-Clause
"""Starts ranks as a launcher does: processes with a launcher's variables."""
import json
import os
import shutil
import subprocess
import time
import unittest

import support
from support import LIBRARY, SESSION, TestCase, machine

CPUS = sorted(os.sched_getaffinity(0))
needs_two = unittest.skipIf(len(CPUS) < 2, "one processor cannot be divided")
needs_strace = unittest.skipIf(shutil.which("strace") is None, "there is no strace")
BARCELONA = machine("barcelona")
# The ranks of these tests meet in this folder, so other programs of the user cannot disturb them.
FOLDER = os.path.join(SESSION, "meeting")
os.mkdir(FOLDER)
PREFIX = "nestbind-ranks-"

# The program prints omp_get_max_threads() before the first fork. Then it prints each thread's mask, for example "max 2;0.0=0,1;0.1=2". Two
# arguments are the milliseconds to wait before and after the first fork. The third argument is a command that runs at the end.
PROGRAM = r"""
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
  const int most = omp_get_max_threads();
  if (count > 1) usleep(1000 * atoi(words[1]));
  printf("max %d", most);
#pragma omp parallel
#pragma omp parallel
  {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
#pragma omp critical
    {
      printf(";%d.%d=", omp_get_ancestor_thread_num(1), omp_get_thread_num());
      for (int cpu = 0, some = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set)) printf(some++ ? ",%d" : "%d", cpu);
    }
  }
  printf("\n");
  fflush(stdout);
  if (count > 2) usleep(1000 * atoi(words[2]));
  return count > 3 ? system(words[3]) : 0;
}
"""


def environment(**extra):
    return support.environment(**{"NESTBIND_PUBLISH": FOLDER, **extra})


def open_mpi(local, of, job):
    return {"OMPI_COMM_WORLD_LOCAL_RANK": str(local), "OMPI_COMM_WORLD_LOCAL_SIZE": str(of), "OMPI_COMM_WORLD_RANK": str(local),
            "PMIX_NAMESPACE": job}


def mpich(local, of, _):
    return {"MPI_LOCALRANKID": str(local), "MPI_LOCALNRANKS": str(of), "PMI_RANK": str(local)}


def intel_mpi(local, of, job):
    return {**mpich(local, of, job), "I_MPI_HYDRA_UUID": "d74d0000-a861-f957-5961-0600c984b456"}


def slurm(local, of, job):
    return {"SLURM_LOCALID": str(local), "SLURM_STEP_TASKS_PER_NODE": f"{of}(x2)", "SLURM_NODEID": "1", "SLURM_STEP_ID": "0",
            "SLURM_JOB_ID": job, "SLURM_PROCID": str(local + of)}


def pals(local, of, job):
    return {"PALS_LOCAL_RANKID": str(local), "PALS_LOCAL_SIZE": str(of), "PALS_RANKID": str(local), "PALS_APID": job}


def jsrun(local, of, job):
    return {"JSM_NAMESPACE_LOCAL_RANK": str(local), "JSM_NAMESPACE_LOCAL_SIZE": str(of), "PMIX_NAMESPACE": job}


LAUNCHERS = {"Open MPI": open_mpi, "MPICH": mpich, "Intel MPI": intel_mpi, "Slurm": slurm, "PALS": pals, "jsrun": jsrun}
_jobs = iter(range(1, 1000000))


def new_job():
    return f"test-{os.getpid()}-{next(_jobs)}"


def files():
    return sorted(name for name in os.listdir(FOLDER) if name.startswith(PREFIX))


class Job:
    """A context manager that starts `of` ranks of one job, and ends all of them."""

    def __init__(self, folder, words, of, spec="2,scatter", launcher=open_mpi, job=None, machine=None, env=None, cpus=None,
                 report=True, before=(), only=None, preload=LIBRARY):
        self.folder, self.words, self.of, self.spec, self.launcher = folder, words, of, spec, launcher
        self.job = job or new_job()
        self.machine, self.env, self.cpus, self.report, self.before = machine, env or {}, cpus or {}, report, list(before)
        self.only = range(of) if only is None else only
        self.preload = preload
        self.processes = {}

    def start(self, local):
        env = {**self.launcher(local, self.of, self.job), "OMP_NESTING_TEAM_SIZE": self.spec, "LD_PRELOAD": self.preload,
               "OMP_WAIT_POLICY": "passive", **self.env}
        if self.machine:
            env["NESTBIND_MACHINE"] = self.machine
        if self.report:
            env["NESTBIND_REPORT"] = "json:" + self.name(local)
        cpus = self.cpus.get(local)
        # env itself must not be a rank, so env sets LD_PRELOAD for the program.
        words = [*self.before, *(["taskset", "-c", cpus] if cpus else []), *self.words]
        wrapped = ["env", *(f"{key}={value}" for key, value in env.items()), *words]
        self.processes[local] = subprocess.Popen(wrapped, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                                 stderr=subprocess.PIPE, encoding="utf-8")

    def name(self, local):
        return os.path.join(self.folder, f"report.{self.job}.{local}")

    def __enter__(self):
        for local in self.only:
            self.start(local)
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
            process.communicate()

    def end(self):
        """Waits for the ends of the ranks, and returns the output and the messages of each rank."""
        told = {local: process.communicate(timeout=100) for local, process in self.processes.items()}
        for local, process in self.processes.items():
            assert process.returncode == 0, (local, process.returncode, told[local])
        return told

    def reports(self):
        """Returns the objects in the report of each rank, after end()."""
        found = {}
        for local in self.only:
            with open(self.name(local), encoding="utf-8") as file:
                found[local] = [json.loads(line) for line in file]
        return found

    def parts(self):
        return {local: teams[0]["part"] for local, teams in self.reports().items()}


def masks(output):
    """Returns the size from the runtime, and each thread's processors."""
    first, *threads = output.strip().split(";")
    return int(first.split()[1]), {path: [int(cpu) for cpu in cpus.split(",")] for path, cpus in (one.split("=") for one in threads)}


def await_that(holds, seconds=20):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.01)


def by_hand(local, of, _):
    return {"NESTBIND_RANKS": f"{local}/{of}"}


class RanksTest(TestCase):
    def setUp(self):
        self.left = files()

    def tearDown(self):
        self.assertEqual([name for name in files() if name not in self.left], [])

    def program(self, compiler="gcc"):
        return self.compile("program-" + compiler, "-fopenmp", source=PROGRAM, compiler=compiler)

    def job(self, of, *words, **keywords):
        return Job(self.folder, [self.program(keywords.pop("compiler", "gcc")), *map(str, words)], of, **keywords)

    def parts(self, job):
        with job:
            job.end()
            return job.parts()
