# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind doctor on this machine and on running processes."""
import json
import os
import re
import subprocess
import unittest

from ranks import needs_two
from support import COMMAND, LIBRARY, TestCase, environment, nestbind

# Forks a team for each argument, prints a line for each team, and waits until its input ends.
WAITING = r"""
#include <omp.h>
#include <stdio.h>
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
#pragma omp parallel
#pragma omp master
    puts("forked");
  }
  puts("ready");
  fflush(stdout);
  return getchar() != EOF;
}
"""

# The program creates two threads, one after the other, and each forks a team of two.
POOL = r"""
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static _Atomic int done;
static _Atomic int members;
static void *root(void *argument) {
#pragma omp parallel num_threads(1)
  ++members;
  ++done;
  pause();
  return argument;
}
int main() {
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, root, NULL);
    while (done == i) usleep(1000);
  }
  puts("ready");
  fflush(stdout);
  return getchar() != EOF;
}
"""


def topic(process, name):
    return re.findall(rf"(?m)^{name} +(.*)$", process.stdout)


class Here(TestCase):
    def test_this_machine(self):
        process = nestbind("doctor")
        self.assertStatus(process, 0)
        cpus = os.sched_getaffinity(0)
        self.assertEqual(len(topic(process, "processors")), 1)
        self.assertIn("nestbind doctor PROGRAM", topic(process, "verdict")[0])
        if len(cpus) > 1:
            self.assertRegex(topic(process, "next")[0], r"^nestbind run --report [a-z0-9,]+ -- ./program ")

    def test_a_narrow_mask(self):
        first = min(os.sched_getaffinity(0))
        if os.cpu_count() < 2:
            self.skipTest("one processor")
        process = subprocess.run(["taskset", "-c", str(first), os.environ["NESTBIND_TEST_COMMAND"], "doctor"],
                                 env=environment(), stdout=subprocess.PIPE, encoding="utf-8", check=True)
        self.assertRegex(topic(process, "processors")[0], rf"^{first}, 1 of \d+: ")
        self.assertEqual(topic(process, "next"), ["nothing: there is one processor only"])

    def test_winning_variables_are_shown(self):
        process = nestbind("doctor", env={"OMP_PROC_BIND": "close", "OMP_NUM_THREADS": "3",
                                          "OMP_NESTING_TEAM_SIZE": "2,scater"})
        self.assertStatus(process, 1)
        said = "\n".join(topic(process, "environment"))
        self.assertIn("OMP_PROC_BIND=close: binds too; the specification wins", said)
        self.assertIn("OMP_NUM_THREADS=3: a specification's sizes win", said)
        self.assertIn("did you mean scatter?", process.stdout)
        self.assertEqual(topic(process, "verdict"), ["nothing will be bound"])

    def test_settings_are_shown_for_a_program_too(self):
        process = nestbind("doctor", self.compile("waiting", "-fopenmp", source=WAITING))
        self.assertStatus(process, 0)
        self.assertEqual(len(topic(process, "processors")), 1)


# A member of a team of two asks for three threads, and the program waits.
NESTED = r"""
#include <omp.h>
#include <stdio.h>
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
  __asm__ volatile("");
  puts("ready");
  fflush(stdout);
  return getchar() != EOF;
}
"""


# A library that narrows the initial thread's mask, as an OpenBLAS that was built with affinity does.
NARROWING = r"""
#define _GNU_SOURCE
#include <sched.h>
__attribute__((constructor)) static void narrow(void) {
  cpu_set_t set, one;
  sched_getaffinity(0, sizeof set, &set);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) { CPU_SET(cpu, &one); break; }
  sched_setaffinity(0, sizeof one, &one);
}
"""

# A process and its child fork teams for some time, until each knows that the other is there. The child begins later.
TREE = r"""
#include <stdio.h>
#include <unistd.h>
int main(void) {
  if (fork() == 0) sleep(1);
  for (int i = 0; i < 300; ++i) {
#pragma omp parallel num_threads(2)
    usleep(10000);
  }
  puts("ready");
  fflush(stdout);
  return getchar() != EOF;
}
"""


