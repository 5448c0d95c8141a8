# SPDX-License-Identifier: BSD-3-Clause
"""If ranks of a node have the same processors, they divide these processors, whatever launcher has started them."""
import json
import os
import shutil
import subprocess
import time
import unittest

from ranks import BARCELONA, CPUS, LAUNCHERS, Job, RanksTest, by_hand, environment, masks, mpich, needs_two, open_mpi
from support import COMMAND, machine, nestbind


# The program creates threads that each fork a team at the same time.
ROOTS = r"""
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
static pthread_barrier_t all;
static void tell(void) {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
#pragma omp critical
  {
    for (int cpu = 0, some = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &set)) printf(some++ ? ",%d" : "%d", cpu);
    printf("\n");
  }
}
static void *run(void *nothing) {
  pthread_barrier_wait(&all);
#pragma omp parallel num_threads(2)
  tell();
  pthread_barrier_wait(&all);
  return nothing;
}
int main(void) {
  pthread_t threads[8];
  pthread_barrier_init(&all, 0, 8);
  for (int i = 0; i < 8; ++i) pthread_create(threads + i, 0, run, 0);
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], 0);
}
"""

# Binds itself to the processors in the argument of its rank, as MPI_Init may do. Rank 0 forks first.
NARROWING = r"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **words) {
  const int rank = atoi(getenv("OMPI_COMM_WORLD_LOCAL_RANK"));
  cpu_set_t set;
  CPU_ZERO(&set);
  for (char *cpu = strtok(words[1 + rank], ","); cpu; cpu = strtok(0, ",")) CPU_SET(atoi(cpu), &set);
  sched_setaffinity(0, sizeof set, &set);
  usleep(rank == 0 ? 500000 : 1000000);
