# SPDX-License-Identifier: BSD-3-Clause
"""Tests the CPU quota of a cgroup, with real programs in groups that the test makes, as in a container."""
import contextlib
import json
import os
import subprocess
import unittest

import ranks
from support import COMMAND, TestCase, environment, in_namespace, nestbind

PERIOD = 100000
FOUND = os.path.join("/sys/fs/cgroup", "cgroup.controllers")
IS_SECOND = os.path.exists(FOUND) and "cpu" in open(FOUND, encoding="ascii").read().split()
TOP = "/sys/fs/cgroup" if IS_SECOND else "/sys/fs/cgroup/cpu"

# Prints the runtime's answers before the first fork, and the sizes of two levels.
PROGRAM = r"""
#include <omp.h>
#include <stdio.h>
int main(void) {
  const int most = omp_get_max_threads();
  int outer = 0, inner = 0;
#pragma omp parallel
  {
#pragma omp single
    outer = omp_get_num_threads();
#pragma omp parallel
#pragma omp single
    if (omp_get_ancestor_thread_num(1) == 0) inner = omp_get_num_threads();
  }
  printf("%d %d %d\n", most, outer, inner);
  return 0;
}
"""


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


class Group:
    """A cgroup. `processors` is its quota, or None if it has no limit."""

    def __init__(self, name, processors=None):
        self.path = os.path.join(TOP, name)
        os.mkdir(self.path)
        if processors is not None:
            time = int(processors * PERIOD)
            write(os.path.join(self.path, "cpu.max" if IS_SECOND else "cpu.cfs_quota_us"), f"{time} {PERIOD}" if IS_SECOND else str(time))

    def inside(self, name, processors=None):
        if IS_SECOND:
            write(os.path.join(self.path, "cgroup.subtree_control"), "+cpu")
        return Group(os.path.join(os.path.relpath(self.path, TOP), name), processors)

    def words(self):
        """Returns the words of a command that moves itself into the group, and then executes its arguments."""
        return ["sh", "-c", f'echo $$ >{self.path}/cgroup.procs && exec "$@"', "sh"]


