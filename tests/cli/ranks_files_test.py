# SPDX-License-Identifier: BSD-3-Clause
"""Tests the file by which the ranks of a node meet."""
import json
import os
import re
import shutil
import subprocess
import time
import unittest

from ranks import BARCELONA, FOLDER, PREFIX, PROGRAM, Job, RanksTest, await_that, environment, files, needs_strace, new_job
from support import LIBRARY, in_namespace, with_mount


class Files(RanksTest):
    @needs_strace
    def test_a_process_without_a_rank_opens_no_file(self):
        trace = os.path.join(self.folder, "trace")
        with self.job(1, launcher=lambda *_: {}, before=["strace", "-f", "-E", "LD_PRELOAD=" + LIBRARY, "-o", trace], preload="") as job:
            job.end()
        with open(trace, encoding="utf-8", errors="replace") as file:
            self.assertNotIn(PREFIX, file.read())

    def test_all_are_killed(self):
        with self.job(3, 0, 60000) as job:
            await_that(lambda: len(files()) == len(self.left) + 1)
            for process in job.processes.values():
                process.stdout.readline()
            for process in job.processes.values():
                process.kill()
        left = [name for name in files() if name not in self.left]
        self.assertEqual(len(left), 1)
        self.assertLessEqual(os.path.getsize(os.path.join(FOLDER, left[0])), 4096)
        parts = self.parts(self.job(2, 200, machine=BARCELONA))
        self.assertEqual(parts[1]["cpus"], list(range(8, 16)))
        self.assertNotIn(left[0], files())

    def test_a_process_without_a_job_removes_the_file(self):
        with self.job(2, 0, 60000, machine=BARCELONA) as job:
            for process in job.processes.values():
                process.stdout.readline()
            for process in job.processes.values():
                process.kill()
        self.assertNotEqual(files(), self.left)
        with self.job(1, launcher=lambda *_: {}) as job:
            job.end()

    def test_the_same_job_again(self):
        job_name = new_job()
        with self.job(2, 0, 60000, job=job_name, machine=BARCELONA) as job:
            for process in job.processes.values():
                process.stdout.readline()
            for process in job.processes.values():
                process.kill()
        parts = self.parts(self.job(2, 200, job=job_name, machine=BARCELONA))
        self.assertIn("ranks 0-1 ", parts[0]["why"])
        parts = self.parts(self.job(2, 500, job=job_name, machine=BARCELONA))
        self.assertIn("ranks 0-1 ", parts[0]["why"])

    def test_one_is_killed(self):
        with self.job(2, 0, 1500, machine=BARCELONA) as job:
            job.processes[1].stdout.readline()
            job.processes[1].kill()
            job.processes[1].communicate()
            job.processes[0].communicate(timeout=60)

    def test_killed_zombie_rank(self):
        # The killed process is still a zombie, but the rank that ends last must remove the file.
        with self.job(2, 0, 1500, machine=BARCELONA) as job:
            for process in job.processes.values():
                process.stdout.readline()
            job.processes[1].kill()
            os.waitid(os.P_PID, job.processes[1].pid, os.WEXITED | os.WNOWAIT)
            job.processes[0].communicate(timeout=60)
            self.assertEqual([name for name in files() if name not in self.left], [])

    def test_a_process_without_exit(self):
        source = PROGRAM.replace("return count", "if (count == 2) _exit(0); return count")
        leaving = self.compile("leaving", "-fopenmp", source=source)
        with Job(self.folder, [leaving, "200"], 2, machine=BARCELONA) as job:
            job.end()
        left = [name for name in files() if name not in self.left]
        self.assertEqual(len(left), 1)
        self.parts(self.job(2, 200, machine=BARCELONA))

    def test_wrapper_and_child(self):
        program = self.program()
        words = ["sh", "-c", f'true; {program} 500 0 "NESTBIND_REPORT=json:$0 {program}"; true']
        with Job(self.folder, [*words, os.path.join(self.folder, "child.%p")], 2, machine=BARCELONA) as job:
            job.end()
            self.assertEqual(job.parts()[1]["cpus"], list(range(8, 16)))
        told = []
        for name in os.listdir(self.folder):
            if name.startswith("child."):
                with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                    told.append(json.loads(file.readline())["part"])
        self.assertEqual(sorted(part["local"] for part in told), [0, 1])
        for part in told:
            self.assertEqual(part["cpus"], list(range(8 * part["local"], 8 * part["local"] + 8)))

    def test_ancestors_distinguish_jobs(self):
        # MPICH does not name its jobs, so nestbind distinguishes jobs by the ranks' ancestor processes.
        program = self.program()
        script = ("for local in 0 1; do MPI_LOCALRANKID=$local MPI_LOCALNRANKS=2 NESTBIND_REPORT=json:$0.$local "
                  f"sh -c '{program} 500; true' & done; wait")
        env = environment(OMP_NESTING_TEAM_SIZE="2,scatter", NESTBIND_MACHINE=BARCELONA, **{f"A{i}": "x" * i for i in range(300)})
        names = [os.path.join(self.folder, f"job{number}") for number in range(2)]
        shells = [subprocess.Popen(["bash", "-c", f"export LD_PRELOAD={LIBRARY}; " + script, name], env=env, stdout=subprocess.DEVNULL)
                  for name in names]
        for shell in shells:
            self.assertEqual(shell.wait(60), 0)
        for name in names:
            for local in range(2):
                with open(f"{name}.{local}", encoding="utf-8") as file:
                    part = json.loads(file.readline())["part"]
                self.assertEqual(part["cpus"], list(range(8 * local, 8 * local + 8)))
                self.assertIn("ranks 0-1 ", part["why"])

    def test_launchers_that_a_rank_starts(self):
        # A rank starts two proxies of MPICH, so the proxies themselves have the variables of a rank.
        proxy = os.path.join(self.folder, "hydra_pmi_proxy")
        shutil.copy(shutil.which("bash"), proxy)
        program = self.program()
        script = (f'for local in 0 1; do MPI_LOCALRANKID=$local MPI_LOCALNRANKS=2 NESTBIND_REPORT=json:$0.$local '
                  f'LD_PRELOAD={LIBRARY} {program} 300 500 & done; wait')
        env = environment(OMP_NESTING_TEAM_SIZE="2,scatter", NESTBIND_MACHINE=BARCELONA, MPI_LOCALRANKID="0", MPI_LOCALNRANKS="2")
        names = [os.path.join(self.folder, f"inner{number}") for number in range(2)]
        both = " & ".join(f"{proxy} -c '{script}' {name}" for name in names)
        subprocess.run(["bash", "-c", both + " & wait"], env=env, stdout=subprocess.DEVNULL, check=True, timeout=60)
        for name in names:
            for local in range(2):
                with open(f"{name}.{local}", encoding="utf-8") as file:
                    part = json.loads(file.readline())["part"]
                self.assertEqual(part["cpus"], list(range(8 * local, 8 * local + 8)))
                self.assertIn("ranks 0-1 ", part["why"])

    @needs_strace
    def test_system_calls_of_the_first_fork(self):
        marked = PROGRAM.replace("#pragma omp parallel\n#pragma omp parallel\n", 'write(2, "FORK\\n", 5);\n#pragma omp parallel\n', 1)
        marked = marked.replace('  printf("\\n");\n  fflush', '  write(2, "DONE\\n", 5);\n  printf("\\n");\n  fflush', 1)
        program = self.compile("marked", "-fopenmp", source=marked)

        def count(of, only):
            trace = os.path.join(self.folder, f"trace{of}")
            # Warnings are turned off, because their system calls would count, too.
            env = {"NESTBIND_QUIET": "1"}
            with Job(self.folder, [program, "1500"], of, only=only, spec="2,scatter", env=env, report=False) as job:
                others = dict(job.processes)
                job.before = ["strace", "-E", "LD_PRELOAD=" + LIBRARY, "-o", trace]
                job.preload = ""
                if others:
                    time.sleep(0.7)
                job.start(0)
                job.end()
            with open(trace, encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
            begin = next(i for i, line in enumerate(lines) if '"FORK' in line)
            end = next(i for i, line in enumerate(lines) if '"DONE' in line)
            return [line for line in lines[begin:end] if not re.match("futex|sched_yield", line)]

        count(1, [])
        alone = count(1, [])
        first = count(3, [1, 2])
        self.assertIn(PREFIX, "".join(first))
        self.assertLessEqual(len(first), len(alone) + 10)


class Hostile(RanksTest):
    """In each test the ranks' folder is full, read-only, missing, or has files that other users have made."""

    def setUp(self):
        super().setUp()
        self.meeting = os.path.join(self.folder, self.id().rpartition(".")[2])
        os.mkdir(self.meeting)

    def apart(self, script, before=()):
        """Runs a shell script that starts ranks, which meet in $MEETING."""
        program = self.program()
        env = environment(OMP_NESTING_TEAM_SIZE="2,scatter", NESTBIND_MACHINE=BARCELONA, PROGRAM=program, PRELOAD=LIBRARY,
                          MEETING=self.meeting, NESTBIND_PUBLISH=self.meeting)
        start = ('rank() { exec env LD_PRELOAD=$PRELOAD OMPI_COMM_WORLD_LOCAL_RANK=$1 OMPI_COMM_WORLD_LOCAL_SIZE=2 '
                 'PMIX_NAMESPACE=hostile NESTBIND_REPORT=json:out.$1 "$PROGRAM" ${2:-500} ${3:-0} 2>err.$1 >/dev/null; }\n'
                 "both() { rank 0 & rank 1 & wait; }\n"
                 "find_name() { rm -rf $MEETING/*; rank 0 0 60000 & until ls $MEETING | grep -q nestbind-ranks; do sleep 0.1; done; kill -9 $!; wait; "
                 "name=$MEETING/$(ls $MEETING | grep nestbind-ranks); rm -f $name; }\n")
        process = subprocess.run([*before, "bash", "-c", start + script], env=env, cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=100, check=False)
        self.assertStatus(process, 0)
        told = []
        errors = ""
        for local in range(2):
            with open(os.path.join(self.folder, f"out.{local}"), encoding="utf-8") as file:
                told.append(json.loads(file.readline())["part"])
            with open(os.path.join(self.folder, f"err.{local}"), encoding="utf-8") as file:
                errors += file.read()
        return told, errors, process.stdout

    def assert_apart(self, told, errors, why):
        """Checks that the ranks cannot meet, and that their parts do not overlap."""
        self.assertEqual([part["cpus"] for part in told], [list(range(8)), list(range(8, 16))])
        self.assertEqual(len({part["why"] for part in told}), 1)
        self.assertRegex(errors, f"^nestbind: warning: [^\n]*{re.escape(self.meeting)} [^\n]*{why}[^\n]*\n$")

    def test_full_folder(self):
        told, errors, out = self.apart("head -c 100000 /dev/zero >$MEETING/full 2>/dev/null\nboth; ls $MEETING",
                                       with_mount(self.meeting, "size=4k"))
        self.assert_apart(told, errors, "No space left on device")
        self.assertEqual(out, "full\n")

    def test_read_only_folder(self):
        told, errors, _ = self.apart("both", with_mount(self.meeting, "ro"))
        self.assert_apart(told, errors, "Read-only file system")

    def test_no_folder(self):
        os.rmdir(self.meeting)
        told, errors, _ = self.apart("both")
        self.assert_apart(told, errors, "No such file or directory")

    def test_planted(self):
        for plant, why in (("ln -s /etc/hostname $name", "the file there does not belong to this user alone"),
                           ("ln -s $MEETING/nowhere $name", "the file there does not belong to this user alone"),
                           ("mkdir $name", "Is a directory"),
                           ("mkfifo $name", "the file there does not belong to this user alone"),
                           ("touch $name; chmod 666 $name", "the file there does not belong to this user alone"),
                           ("touch $MEETING/other; chmod 600 $MEETING/other; ln $MEETING/other $name",
                            "the file there does not belong to this user alone"),
                           ("touch $name; chown 65534 $name", "the file there does not belong to this user alone")):
            if "chown" in plant and os.geteuid() != 0:
                self.skipTest("only root can plant a file of another user's")
            with self.subTest(plant=plant):
                told, errors, out = self.apart(f"find_name\n{plant}\nboth; stat -c %s $(readlink -f $name) 2>&1; ls $MEETING")
                self.assert_apart(told, errors, why)
                self.assertIn(PREFIX, out)

    def test_damaged_file_is_written_again(self):
        for content in ("head -c 4096 /dev/urandom", "head -c 5000 /dev/zero", "echo nestbind", "true"):
            with self.subTest(content=content):
                told, errors, out = self.apart(f"find_name\n(umask 077; {content} >$name)\nboth; ls $MEETING")
                self.assertEqual(["ranks 0-1 " in part["why"] for part in told], [True] * 2)
                self.assertEqual((errors, out), ("", ""))

    def test_file_locked_by_another_process(self):
        told, errors, _ = self.apart("find_name\n(umask 077; touch $name)\nflock $name sleep 5 & sleep 0.3\nrank 0 & rank 1 & "
                                     "wait %2 %3; wait")
        self.assertEqual([part["cpus"] for part in told], [list(range(8)), list(range(8, 16))])
        self.assertEqual(errors, "")

    def test_container(self):
        # In the file, the process number of the other rank belongs to another PID namespace.
        apart = "unshare -p -f --mount-proc"
        in_namespace(*apart.split()[1:])
        told, errors, _ = self.apart("rank 0 0 2500 & sleep 1\n"
                                     f"{apart} bash -c \"$(declare -f rank); rank 1\"; wait")
        self.assertEqual([part["cpus"] for part in told], [list(range(8)), list(range(8, 16))])
        self.assertRegex(" ".join({part["why"] for part in told}), "^ranks 0-1 [^;]*; 1 [^;]*$")
        self.assertEqual(errors, "")


if __name__ == "__main__":
    unittest.main()
