# SPDX-License-Identifier: BSD-3-Clause
"""Tests the site's file of settings. The test makes the file in a mount namespace, so that only the command under test sees the file."""
import json
import os
import shlex
import subprocess
import unittest

import device_machines
from doctoring import topics
from support import COMMAND, FORKING, INCLUDE, LIBRARY, TestCase, environment, in_namespace

SITE_FILE = os.environ.get("NESTBIND_TEST_SITE_FILE", "")

CALLING = r"""
#include <nestbind/memory.h>
#include <nestbind/nestbind.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  size_t pages = 0;
  const int where = nestbind_memory_where(&pages, sizeof pages, &pages, 1);
  printf("%d %d %d\n", omp_set_nesting_info("2,scatter"), nestbind_set_schedule("hybrid"), where);
#pragma omp parallel
  ;
  return 0;
}
"""
TURNED_OFF = 23


class Site(TestCase):
    def setUp(self):
        if not SITE_FILE or os.path.dirname(SITE_FILE) == "/etc":
            self.skipTest("the site's file is in /etc: configure with the preset developer")
        os.makedirs(os.path.dirname(SITE_FILE), exist_ok=True)

    def within(self, text, *words, mode="644", env=None, also="true"):
        folder, file = (shlex.quote(name) for name in (os.path.dirname(SITE_FILE), SITE_FILE))
        start = in_namespace("--mount", then=f"mount -t tmpfs -o mode=755 tmpfs {folder} && printf %s {shlex.quote(text)} >{file}"
                                             f" && chmod {mode} {file} && {also}")
        return subprocess.run([*start, *words], env=environment(**(env or {})), timeout=60, capture_output=True,
                              encoding="utf-8", stdin=subprocess.DEVNULL, check=False)

    def report(self, text, *options, **keywords):
        program = self.compile("forking", "-fopenmp", source=FORKING)
        process = self.within(text, COMMAND, "run", *options, "2,scatter", "--", program, **keywords)
        self.assertStatus(process, 42)
        return process.stderr

    def object(self, text):
        return json.loads(next(line for line in text.splitlines() if line.startswith("{")))

    def test_defaults_lose_to_variables_and_options(self):
        json_report = "# as the site likes it\nNESTBIND_REPORT=json\n"
        self.assertEqual(self.object(self.report(json_report))["level"], 1)
        self.assertIn("  path ", self.report(json_report, "--report=text"))
        self.assertIn("  path ", self.report(json_report, env={"NESTBIND_REPORT": "text"}))

    def test_the_library_reads_the_file_without_the_command(self):
        program = self.compile("forking", "-fopenmp", source=FORKING)
        env = {"OMP_NESTING_TEAM_SIZE": "2,scatter", "LD_PRELOAD": LIBRARY}
        process = self.within("NESTBIND_REPORT=text", program, env=env)
        self.assertIn("level 1, team of 2", process.stderr)
        self.assertEqual(self.within("NESTBIND_REPORT=text", program, env={"LD_PRELOAD": LIBRARY}).stderr, "")

    def test_files_writable_for_others_are_ignored(self):
        for mode in ("664", "646"):
            self.assertEqual(self.report("NESTBIND_REPORT=text", mode=mode), "")
        if os.geteuid() == 0:
            self.assertEqual(self.report("NESTBIND_REPORT=text", also="chown 1 " + shlex.quote(SITE_FILE)), "")
        self.assertEqual(self.report("NESTBIND_REPORT=text\n#" + 4096 * "x"), "")
        self.assertEqual(self.report("", also="rm " + shlex.quote(SITE_FILE)), "")

    def test_devices(self):
        """A default of the site, and no variable if everything is off."""
        machine = device_machines.write("lassen", self.folder)
        shown = []
        for text, *option in (("", "--devices=gpu"), ("NESTBIND_DEVICES=gpu",), ("off everything", "--devices=gpu")):
            process = self.within(text, COMMAND, "run", *option, "--machine", machine, "--", "sh", "-c", "echo $CUDA_VISIBLE_DEVICES")
            self.assertStatus(process, 0)
            shown.append(process.stdout.count("GPU-"))
        self.assertEqual(shown, [4, 4, 0])

    def test_everything_off(self):
        told = self.report("off everything", "--report")
        self.assertIn(f"OMP_NESTING_TEAM_SIZE has no effect: it is turned off for everybody by {SITE_FILE}", told)
        self.assertEqual(len(told.splitlines()), 1)
        program = self.compile("forking", "-fopenmp", source=FORKING)
        self.assertStatus(self.within("off everything", COMMAND, "run", "--strict", "2,scatter", "--", program), 78)
        self.assertEqual(self.returned("off everything"), [TURNED_OFF] * 3)

    def returned(self, text):
        program = self.compile("calling", "-fopenmp", "-I" + INCLUDE, LIBRARY, "-Wl,-rpath," + os.path.dirname(LIBRARY),
                               "-Wl,--no-as-needed", source=CALLING)
        process = self.within(text, program, env={"LD_PRELOAD": LIBRARY})
        self.assertStatus(process, 0)
        return [int(number) for number in process.stdout.split()]

    def test_single_features_off(self):
        self.assertEqual(self.returned(""), [0, 0, 0])
        self.assertEqual(self.returned("off schedules"), [0, TURNED_OFF, 0])
        self.assertEqual(self.returned("off memory"), [0, 0, TURNED_OFF])
        self.assertEqual(self.returned("off workers\noff ranks"), [0, 0, 0])
        program = self.compile("forking", "-fopenmp", source=FORKING)
        for text, words in (("off everything", ()), ("off\tschedules", ("--schedule",))):
            process = self.within(text, COMMAND, "tune", "--budget", "1s", *words, "--", program)
            self.assertStatus(process, 1)
            self.assertIn(SITE_FILE, process.stderr)
        process = self.within("off reorder", COMMAND, "run", "--reorder", "--", program, env={"NESTBIND_MPI": "openmpi"})
        self.assertStatus(process, 42)
        self.assertIn(SITE_FILE, process.stderr)
        process = self.within("off schedules", COMMAND, "run", "--schedule=hybrid", "2,scatter", "--", program)
        self.assertIn("NESTBIND_SCHEDULE has no effect", process.stderr)
        for text, *words in (("off memory", "memory", "--", program), ("off memory", "run", "--memory", "--", program),
                             ("off everything", "tune", "--", program)):
            process = self.within(text, COMMAND, *words)
            self.assertStatus(process, 1)
            self.assertIn(SITE_FILE, process.stderr)

    def test_workers_off(self):
        """If one primary thread forks an inner team twice, both teams have the same worker only if workers are kept."""
        program = self.compile("inner", "-fopenmp", source=r"""
#include <omp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  long first = 0;
  int same = 0;
  for (int i = 0; i < 2; ++i)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    if (omp_get_ancestor_thread_num(1) == 1 && omp_get_thread_num() == 1) {
      same = syscall(SYS_gettid) == first;
      first = syscall(SYS_gettid);
    }
  printf("%d\n", same);
  return 0;
}
""")
        run = (COMMAND, "run", "2,scatter,2,subcompact", "--", program)
        self.assertEqual(self.within("", *run).stdout, "1\n")
        self.assertEqual(self.within("off workers", *run, env={"NESTBIND_WORKERS": "kept"}).stdout, "0\n")

    def test_ranks_off(self):
        rank = {"OMPI_COMM_WORLD_LOCAL_RANK": "0", "OMPI_COMM_WORLD_LOCAL_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}
        divided = self.report("", "--report=json", env=rank)
        shared = self.report("off ranks", "--report=json", env={**rank, "NESTBIND_RANKS": "divide"})
        self.assertNotEqual(*(self.object(text)["part"] for text in (divided, shared)))

    def test_doctor(self):
        program = self.compile("forking", "-fopenmp", source=FORKING)
        process = self.within("NESTBIND_SMT=2\noff workers\nNESTBIND_SMT=x\noff of\n", COMMAND, "doctor", program)
        self.assertStatus(process, 0)
        lines = topics(process)["site"]
        self.assertEqual([f"line {n}" in line for n, line in enumerate(lines, 1)], [True] * 4)
        self.assertIn("NESTBIND_SMT=2", lines[0])
        self.assertIn("workers", lines[1])
        self.assertEqual(["ignored" in line for line in lines], [False, False, True, True])
        process = self.within("off everything", COMMAND, "doctor", program)
        self.assertStatus(process, 1)
        self.assertIn("everything", topics(process)["problem"][0])
        self.assertIn("is ignored", topics(self.within("", COMMAND, "doctor", mode="666"))["site"][0])
        self.assertNotIn("site", topics(self.within("", COMMAND, "doctor")))


if __name__ == "__main__":
    unittest.main()
