#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the plugin in host.c."""
import atexit
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

HOST = os.environ["NESTBIND_TEST_HOST"]
PLUGIN = os.environ["NESTBIND_TEST_PLUGIN"]
LIBRARY = os.path.realpath(os.environ["NESTBIND_TEST_LIBRARY"])

OPTIONS = ["option nestbind SPEC", "option nestbind-report WHAT", "option nestbind-strict -"]
EXPORTED = {"plugin_name", "plugin_type", "plugin_version", "spank_plugin_version", "slurm_spank_init", "slurm_spank_init_post_opt",
            "slurm_spank_user_init", "slurm_spank_task_init", "slurm_spank_exit"}

JOB = 4711
PARENT = tempfile.mkdtemp(prefix="nestbind-slurm-host-")
atexit.register(shutil.rmtree, PARENT)
CACHE = f"{PARENT}/nestbind-cache-{os.geteuid()}-slurm-{JOB}"


def command(context, *arguments, job=JOB):
    return [HOST, PLUGIN, context, f"job={job}", f"plugin=cache={PARENT}", *arguments]


class Step:
    """A run of the host program, which waits until end() is called."""

    def __init__(self, *arguments, cwd=None):
        self.process = subprocess.Popen(command(*arguments), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", cwd=cwd)
        self.lines = []
        for line in self.process.stdout:
            if line == "ready\n":
                break
            self.lines.append(line.rstrip("\n"))
        self.variables = dict(line.split("=", 1) for line in self.lines if not line.startswith("option "))

    def end(self):
        """Ends the host, and returns its exit status and its messages."""
        _, said = self.process.communicate("\n")
        return self.process.returncode, said


def finished(*arguments, **more):
    step = Step(*arguments, **more)
    status, said = step.end()
    return status, said, step


class Host(unittest.TestCase):
    def test_options_are_known_to_all_commands_and_to_steps(self):
        for context in ("local", "allocator", "task"):
            with self.subTest(context=context):
                status, said, step = finished(context)
                self.assertEqual((status, said, [line for line in step.lines if line.startswith("option ")]), (0, "", OPTIONS))
        self.assertEqual(finished("slurmd")[2].lines, [])

    def test_bad_specification(self):
        for context in ("local", "allocator"):
            with self.subTest(context=context):
                status, said, _ = finished(context, "--nestbind=2,scatter,2,subcompct")
                self.assertEqual(status, 1)
                self.assertEqual(said, "error: nestbind: bad specification, column 13: missing or unknown strategy, expected scatter, compact, subscatter "
                                       "or subcompact\n  2,scatter,2,subcompct\n              ^\nnestbind=2,scatter,2,subcompct failed\n")

    def test_bad_report(self):
        status, said, _ = finished("allocator", "--nestbind=2,scatter", "--nestbind-report=xml")
        self.assertEqual((status, said), (1, "error: nestbind: bad report, expected auto, picture, text or json, also with ,now and :FILE after "
                                             "it\nnestbind-report=xml failed\n"))

    def test_options_in_vain(self):
        told = "error: nestbind: --nestbind-report and --nestbind-strict do nothing without --nestbind=SPEC\n"
        for arguments in (["--nestbind-strict"], ["--nestbind-report=text"]):
            self.assertEqual(finished("local", *arguments)[:2], (0, told))
            # sbatch and salloc report no error here, because the option is for the srun calls inside the job.
            self.assertEqual(finished("allocator", *arguments)[:2], (0, ""))
            self.assertEqual(finished("task", *arguments, "HOME=/home/her")[2].variables, {"HOME": "/home/her"})

    def test_task(self):
        with tempfile.TemporaryDirectory() as folder:
            _, _, step = finished("task", "--nestbind= 2,SCATTER,2,subcompact", "--nestbind-report=json:out-%h-%r", "--nestbind-strict",
                                  "HOME=/home/her", "NESTBIND_RUN=;3;;;;", "LD_PRELOAD=/a/liba.so", "OMP_NESTING_TEAM_SIZE=4,compact",
                                  cwd=folder)
            self.assertEqual(step.variables, {
                "HOME": "/home/her", "OMP_NESTING_TEAM_SIZE": "2,scatter,2,subcompact", "KMP_HOT_TEAMS_MAX_LEVEL": "2",
                "NESTBIND_REPORT": f"json:{os.path.realpath(folder)}/out-%h-%r", "NESTBIND_STRICT": "1", "NESTBIND_CACHE": CACHE,
                "LD_PRELOAD": f"{LIBRARY}:/a/liba.so"})

    def test_shell_of_a_batch_script(self):
        self.assertEqual(finished("shell", "--nestbind=2,scatter", "LD_PRELOAD=/a/liba.so")[2].variables,
                         {"OMP_NESTING_TEAM_SIZE": "2,scatter", "KMP_HOT_TEAMS_MAX_LEVEL": "1", "NESTBIND_CACHE": CACHE,
                          "LD_PRELOAD": "/a/liba.so"})

    def test_what_the_user_has_set(self):
        step = finished("task", "--nestbind=2,scatter", "NESTBIND_CACHE=off", "KMP_HOT_TEAMS_MAX_LEVEL=5")[2]
        self.assertEqual((step.variables["NESTBIND_CACHE"], step.variables["KMP_HOT_TEAMS_MAX_LEVEL"]), ("off", "5"))

    def test_off(self):
        self.assertEqual(finished("task", "--nestbind=2,scatter", "--nestbind=off", "HOME=/home/her")[2].variables,
                         {"HOME": "/home/her", "OMP_NESTING_TEAM_SIZE": "off"})

    def test_long_preload(self):
        long = ":".join(f"/a/folder/lib{i}.so" for i in range(3000))
        self.assertGreater(len(long), 50000)
        self.assertEqual(finished("task", "--nestbind=2,scatter", "LD_PRELOAD=" + long)[2].variables["LD_PRELOAD"], f"{LIBRARY}:{long}")

    def test_cache_folder(self):
        first = Step("task", "--nestbind=2,scatter")
        found = os.stat(CACHE)
        self.assertEqual((stat.S_IMODE(found.st_mode), found.st_uid), (0o700, os.geteuid()))
        second = Step("task", "--nestbind=2,scatter", "NESTBIND_CACHE=" + CACHE)
        with open(os.path.join(CACHE, "file"), "w", encoding="utf-8"):
            pass
        self.assertEqual(first.end(), (0, ""))
        self.assertTrue(os.path.exists(os.path.join(CACHE, "file")))
        self.assertEqual(second.end(), (0, ""))
        self.assertFalse(os.path.exists(CACHE))

    def test_cache_folder_of_a_killed_step(self):
        killed = Step("task", "--nestbind=2,scatter")
        killed.process.kill()
        killed.process.communicate()
        self.assertTrue(os.path.isdir(CACHE))
        self.assertEqual(finished("task", "--nestbind=2,scatter")[:2], (0, ""))
        self.assertFalse(os.path.exists(CACHE))

    def test_cache_folder_of_another_job_that_was_killed(self):
        killed = Step("task", "--nestbind=2,scatter")
        killed.process.kill()
        killed.process.communicate()
        self.assertTrue(os.path.isdir(CACHE))
        process = subprocess.run(command("task", "--nestbind=2,scatter", job=JOB + 1), input="\n", capture_output=True,
                                 encoding="utf-8", check=False)
        self.assertEqual((process.returncode, process.stderr, os.path.exists(CACHE)), (0, "", False))

    def test_folder_that_another_has_planted(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            os.symlink(elsewhere, CACHE)
            try:
                status, said, step = finished("task", "--nestbind=2,scatter")
                self.assertEqual((status, said), (0, ""))
                self.assertNotIn("NESTBIND_CACHE", step.variables)
                self.assertTrue(os.path.islink(CACHE))
            finally:
                os.unlink(CACHE)

    def test_no_cache_folder(self):
        for asked in ("off", "relative", "/no/such/folder"):
            ran = subprocess.run([HOST, PLUGIN, "task", "plugin=cache=" + asked, "--nestbind=2,scatter"], input="\n", capture_output=True,
                                 encoding="utf-8", check=False)
            self.assertEqual((ran.returncode, ran.stderr, "NESTBIND_CACHE" in ran.stdout), (0, "", False), asked)

    def test_library(self):
        step = finished("task", "--nestbind=2,scatter", "plugin=library=" + HOST)[2]
        self.assertEqual(step.variables["LD_PRELOAD"], os.path.realpath(HOST))
        status, said, step = finished("task", "--nestbind=2,scatter", "plugin=library=/no/such.so")
        self.assertEqual((status, said), (0, "error: nestbind: /no/such.so: no such library on this node: the program runs unbound\n"))
        self.assertNotIn("LD_PRELOAD", step.variables)
        # The shell of a batch script does not use the library, so a missing library is not reported there.
        self.assertEqual(finished("shell", "--nestbind=2,scatter", "plugin=library=/no/such.so")[:2], (0, ""))

    def test_strict_without_library(self):
        try:
            step = Step("task", "--nestbind=2,scatter", "--nestbind-strict", "plugin=library=/no/such.so")
            _, said = step.process.communicate()
            self.assertEqual((step.process.returncode, said), (78, "error: nestbind: /no/such.so: no such library on this node: stopped\n"))
        finally:
            shutil.rmtree(CACHE, ignore_errors=True)

    def test_unused_without_files(self):
        if shutil.which("strace") is None:
            self.skipTest("there is no strace")
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "trace")
            ran = subprocess.run(["strace", "-f", "-o", trace, HOST, PLUGIN, "trace"], capture_output=True, encoding="utf-8", check=False)
            if not os.path.exists(trace) or "callbacks-begin" not in open(trace, encoding="utf-8").read():
                self.skipTest("strace cannot trace here: " + ran.stderr.strip())
            lines = open(trace, encoding="utf-8").read().splitlines()
        self.assertEqual(ran.returncode, 0)
        begin = next(i for i, line in enumerate(lines) if "/callbacks-begin" in line)
        end = next(i for i, line in enumerate(lines) if "/callbacks-end" in line)
        calls = [line.split(None, 1)[1].partition("(")[0] for line in lines[begin + 1:end]]
        # The test ignores brk, because the host itself allocates memory for the options.
        self.assertEqual([name for name in calls if name != "brk"], [])

    def test_unused_is_short(self):
        """The cost must be far below 0.1 ms, in which a processor runs about 100,000 instructions."""
        ran = subprocess.run([HOST, PLUGIN, "count"], capture_output=True, encoding="utf-8", check=False)
        if ran.returncode == 77:
            self.skipTest("processes cannot be traced here")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        taken = subprocess.run([HOST, PLUGIN, "time"], capture_output=True, encoding="utf-8", check=True).stdout.strip()
        print(f"{ran.stdout.strip()} instructions at the first call, {taken} ns later ... ", end="", file=sys.stderr)
        self.assertGreater(int(ran.stdout), 10)
        self.assertLess(int(ran.stdout), 30000)

    def test_exports(self):
        listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", PLUGIN], capture_output=True, encoding="utf-8", check=True)
        self.assertEqual({re.split(r"[ @]", line)[0] for line in listed.stdout.splitlines()}, EXPORTED)
        needed = subprocess.run(["readelf", "-d", PLUGIN], capture_output=True, encoding="utf-8", check=True).stdout
        self.assertEqual(re.findall(r"\(NEEDED\).*\[(libstdc\+\+|libgcc|libslurm|libhwloc)", needed), [])


if __name__ == "__main__":
    unittest.main()