#pragma omp parallel num_threads(2)
  usleep(count);
  usleep(rank == 0 ? 1000000 : 0);
}
"""


class Divided(RanksTest):
    def test_each_launcher(self):
        for name, launcher in LAUNCHERS.items():
            with self.subTest(launcher=name):
                parts = self.parts(self.job(4, 500, spec="2,scatter,2,subcompact", launcher=launcher, machine=BARCELONA))
                self.assertEqual({local: part["cpus"] for local, part in parts.items()},
                                 {local: list(range(4 * local, 4 * local + 4)) for local in range(4)})
                self.assertIn("ranks 0-3 ", parts[1].pop("why"))
                self.assertEqual(parts[1], {"local": 1, "of": 4, "by": name, "kind": "divided", "cpus": [4, 5, 6, 7]})

    def test_text(self):
        with self.job(2, 500, machine=BARCELONA, report=False, env={"NESTBIND_REPORT": "text"}) as job:
            told = job.end()
        self.assertRegex(told[1][1], r"(?m)^nestbind: .* 1 of 2 \(Open MPI\).* 8-15.*: ranks 0-1 ")

    def test_places_agree_with_the_plan(self):
        for of, spec in ((1, "2,scatter,2,subcompact"), (2, "numa,scatter,core,subcompact"), (3, "numa,scatter,core,subcompact"),
                         (4, "2,scatter,2,scatter"), (5, "2,scatter"), (8, "2,scatter,2,subcompact")):
            with self.subTest(of=of, spec=spec), self.job(of, 300, spec=spec, machine=BARCELONA) as job:
                job.end()
                planned = json.loads(nestbind("plan", "--ranks", str(of), "--format", "json", "--machine", BARCELONA, spec).stdout)
                for local, teams in job.reports().items():
                    seen = {tuple(thread["path"]): thread["cpus"] for team in teams if team["level"] == spec.count(",") // 2 + 1
                            for thread in team["threads"] if thread["bound"]}
                    wanted = {tuple(thread["path"]): thread["cpus"] for thread in planned["ranks"][local]["plan"]["threads"]
                              if thread["bound"]}
                    self.assertEqual(seen, wanted)

    @needs_two
    def test_kernel_masks(self):
        for compiler in ("gcc", "clang-19"):
            if shutil.which(compiler) is None:
                continue
            with self.subTest(compiler=compiler), self.job(2, 100, compiler=compiler, cpus={0: "0,1", 1: "0,1"}) as job:
                for local, (output, _) in job.end().items():
                    size, threads = masks(output)
                    self.assertEqual(size, 2)
                    self.assertEqual({tuple(cpus) for path, cpus in threads.items()}, {(local,)})

    @needs_two
    def test_other_threads_of_the_program(self):
        # The threads exist before the ranks divide the processors. nestbind plans teams only for one of the threads.
        for compiler in ("gcc", "clang-19"):
            if shutil.which(compiler) is None:
                continue
            roots = self.compile("roots-" + compiler, "-fopenmp", source=ROOTS, compiler=compiler)
            with self.subTest(compiler=compiler), Job(self.folder, [roots], 2, cpus={0: "0,1", 1: "0,1"}) as job:
                for local, (output, _) in job.end().items():
                    self.assertEqual(output.split(), [str(local)] * 16)

    @needs_two
    def test_words_count_in_the_part(self):
        with self.job(2, 300, spec="core,scatter", cpus={0: "0,1", 1: "0,1"}) as job:
            told = job.end()
        # If the other rank has not started yet, the size is for both processors.
        for local, (output, _) in told.items():
            size, threads = masks(output)
            self.assertIn(size, (1, 2))
            self.assertEqual(list(threads), ["0.0"])

    @needs_two
    def test_ranks_with_own_masks(self):
        with self.job(2, 500, cpus={0: "0", 1: "1"}) as job:
            told = job.end()
            self.assertEqual({part["kind"] for part in job.parts().values()}, {"own mask"})
        self.assertEqual({cpu for cpus in masks(told[1][0])[1].values() for cpu in cpus}, {1})
        self.assertNotIn("overlap", told[0][1] + told[1][1])

    @needs_two
    def test_small_mask_is_reported_once_with_advice(self):
        bound = {local: str(CPUS[local]) for local in (0, 1)}
        words = {"Open MPI": "mpirun --bind-to none", "MPICH": "mpiexec -bind-to none", "Intel MPI": "I_MPI_PIN=off",
                 "PALS": "mpiexec --cpu-bind none", "jsrun": "jsrun --bind none", "Slurm": "srun --cpus-per-task"}
        self.assertEqual(set(words), set(LAUNCHERS))
        few = "nestbind: warning: 2 threads share 1 slot: this rank was started with 1 processor"
        for name, launcher in LAUNCHERS.items():
            with self.subTest(launcher=name), self.job(2, 500, launcher=launcher, cpus=bound) as job:
                self.assertEqual("".join(errors for _, errors in job.end().values()), f"{few}; for more: {words[name]}\n")
        with self.job(1, launcher=open_mpi, cpus=bound) as job:
            self.assertEqual(job.end()[0][1], few + "; for more: mpirun --bind-to none\n")
        with self.job(2, 500, launcher=by_hand, cpus=bound) as job:
            self.assertEqual("".join(errors for _, errors in job.end().values()), few + "\n")

    @needs_two
    def test_divided_ranks_of_one_thread_are_not_unbound(self):
        """A rank that forks no team of two still runs in its part, so nestbind must not say that it bound nothing."""
        running = [subprocess.Popen([COMMAND, "run", "--", self.program(), "500", "500"], env=environment(**mpich(local, 2, ""), OMP_NUM_THREADS="1"),
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") for local in (0, 1)]
        told = [process.communicate(timeout=30) for process in running]
        self.assertEqual([errors for _, errors in told], ["", ""])
        self.assertEqual([sorted(masks(output)[1]["0.0"]) for output, _ in told], [[CPUS[0]], [CPUS[1]]])

    def test_all_processors_are_never_a_small_mask(self):
        if len(CPUS) < os.cpu_count():
            self.skipTest("not all processors may be used")
        threads = 2 * len(CPUS)
        with self.job(1, spec=f"{threads},scatter") as job:
            slots = "1 slot" if len(CPUS) == 1 else f"{len(CPUS)} slots"
            self.assertEqual(job.end()[0][1], f"nestbind: warning: {threads} threads share {slots}\n")

    @needs_two
    def test_partly_overlapping_masks(self):
        with self.job(3, 500, cpus={0: "0", 1: "0,1", 2: "0,1"}) as job:
            told = job.end()
            parts = job.parts()
        self.assertEqual(parts[0]["kind"], "own mask")
        self.assertRegex(parts[0]["why"], "^it overlaps the mask of rank [12] in part$")
        self.assertEqual([parts[local]["cpus"] for local in (1, 2)], [[0], [1]])
        errors = "".join(errors for _, errors in told.values())
        self.assertEqual(errors.count("overlap in part"), 1)

    @needs_two
    def test_masks_that_mpi_init_narrows_do_not_overlap(self):
        """MPI_Init binds each rank to its own processors. The first rank that forks knows only the other's mask at its start."""
        narrowing = self.compile("narrowing", "-fopenmp", source=NARROWING)
        for cpus, overlap in (("0", "1"), 0), (("0", "0,1"), 1):
            with self.subTest(cpus=cpus), Job(self.folder, [narrowing, *cpus], 2) as job:
                errors = "".join(errors for _, errors in job.end().values())
                self.assertEqual(errors.count("overlap in part"), overlap, errors)

    def test_small_part_is_reported_once(self):
        with self.job(4, 100, spec="4,scatter,2,subcompact", machine=BARCELONA) as job:
            told = job.end()
        self.assertEqual("".join(errors for _, errors in told.values()),
                         "nestbind: warning: a rank's part of the processors is too small: 8 threads share 4 slots\n")

    def test_more_ranks_than_processors_are_reported_once(self):
        with self.job(4, 500, spec="1,scatter", machine="pack:1 core:2 pu:1") as job:
            told = job.end()
        self.assertEqual("".join(errors for _, errors in told.values()),
                         "nestbind: warning: a rank's part of the processors is too small: 4 ranks share 2 processors\n")

    @needs_two
    def test_small_masks_are_reported_once_together(self):
        with self.job(4, 500, cpus={local: str(local % 2) for local in range(4)}) as job:
            told = job.end()
            self.assertIn("ranks 1,3 ", job.parts()[3]["why"])
        self.assertEqual("".join(errors for _, errors in told.values()),
                         "nestbind: warning: a rank's part of the processors is too small: 2 ranks share 1 processor\n")

    def test_many_ranks_with_late_ranks(self):
        of = 64
        with self.job(of, machine="pack:4 core:32 pu:1", only=[], report=False, env={"NESTBIND_REPORT": "json"}) as job:
            for local in range(of):
                if local % 3 != 0:
                    job.start(local)
            time.sleep(0.3)
            for local in range(0, of, 3):
                job.start(local)
            for local, (_, errors) in job.end().items():
                team = json.loads([line for line in errors.splitlines() if line.startswith("{")][0])
                self.assertEqual([thread["cpus"] for thread in team["threads"]], [[2 * local], [2 * local + 1]])

    @needs_two
    def test_late_rank_gets_no_used_processor(self):
        with self.job(2, 0, 1500, only=[0], cpus={0: "0,1", 1: "0,1"}) as job:
            time.sleep(0.6)
            job.start(1)
            told = job.end()
        seen = [{cpu for cpus in masks(output)[1].values() for cpu in cpus} for output, _ in told.values()]
        self.assertEqual(seen, [{0}, {1}])

    def test_no_rank_waits_long(self):
        begun = time.monotonic()
        with self.job(2, only=[1], machine=BARCELONA) as job:
            job.end()
            self.assertRegex(job.parts()[1]["why"], "^ranks 0-1 [^;]*; 1 [^;]*$")
        self.assertLess(time.monotonic() - begun, 30)