class Running(TestCase):
    @needs_two
    def test_who_has_narrowed_the_mask(self):
        library = self.compile("libnarrowing.so", "-shared", "-fPIC", source=NARROWING)
        for who, options in (("libnarrowing.so", ["-Wl,--no-as-needed", library]), ("the program", [self.file("narrowing.c", NARROWING)])):
            program = self.compile("waiting-" + who.replace(" ", "-"), "-fopenmp", *options, source=WAITING)
            for spec, word in (("4,scatter", "core,scatter"), ("core,scatter", "")):
                env = {"LD_PRELOAD": LIBRARY, "OMP_NESTING_TEAM_SIZE": spec, "NESTBIND_PUBLISH": self.folder, "NESTBIND_REPORT": "text"}
                with self.subTest(who=who, spec=spec), subprocess.Popen([program, "fork"], env=environment(**env), stdin=subprocess.PIPE,
                                                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                                                        encoding="utf-8") as running:
                    while running.stdout.readline() not in ("ready\n", ""):
                        pass
                    told = nestbind("doctor", "--pid", str(running.pid), env={"NESTBIND_PUBLISH": self.folder})
                    said = running.communicate()[1]
                    if word:
                        self.assertRegex(topic(told, "mask")[0], rf"^{who} .* \d+ ms ")
                        self.assertRegex(said, rf"(?m)^nestbind: warning: 4 threads share 1 slot: {who} .*{word}")
                    self.assertRegex(said, rf"(?m)^nestbind: {who} has narrowed the process's mask to processor")

    def test_sizes_that_nestbind_says_are_not_the_user_s(self):
        program = self.compile("waiting", "-fopenmp", source=WAITING)
        with subprocess.Popen([COMMAND, "run", "2,scatter", "--", program, "fork"], env=environment(), stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, encoding="utf-8") as running:
            while running.stdout.readline() not in ("ready\n", ""):
                pass
            told = topic(nestbind("doctor", "--pid", str(running.pid)), "environment")
            running.stdin.close()
        self.assertFalse([line for line in told if line.startswith("OMP_")], told)

    @needs_two
    def test_a_process_of_a_tree(self):
        program = self.compile("tree", "-fopenmp", source=TREE)
        env = {"LD_PRELOAD": LIBRARY, "OMP_NESTING_TEAM_SIZE": "2,scatter", "NESTBIND_ROOTS": "divide", "NESTBIND_PUBLISH": self.folder}
        with subprocess.Popen([program], env=environment(**env), stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as running:
            ready = {running.stdout.readline(), running.stdout.readline()}
            told = nestbind("doctor", "--pid", str(running.pid), env={"NESTBIND_PUBLISH": self.folder})
            shown = nestbind("top", "--once", "--format", "json", str(running.pid), env={"NESTBIND_PUBLISH": self.folder})
            running.stdin.close()
        self.assertEqual(ready, {"ready\n"})
        self.assertRegex(topic(told, "tree")[0], r"^process [01] of 2 ")
        self.assertEqual(json.loads(shown.stdout)["processes"][0]["tree"]["of"], 2)

    def test_nesting_that_is_off(self):
        program = self.compile("nested", "-fopenmp", source=NESTED)
        for spec, lines in (("auto", 1), ("2,scatter,3,subcompact", 0)):
            env = {"LD_PRELOAD": LIBRARY, "OMP_NESTING_TEAM_SIZE": spec, "NESTBIND_PUBLISH": self.folder, "NESTBIND_QUIET": "1"}
            with self.subTest(spec), subprocess.Popen([program], env=environment(**env), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                      encoding="utf-8") as running:
                self.assertEqual(running.stdout.readline(), "ready\n")
                told = topic(nestbind("doctor", "--pid", str(running.pid), env={"NESTBIND_PUBLISH": self.folder}), "nesting")
                running.stdin.close()
                self.assertEqual(len(told), lines)
                self.assertTrue(all("level 2 asked for 3 " in line and "OMP_MAX_ACTIVE_LEVELS=2" in line for line in told), told)

    def examine(self, forks, meanwhile=None, **variables):
        program = self.compile("waiting", "-fopenmp", source=WAITING)
        with subprocess.Popen([program] + ["fork"] * forks, env=environment(**variables), stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, encoding="utf-8") as running:
            while running.stdout.readline() not in ("ready\n", ""):
                pass
            if meanwhile is not None:
                meanwhile(running.pid)
            process = nestbind("doctor", "--pid", str(running.pid))
            running.stdin.close()
            running.stdout.read()
        self.assertEqual(running.returncode, 0)
        return process

    def test_bound(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one processor")
        process = self.examine(1, LD_PRELOAD=LIBRARY, OMP_NESTING_TEAM_SIZE="2,scatter", OMP_PLACES="cores")
        self.assertStatus(process, 0)
        self.assertIn("libnestbind.so", topic(process, "nestbind")[0])
        self.assertIn("GCC's, ", topic(process, "runtime")[0])
        self.assertEqual(topic(process, "specification"), ["OMP_NESTING_TEAM_SIZE=2,scatter"])
        self.assertIn("OMP_PLACES=cores: binds too; the specification wins", topic(process, "environment"))
        self.assertFalse([line for line in topic(process, "environment") if "LD_PRELOAD" in line])
        self.assertIn("2 of 2 threads have a mask of their own", topic(process, "verdict")[0])
        cpus = sorted(os.sched_getaffinity(0))
        self.assertEqual(len(topic(process, "threads")), 2)
        for line in topic(process, "threads"):
            self.assertRegex(line, r"^on \d+: thread \d+ \(")
        self.assertTrue(topic(process, "threads")[0].startswith(f"on {cpus[0]}: "))

    def test_roots(self):
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) != 2:
            self.skipTest("not two processors")
        program = self.compile("pool", "-fopenmp", "-pthread", source=POOL)
        env = {"LD_PRELOAD": LIBRARY, "OMP_NESTING_TEAM_SIZE": "1,scatter", "NESTBIND_ROOTS": "2", "NESTBIND_PUBLISH": self.folder}
        with subprocess.Popen([program], env=environment(**env), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, encoding="utf-8") as running:
            self.assertEqual(running.stdout.readline(), "ready\n")
            told = nestbind("doctor", "--pid", str(running.pid), env={"NESTBIND_PUBLISH": self.folder})
            table = nestbind("top", "--once", str(running.pid), env={"NESTBIND_PUBLISH": self.folder})
            running.stdin.close()
        for root, cpu in enumerate(cpus):
            self.assertEqual(topic(told, f"root {root}"), [f"thread 0 on {cpu}"])
            self.assertRegex(table.stdout, rf"(?m)^root {root}, 0 +\d+ +{cpu} +{cpu} ")

    def test_other_processes_on_the_same_processors_are_reported(self):
        program = self.compile("waiting", "-fopenmp", source=WAITING)
        cpus = sorted(os.sched_getaffinity(0))[:2]
        env = environment(LD_PRELOAD=LIBRARY, OMP_NESTING_TEAM_SIZE="2,scatter", NESTBIND_PUBLISH=self.folder)
        rank = {"OMPI_COMM_WORLD_LOCAL_RANK": "0", "OMPI_COMM_WORLD_LOCAL_SIZE": "1"}
        running = []
        for extra in ({}, {}, rank):
            process = subprocess.Popen([program, "fork"], env={**env, **extra}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       encoding="utf-8")
            running.append(process)
            while process.stdout.readline() not in ("ready\n", ""):
                pass
        one, other, _ = running
        told = nestbind("doctor", "--pid", str(one.pid), env={"NESTBIND_PUBLISH": self.folder})
        here = nestbind("doctor", env={"NESTBIND_PUBLISH": self.folder})
        for process in running:
            process.communicate()
        where = "-".join(map(str, cpus)) if len(cpus) == 2 and cpus[1] == cpus[0] + 1 else ",".join(map(str, cpus))
        line = "process {} ({} fork) also has 2 threads on {} bound there"
        self.assertEqual(topic(told, "others"), [line.format(other.pid, program, where)])
        self.assertEqual(sorted(topic(here, "others")), sorted(line.format(process.pid, program, where) for process in (one, other)))
        self.assertEqual(topic(nestbind("doctor", env={"NESTBIND_PUBLISH": self.folder}), "others"), [])

    def test_lost_binding_is_reported(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one processor")

        def widen(pid):
            for thread in os.listdir(f"/proc/{pid}/task"):
                os.sched_setaffinity(int(thread), os.sched_getaffinity(0))

        process = self.examine(1, widen, LD_PRELOAD=LIBRARY, OMP_NESTING_TEAM_SIZE="2,scatter")
        self.assertRegex(topic(process, "verdict")[0], r"^not bound now: .*taskset -a")

    def test_obstacles_are_reported(self):
        process = self.examine(1)
        self.assertStatus(process, 1)
        self.assertRegex(topic(process, "problem")[0], r"not started by nestbind run.*nestbind run -- /\S+$")
        process = self.examine(1, LD_PRELOAD=LIBRARY)
        self.assertStatus(process, 0)
        self.assertIn("started without a specification", topic(process, "verdict")[0])
        process = self.examine(0, LD_PRELOAD=LIBRARY, OMP_NESTING_TEAM_SIZE="2,scatter")
        self.assertStatus(process, 0)
        self.assertIn("not bound yet", topic(process, "verdict")[0])

    def test_refused(self):
        process = nestbind("doctor", "--pid", "2147483646")
        self.assertStatus(process, 1)
        self.assertIn("there is no process 2147483646", process.stderr)
        with subprocess.Popen(["true"]) as ended:
            os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
            process = nestbind("doctor", "--pid", str(ended.pid))
        self.assertStatus(process, 1)
        self.assertIn(f"there is no process {ended.pid}", process.stderr)
        for value in ("0", "-1", "x"):
            self.assertStatus(nestbind("doctor", "--pid", value), 2)
        self.assertStatus(nestbind("doctor", "--pid", "1", "true"), 2)


if __name__ == "__main__":
    unittest.main()
