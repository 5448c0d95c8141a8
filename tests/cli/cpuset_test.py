# SPDX-License-Identifier: BSD-3-Clause
"""Tests that teams follow a cpuset that grows, with a real program in a cgroup that the test makes. A node of Kubernetes grows cpusets when
another pod ends."""
import os
import subprocess
import unittest

from support import COMMAND, TestCase, environment

PROGRAM = r"""
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static void show(void) {
  int first[2] = {-1, -1};
#pragma omp parallel num_threads(2)
  {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask);
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0; --cpu) {
      if (CPU_ISSET(cpu, &mask)) first[omp_get_thread_num()] = cpu;
    }
  }
  printf("%d %d\n", first[0], first[1]);
  fflush(stdout);
}

int main(void) {
  show();
  int lines = 0;
  for (; getchar() != EOF; ++lines) {
    for (int i = 0; i < 25; ++i) {
      usleep(100000);
#pragma omp parallel num_threads(2)
      __asm__ volatile("");
    }
    show();
  }
  return lines == 0 ? 2 : 0;
}
"""

VERSION_2 = os.path.exists("/sys/fs/cgroup/cgroup.controllers")
TOP = "/sys/fs/cgroup" if VERSION_2 else "/sys/fs/cgroup/cpuset"


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


class Cpuset(TestCase):
    def setUp(self):
        super().setUp()
        self.cpus = sorted(os.sched_getaffinity(0))[:2]
        if len(self.cpus) < 2:
            self.skipTest("one processor")
        self.group = os.path.join(TOP, f"nestbind-{os.getpid()}")
        try:
            if VERSION_2:
                write(os.path.join(TOP, "cgroup.subtree_control"), "+cpuset")
            os.mkdir(self.group)
            self.addCleanup(os.rmdir, self.group)
            with open(os.path.join(TOP, "cpuset.mems.effective" if VERSION_2 else "cpuset.mems"), encoding="ascii") as file:
                write(os.path.join(self.group, "cpuset.mems"), file.read())
            self.set_processors(self.cpus[:1])
        except OSError as error:
            self.skipTest(f"no cpuset can be made by hand here: {error}")

    def set_processors(self, cpus):
        write(os.path.join(self.group, "cpuset.cpus"), ",".join(map(str, cpus)))

    def test_teams_follow_a_cpuset_that_grows(self):
        program = self.compile("grown", "-fopenmp", source=PROGRAM)
        inside = ["sh", "-c", f'echo $$ >{self.group}/cgroup.procs && exec "$@"', "sh"]
        one, two = self.cpus
        for spec in ("auto", "2,scatter"):
            self.set_processors([one])
            with self.subTest(spec), subprocess.Popen([*inside, COMMAND, "run", spec, "--", program], env=environment(NESTBIND_QUIET="1"),
                                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as running:
                self.assertEqual(running.stdout.readline(), f"{one} {one}\n")
                self.set_processors([one, two])
                out, _ = running.communicate("\n")
                self.assertEqual((out, running.returncode), (f"{one} {two}\n", 0))


class Outside(TestCase):
    def test_a_mask_that_another_process_gives_back(self):
        """LLVM's runtime sets the initial thread's mask when it starts. taskset may later set the same mask."""
        one, two = (sorted(os.sched_getaffinity(0)) * 2)[:2]
        if one == two:
            self.skipTest("one processor")
        for compiler in ("gcc", "clang-19"):
            program = self.compile("given-back-" + compiler, "-fopenmp", source=PROGRAM, compiler=compiler)
            with self.subTest(compiler), subprocess.Popen([COMMAND, "run", "2,scatter", "--", program], env=environment(NESTBIND_QUIET="1"),
                                                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as running:
                seen = [running.stdout.readline()]
                for cpus in ({two}, {one, two}):
                    os.sched_setaffinity(running.pid, cpus)
                    running.stdin.write("\n")
                    running.stdin.flush()
                    seen.append(running.stdout.readline())
                running.stdin.close()
                self.assertEqual(seen, [f"{one} {two}\n", f"{two} {two}\n", f"{one} {two}\n"])


if __name__ == "__main__":
    unittest.main()