@unittest.skipIf(len(ranks.CPUS) < 2, "one processor leaves nothing to cut")
class Quota(TestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        try:
            if IS_SECOND:
                write(os.path.join(TOP, "cgroup.subtree_control"), "+cpu")
            os.rmdir(Group(f"nestbind-try-{os.getpid()}", 1).path)
        except OSError as error:
            raise unittest.SkipTest(f"no cgroup can be made by hand here: {error}") from None

    @contextlib.contextmanager
    def group(self, processors=None, inner=None):
        """Returns a new group. If `inner` (a quota or "max") is given, the group is inside of another group."""
        outer = Group(f"nestbind-{os.getpid()}", processors)
        path = os.path.join(outer.path, "in")
        try:
            yield outer if inner is None else outer.inside("in", None if inner == "max" else inner)
        finally:
            for folder in (path, outer.path):
                if os.path.exists(folder):
                    os.rmdir(folder)

    def programs(self):
        for name, compiler in (("gnu", "gcc"), ("llvm", "clang-19")):
            with self.subTest(runtime=name):
                yield self.compile("program-" + name, "-fopenmp", source=PROGRAM, compiler=compiler)

    def run_in(self, group, *words, before=(), **variables):
        return subprocess.run([*group.words(), *before, COMMAND, *words], env=environment(**variables), capture_output=True,
                              encoding="utf-8", timeout=60, check=True)

    def sizes(self, group, spec, program, before=(), **variables):
        process = self.run_in(group, "run", spec, "--", program, before=before, **variables)
        return process.stdout.strip(), process.stderr

    def test_sizes(self):
        cores = nestbind("plan", "core,scatter", "--format", "json").stdout.count('"path"')
        for program in self.programs():
            for processors, inner, most in ((0.5, None, 1), (1, None, 1), (1.5, None, 2), (2, None, 2), (None, None, cores),
                                            (1, "max", 1), (4, 1, 1), *([(1, 4, 1)] if IS_SECOND else [])):
                with self.subTest(quota=processors, inner=inner), self.group(processors, inner) as group:
                    told = self.sizes(group, "core,scatter,1,subcompact", program)[0]
                    self.assertEqual(told, f"{min(most, cores)} {min(most, cores)} 1")

    def test_inner_words_get_the_rest_of_the_quota(self):
        for program in self.programs():
            with self.group(2) as group:
                self.assertEqual(self.sizes(group, "2,scatter,core,subcompact", program), ("2 2 1", ""))
                self.assertEqual(self.sizes(group, "1,scatter,core,subcompact", program), ("1 1 2", ""))
            with self.group(1) as group:
                self.assertEqual(self.sizes(group, "1,scatter,core,subcompact", program, NESTBIND_QUIET="1"), ("1 1 1", ""))

    def test_auto(self):
        """If the program sets a size, this size has priority over the quota."""
        asking = PROGRAM.replace("int main(void) {", "int main(void) {\n  omp_set_num_threads(2);")
        for program in self.programs():
            with self.group(1) as group:
                self.assertEqual(self.sizes(group, "auto", program, NESTBIND_QUIET="1"), ("1 1 1", ""))
                self.assertEqual(self.sizes(group, "auto", program, OMP_NUM_THREADS="2"), ("2 2 1", ""))
                self.assertEqual(self.sizes(group, "auto", program, NESTBIND_QUOTA="ignore")[0], f"{len(ranks.CPUS)} {len(ranks.CPUS)} 1")
                self.assertEqual(self.sizes(group, "*,scatter,1,subcompact", program), (f"{len(ranks.CPUS)} {len(ranks.CPUS)} 1", ""))
            with self.group(len(ranks.CPUS)) as group:
                self.assertEqual(self.sizes(group, "auto", program)[0], f"{len(ranks.CPUS)} {len(ranks.CPUS)} 1")
        for name, compiler in (("gnu", "gcc"), ("llvm", "clang-19")):
            with self.subTest(runtime=name), self.group(1) as group:
                program = self.compile("asking-" + name, "-fopenmp", source=asking, compiler=compiler)
                self.assertEqual(self.sizes(group, "auto", program), ("2 2 1", ""))

    def test_numbers_stay_with_one_warning(self):
        for program in self.programs():
            with self.group(1) as group:
                told, said = self.sizes(group, "2,scatter,1,subcompact", program)
                self.assertEqual(told, "2 2 1")
                self.assertEqual(said.count("CPU quota"), 1, said)
                self.assertEqual(self.sizes(group, "2,scatter,1,subcompact", program, NESTBIND_TEAM_SIZES="ignore", OMP_NUM_THREADS="2")[1], "")

    def test_a_quota_that_leaves_one_thread_is_named(self):
        for program in self.programs():
            with self.group(1) as group:
                said = self.sizes(group, "auto", program)[1]
                self.assertIn("no team of two or more threads was seen", said)
                self.assertIn("CPU quota", said)

    def test_quota_can_be_ignored(self):
        for program in self.programs():
            with self.group(1) as group:
                self.assertEqual(self.sizes(group, "core,scatter,1,subcompact", program, NESTBIND_QUOTA="ignore"),
                                 self.sizes(Group.__new__(Outside), "core,scatter,1,subcompact", program))

    def test_container(self):
        """In some containers, the only visible group is the container's own group, at the top and read-only. In other containers, no group
        is visible."""
        program = self.compile("program-gnu", "-fopenmp", source=PROGRAM)
        with self.group(1, "max") as group:
            mounts = f"mount --bind {os.path.dirname(group.path)} {TOP} && mount -o remount,bind,ro {TOP}"
            self.assertEqual(self.sizes(group, "core,scatter", program, before=in_namespace("--mount", then=mounts), NESTBIND_QUIET="1")[0], "1 1 1")
            none = in_namespace("--mount", then="mount -t tmpfs none /sys/fs/cgroup")
            self.assertEqual(self.sizes(group, "2,scatter,1,subcompact", program, before=none), ("2 2 1", ""))

    def test_report(self):
        program = self.compile("program-gnu", "-fopenmp", source=PROGRAM)
        with self.group(1.5, "max") as group:
            said = self.run_in(group, "run", "--report=text", "core,scatter", "--", program).stderr
            self.assertRegex(said, f"quota: 150 %.*{os.path.dirname(group.path)};.* 2 threads")
            told = json.loads(self.run_in(group, "run", "--report=json", "core,scatter", "--", program).stderr.splitlines()[0])
            self.assertEqual(told["quota"], 2)
            ignored = self.run_in(group, "run", "--report=json", "core,scatter", "--", program, NESTBIND_QUOTA="ignore").stderr
            self.assertNotIn("quota", ignored)

    def test_plan_and_doctor(self):
        program = self.compile("program-gnu", "-fopenmp", source=PROGRAM)
        with self.group(1) as group:
            threads = lambda *words: len(json.loads(self.run_in(group, "plan", "--format", "json", *words).stdout)["threads"])
            self.assertEqual(threads("core,scatter"), 1)
            self.assertEqual(threads("core,scatter", "--quota", "2"), 2)
            self.assertEqual(threads("core,scatter", "--machine", "core:4 pu:1"), 4)
            self.assertRegex(self.run_in(group, "doctor", program).stdout, f"quota +CPU time of 1 processor, set by .*{group.path}; .* 1 ")

    def test_ranks_of_a_group_divide_it(self):
        program = self.compile("ranks", "-fopenmp", source=ranks.PROGRAM)
        for same, each in ((True, 1), (False, 2)):
            with self.subTest(same=same), self.group(2 if same else None, 2) as first:
                second = first if same else Group(f"nestbind-second-{os.getpid()}", 2)
                try:
                    started = [subprocess.Popen([*group.words(), COMMAND, "run", "--report=json", "core,scatter", "--", program, "1000"],
                                                env=ranks.environment(**ranks.open_mpi(rank, 2, f"quota-{same}")),
                                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
                               for rank, group in enumerate((first, second))]
                    said = [process.communicate(timeout=60)[1] for process in started]
                finally:
                    if not same:
                        os.rmdir(second.path)
                self.assertEqual([json.loads(text.splitlines()[0])["quota"] for text in said], [each, each])


class Outside(Group):
    def words(self):
        return []


class Planned(TestCase):
    """Tests the plans of `nestbind plan --quota` for described machines."""

    def threads(self, quota, spec, machine="pack:4 [numa] core:4 pu:1", *more):
        process = nestbind("plan", spec, "--machine", machine, "--format", "json", *(["--quota", str(quota)] if quota else []), *more)
        self.assertStatus(process, 0)
        return json.loads(process.stdout)

    def test_sizes(self):
        for quota, spec, count in ((16, "core,scatter", 16), (6, "core,scatter", 6), (1, "core,scatter", 1),
                                   (8, "numa,scatter,core,subcompact", 8), (3, "numa,scatter,core,subcompact", 3),
                                   (6, "numa,scatter,core,subcompact", 4), (6, "2,scatter,core,subcompact", 6),
                                   (3, "2,scatter,core,subcompact", 2), (5, "numa,scatter,2,subcompact", 8),
                                   (40, "numa,scatter,core,subcompact", 16), (None, "core,scatter", 16),
                                   (4, "auto", 4), (16, "auto", 16), (4, "*,scatter", 16), (4, "*,scatter,numa,subcompact", 16)):
            with self.subTest(quota=quota, spec=spec):
                self.assertEqual(len(self.threads(quota, spec)["threads"]), count)

    def test_places_do_not_depend_on_the_quota(self):
        """With a quota of 8, each node keeps the first 2 of its 4 threads."""
        told = self.threads(8, "numa,scatter,core,subcompact")
        self.assertEqual([thread["cpus"] for thread in told["threads"]], [[0], [1], [4], [5], [8], [9], [12], [13]])
        self.assertEqual((told["quota"], told["slots"], told["warnings"]), (8, 16, []))

    def test_warning(self):
        for quota, spec, warns in ((4, "4,scatter", 0), (3, "4,scatter", 1), (4, "numa,scatter,2,subcompact", 1),
                                   (8, "numa,scatter,2,subcompact", 0), (1, "core,scatter,pu,subcompact", 0),
                                   (1, "auto", 0), (3, "4,scatter,*,subcompact", 1), (4, "4,scatter,*,subcompact", 0)):
            with self.subTest(quota=quota, spec=spec):
                self.assertEqual(len(self.threads(quota, spec)["warnings"]), warns)

    def test_ranks(self):
        """Ranks must divide both the processors and the quota."""
        told = self.threads(6, "core,scatter", "pack:4 [numa] core:4 pu:1", "--ranks", "4")
        self.assertEqual([len(rank["plan"]["threads"]) for rank in told["ranks"]], [1, 1, 1, 1])


if __name__ == "__main__":
    unittest.main()