class Said(RanksTest):
    def test_shared(self):
        parts = self.parts(self.job(2, machine=BARCELONA, env={"NESTBIND_RANKS": "shared"}))
        self.assertEqual((parts[1]["kind"], parts[1]["cpus"]), ("shared", None))

    def test_by_hand(self):
        def flux(local, of, job):
            return {"NESTBIND_RANKS": f"{local}/{of}", "FLUX_TASK_LOCAL_ID": str(local), "FLUX_JOB_ID": job}

        for launcher in (by_hand, flux):
            parts = self.parts(self.job(2, 500, launcher=launcher, machine=BARCELONA))
            self.assertEqual([part["cpus"] for part in parts.values()], [list(range(8)), list(range(8, 16))])
            self.assertEqual(parts[1]["by"], "NESTBIND_RANKS")
            self.assertIn("ranks 0-1 ", parts[1]["why"])

    def test_by_hand_each_rank_has_its_own_file(self):
        name = os.path.join(self.folder, "by-hand-%r")
        with self.job(2, 500, launcher=by_hand, machine=BARCELONA, report=False, env={"NESTBIND_REPORT": "json:" + name}) as job:
            job.end()
        for local in range(2):
            with open(name.replace("%r", str(local)), encoding="utf-8") as file:
                team = json.loads(file.readline())
            self.assertEqual((team["rank"], team["part"]["local"]), (None, local))

    def test_bad_values(self):
        for value in ("x", "2/2", "/2", "1/", "-1/2", "0/2 ", "0/1/2", "0/9999999"):
            process = nestbind("run", "2,scatter", "--", "true", env={"NESTBIND_RANKS": value})
            self.assertStatus(process, 2)
            self.assertIn("NESTBIND_RANKS", process.stderr)

    def test_unknown_number_of_ranks(self):
        def flux(local, _, job):
            return {"FLUX_TASK_LOCAL_ID": str(local), "FLUX_JOB_ID": job, "FLUX_TASK_RANK": str(local)}

        with self.job(3, launcher=flux, machine=BARCELONA) as job:
            told = job.end()
            parts = job.parts()
        self.assertEqual({(part["kind"], part["local"], part["of"]) for part in parts.values()}, {("not told", None, None)})
        self.assertEqual("".join(errors for _, errors in told.values()),
                         "nestbind: warning: Flux does not say how many ranks are on this node, so they do not divide it; set "
                         "NESTBIND_RANKS=LOCAL/OF\n")

    def test_unknown_launcher(self):
        with self.job(2, launcher=lambda local, *_: {"PMIX_RANK": str(local)}, machine=BARCELONA) as job:
            told = job.end()
            parts = job.parts()
        self.assertEqual({(part["kind"], part["by"]) for part in parts.values()}, {("not told", "an unknown launcher")})
        self.assertEqual([errors.count("does not say how many ranks are on this node") for _, errors in told.values()], [1, 0])

    def test_alone(self):
        parts = self.parts(self.job(1, machine=BARCELONA))
        self.assertEqual((parts[0]["kind"], parts[0]["of"]), ("alone", 1))

    def test_process_without_a_rank(self):
        for variables in ({}, {"SLURM_LOCALID": "0", "SLURM_NODEID": "0", "SLURM_PROCID": "0", "SLURM_TASKS_PER_NODE": "2(x2)",
                               "SLURM_JOB_ID": "7"}):
            with self.job(1, machine=BARCELONA, launcher=lambda *_, said=variables: said) as job:
                job.end()
                self.assertNotIn("part", job.reports()[0][0])


if __name__ == "__main__":
    unittest.main()
