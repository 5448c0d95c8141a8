# SPDX-License-Identifier: BSD-3-Clause
"""nestbind memory and NESTBIND_MEMORY, on this machine: who touched what first. Who uses it takes a NUMA machine
(tests/guest-suite/memory.py). What the kernel does not allow here is left out, with the reason."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from support import COMMAND, LIBRARY, TestCase, environment, nestbind, with_mount

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs")


def read(name):
    with open(os.path.join(PROGRAMS, name), encoding="utf-8") as file:
        return file.read()


def line_of(function, source="planted.c"):
    return next(number for number, line in enumerate(read(source).splitlines(), 1) if f"PLANTED: {function}" in line)


class Memory(TestCase):
    def setUp(self):
        self.skip_if_memory_is_not_watched()
        self.program = self.compile("planted", "-g", "-fopenmp", "-I" + PROGRAMS, source=read("planted.c"))

    def told(self, *words, options=(), status=3):
        process = nestbind("memory", "--json", *options, "--", *words)
        self.assertStatus(process, status)
        lines = process.stderr.splitlines()
        self.assertEqual(len(lines), 1, process.stderr)
        memory = json.loads(lines[0])["memory"]
        if memory["tier"] == "pages":
            self.skipTest(memory["circumstances"])
        return memory

    def assertFirst(self, region, function, source="planted.c"):
        touch = region["first_touch"]
        if "source" in touch:
            self.assertIn(function, touch["source"][0]["function"])
            self.assertEqual(touch["source"][0]["line"], line_of(function, source))
            self.assertIn(f":{line_of(function, source)})", region["text"])
        else:
            self.assertIn(function, touch["function"])

    def test_heap(self):
        memory = self.told(self.program, "parts")
        region, = memory["regions"]
        self.assertFirst(region, "init_grid")
        self.assertEqual(region["first_touch"]["thread"], 0)
        self.assertGreater(region["first_touch"]["part"], 90)
        self.assertGreater(region["bytes"], 15 << 20)
        self.assertEqual(region["name"], "")

    def test_static_array_by_its_name(self):
        region, = self.told(self.program, "static")["regions"]
        self.assertEqual(region["name"], "table")
        self.assertFirst(region, "init_grid")

    def test_memset_is_told_by_its_caller(self):
        region, = self.told(self.program, "cleared")["regions"]
        self.assertFirst(region, "clear_grid")

    def test_memory_of_each_thread(self):
        regions = self.told(self.program, "private")["regions"]
        self.assertEqual(len(regions), 4)
        self.assertEqual(sorted(region["first_touch"]["thread"] for region in regions), [0, 1, 2, 3])
        for region in regions:
            self.assertFirst(region, "init_grid")

    def test_fortran(self):
        program = os.path.join(self.folder, "fortran")
        if shutil.which("gfortran") is None:
            self.skipTest("there is no gfortran")
        subprocess.run(["gfortran", "-g", "-O1", "-fopenmp", "-J", self.folder,
                        os.path.join(PROGRAMS, "planted_fortran.f90"), "-o", program], check=True)
        region, = self.told(program, status=0)["regions"]
        self.assertFirst(region, "init_grid", "planted_fortran.f90")
        self.assertIn("planted_work::init_grid", region["text"])

    def test_given_back(self):
        program = self.compile("gone", "-g", source=r"""
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char* p = malloc(32 << 20);
  for (long i = 0; i < 32 << 20; i += 64) p[i] = 1;
  sleep(1);
  free(p);
  sleep(1);
  return 0;
}""")
        region, = self.told(program, status=0)["regions"]
        self.assertTrue(region["gone"])
        self.assertEqual(region["first_touch"]["function"], "main")

    def test_smaller_regions_when_asked(self):
        self.assertEqual(nestbind("memory", "--min", "32M", "--", self.program, "parts").stderr.count("nothing to tell of"), 1)
        self.told(self.program, "parts", "0", "2", options=("--min", "1M"))

    def test_text_and_output(self):
        report = os.path.join(self.folder, "report")
        process = nestbind("memory", "--output", report, "--", self.program, "parts")
        self.assertStatus(process, 3)
        self.assertEqual((process.stdout, process.stderr), ("parts 1\n", ""))
        with open(report, encoding="utf-8") as file:
            text = file.read()
        self.assertRegex(text, r"\Anestbind memory: \S+planted, process \d+: .*\nregion [0-9a-f]+ 16\.0 MiB")
        self.assertNotIn("@", text)

    def running(self, **settings):
        """A program that uses its memory until the test ends, and has begun to."""
        program = subprocess.Popen([self.program, "parts", "60"], env=environment(**settings), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        return program.pid

    def test_running_process_is_asked(self):
        number = self.running(LD_PRELOAD=LIBRARY, NESTBIND_MEMORY="advise")
        for _ in range(100):  # until it has something to tell
            process = nestbind("memory", "--json", "--pid", str(number))
            self.assertStatus(process, 0)
            told = json.loads(process.stdout)["memory"] if process.stdout else {}
            if told.get("program") and told["regions"]:
                break
            time.sleep(0.1)
        self.assertEqual(told["process"], number)
        if told["tier"] != "pages":
            self.assertFirst(told["regions"][0], "init_grid")
        again = nestbind("memory", "--pid", str(number))
        self.assertRegex(again.stdout, rf"\Anestbind memory: \S+planted, process {number}: .*\nregion [0-9a-f]+ 16\.0 MiB")
        self.assertEqual([name for name in os.listdir("/dev/shm") if name.startswith("nestbind-memory-")
                          and name.endswith(f"-{number}")], [])

    def test_running_process_that_is_not_watched(self):
        number = self.running()
        for _ in range(100):
            process = nestbind("memory", "--pid", str(number))
            self.assertStatus(process, 0)
            if "region" in process.stdout.splitlines()[-1][:6]:
                break
            time.sleep(0.1)
        self.assertRegex(process.stdout, rf"\Anestbind memory: process {number}: it is not watched: .*\nregion [0-9a-f]+ \d+\.\d MiB  on node 0: ")
        told = json.loads(nestbind("memory", "--json", "--pid", str(number)).stdout)["memory"]
        self.assertEqual((told["tier"], told["process"]), ("pages", number))
        self.assertGreaterEqual(told["regions"][0]["bytes"], 8 << 20)

    def test_a_request_is_no_link_nor_another_s(self):
        number = self.running(LD_PRELOAD=LIBRARY, NESTBIND_MEMORY="advise")
        name = f"/dev/shm/nestbind-memory-{os.getuid()}-{number}"
        kept = self.file("kept", "")
        self.addCleanup(lambda: os.path.lexists(name) and os.remove(name))
        os.chmod(kept, 0o600)
        os.symlink(kept, name)
        time.sleep(1.5)
        os.remove(name)
        os.close(os.open(name, os.O_CREAT | os.O_EXCL, 0o600))
        os.chmod(name, 0o622)  # whoever else may write it
        time.sleep(1.5)
        self.assertEqual((os.path.getsize(kept), os.path.getsize(name)), (0, 0))
        self.assertStatus(nestbind("memory", "--pid", str(number)), 0)  # takes its place

    def asking(self, number):
        """A command that asks, of which the file is there."""
        name = f"/dev/shm/nestbind-memory-{os.getuid()}-{number}"
        asking = subprocess.Popen([COMMAND, "memory", "--pid", str(number)], env=environment(), stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(asking.communicate)
        self.addCleanup(asking.kill)
        for _ in range(200):
            if os.path.exists(name):
                break
            time.sleep(0.05)
        return asking, name

    def stopped(self):
        """A program that is watched, and does not answer."""
        number = self.running(LD_PRELOAD=LIBRARY, NESTBIND_MEMORY="advise")
        for _ in range(100):
            if nestbind("memory", "--pid", str(number)).stdout.startswith("nestbind memory: /"):
                break
            time.sleep(0.1)
        os.kill(number, signal.SIGSTOP)
        return number

    def test_two_ask_at_once(self):
        number = self.stopped()
        first, name = self.asking(number)
        file = os.stat(name).st_ino
        second, _ = self.asking(number)
        for _ in range(20):
            if not os.path.exists(name) or os.stat(name).st_ino != file:
                break
            time.sleep(0.05)
        os.kill(number, signal.SIGCONT)
        for one in (first, second):
            out, err = one.communicate(timeout=60)
            self.assertEqual((one.returncode, err), (0, ""))
            self.assertIn(f"process {number}:", out)
        self.assertFalse(os.path.exists(name))

    def test_who_asked_is_interrupted(self):
        asking, name = self.asking(self.stopped())
        asking.send_signal(signal.SIGINT)
        self.assertEqual(asking.wait(60), -signal.SIGINT)
        self.assertFalse(os.path.exists(name))

    def test_who_asked_was_killed(self):
        number = self.stopped()
        asking, name = self.asking(number)
        asking.kill()
        asking.wait()
        os.kill(number, signal.SIGCONT)
        for _ in range(100):
            if not os.path.exists(name):
                break
            time.sleep(0.1)
        self.assertFalse(os.path.exists(name))
        self.assertStatus(nestbind("memory", "--pid", str(number)), 0)

    def test_number_of_a_thread(self):
        number = self.running(LD_PRELOAD=LIBRARY, NESTBIND_MEMORY="advise")
        for _ in range(100):
            threads = [task for task in os.listdir(f"/proc/{number}/task") if task != str(number)]
            if threads:
                break
            time.sleep(0.1)
        self.assertStatus(nestbind("memory", "--pid", threads[0]), 0)

    def test_process_that_sees_other_files(self):
        """As in a container: it is not waited for."""
        program = subprocess.Popen([*with_mount("/dev/shm"), "env", "LD_PRELOAD=" + LIBRARY, "NESTBIND_MEMORY=advise", self.program, "parts",
                                    "60"], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        for _ in range(100):
            process = nestbind("memory", "--pid", str(program.pid))
            if "cannot be asked" in process.stderr:
                break
            time.sleep(0.1)
        self.assertStatus(process, 1)
        self.assertIn("it has another /dev/shm", process.stderr)

    def test_process_that_cannot_write_its_answer(self):
        program = subprocess.Popen(["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", "env", "LD_PRELOAD=" + LIBRARY, "NESTBIND_MEMORY=advise",
                                    self.program, "parts", "60"], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        for _ in range(100):
            process = nestbind("memory", "--pid", str(program.pid))
            if process.returncode != 0:
                break
            time.sleep(0.1)
        self.assertStatus(process, 1)
        self.assertEqual(process.stderr, f"nestbind: memory: process {program.pid}: it cannot answer: it may write no more than 0 bytes to a "
                                         "file (ulimit -f)\n")
        self.assertIsNone(program.poll())

    def test_process_that_has_no_room_for_its_answer(self):
        process = subprocess.run([*with_mount("/dev/shm", "size=64k"), "sh", "-c", """
head -c 65536 /dev/zero >/dev/shm/all || exit 9
LD_PRELOAD=$1 NESTBIND_MEMORY=advise $2 parts 60 >/dev/null 2>&1 &
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  $3 memory --pid $! >/dev/null || break
  sleep 0.2
done
kill -9 $!""", "sh", LIBRARY, self.program, COMMAND], env=environment(), capture_output=True, encoding="utf-8", timeout=120, check=False)
        self.assertRegex(process.stderr, r"\Anestbind: memory: process \d+: it cannot answer: /dev/shm is full\n")

    def test_no_process_to_ask(self):
        self.assertIn("there is no such process", nestbind("memory", "--pid", "999999").stderr)
        self.assertStatus(nestbind("memory", "--pid", "999999"), 1)
        self.assertStatus(nestbind("memory", "--pid", "1", "--", "true"), 2)
        self.assertStatus(nestbind("memory", "--pid", "1", "--min", "1"), 2)

    def test_status_and_output_are_the_program_s(self):
        process = nestbind("memory", "--", self.program, "good")
        self.assertStatus(process, 3)
        self.assertEqual(process.stdout, "good 1\n")
        self.assertEqual(nestbind("memory", "--", "sh", "-c", "kill -TERM $$").returncode, -signal.SIGTERM)
        self.assertStatus(nestbind("memory", "--", os.path.join(self.folder, "nowhere")), 127)
        self.assertStatus(nestbind("memory"), 2)
        process = nestbind("memory", "--min", "1", "--", "true")
        self.assertStatus(process, 2)
        self.assertIn("expected a size such as 64M", process.stderr)

    def test_each_process_tells(self):
        memory = nestbind("memory", "--json", "--", "sh", "-c", f"{self.program} parts; {self.program} good; true")
        self.assertStatus(memory, 0)
        self.assertEqual(len(memory.stderr.splitlines()), 2)

    def test_forked_child_is_not_watched(self):
        program = self.compile("forking", source=r"""
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  if (fork() == 0) {
    volatile char* p = malloc(32 << 20);
    memset((char*)p, 1, 32 << 20);
    exit(p[5]);
  }
  int status;
  wait(&status);
  return WEXITSTATUS(status) == 1 ? 0 : 9;
}""")
        process = nestbind("memory", "--", program)
        self.assertStatus(process, 0)
        self.assertIn("nothing to tell of", process.stderr)

    def test_descriptors_may_be_closed(self):
        """A program that closes all that it has not opened."""
        program = self.compile("closing", "-g", source=r"""
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
int main(void) {
  struct rlimit most;
  getrlimit(RLIMIT_NOFILE, &most);
  for (int i = 3; i < (int)most.rlim_cur; ++i) close(i);
  char* p = malloc(64 << 20);
  for (long i = 0; i < 64 << 20; i += 64) p[i] = 1;
  sleep(1);
  return p[64];
}""")
        region, = self.told(program, status=1)["regions"]
        self.assertEqual(region["first_touch"]["function"], "main")

    def test_run_with_a_specification(self):
        report = os.path.join(self.folder, "of-run")
        process = nestbind("run", "--library", LIBRARY, f"--memory=advise,json:{report}", "2,scatter", "--", self.program, "parts")
        self.assertStatus(process, 3)
        with open(report, encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)["memory"]["regions"]), 1)

    def test_text_of_the_library_is_for_nestbind_lines(self):
        process = subprocess.run([self.program, "parts"], env=environment(LD_PRELOAD=LIBRARY, NESTBIND_MEMORY="advise"),
                                 capture_output=True, encoding="utf-8", check=False)
        self.assertStatus(process, 3)
        self.assertEqual(process.stdout, "parts 1\n")
        if "only where pages are" in process.stderr:
            self.skipTest(process.stderr)
        self.assertIn("\nfirst touch:  init_grid+0x", process.stderr)
        name = self.file("library-text", process.stderr)
        shown = nestbind("lines", name)
        if "built without" not in shown.stderr:
            self.assertIn(f"planted.c:{line_of('init_grid')}\n", shown.stdout.replace(self.folder + "/planted.c", "planted.c"))

    def test_bad_wishes(self):
        process = nestbind("run", "--library", LIBRARY, "--memory=mend", "2,scatter", "--", "true")
        self.assertStatus(process, 2)
        self.assertIn("--memory: column 1: unknown word, expected advise or apply\n  mend\n  ^", process.stderr)
        process = nestbind("run", "--library", LIBRARY, "--memory=advise:%q", "2,scatter", "--", "true")
        self.assertStatus(process, 2)
        self.assertIn("%q is none of %h", process.stderr)
        process = subprocess.run(["true"], env=environment(LD_PRELOAD=LIBRARY, NESTBIND_MEMORY="advise,min"),
                                 capture_output=True, encoding="utf-8", check=False)
        self.assertStatus(process, 0)
        self.assertIn("it is ignored: memory is not watched", process.stderr)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "to become nobody takes root and setpriv")
    def test_as_nobody(self):
        with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
            paranoid = int(file.read())
        os.chmod(self.folder, 0o755)
        nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        if subprocess.run([*nobody, "test", "-r", LIBRARY], check=False).returncode != 0:
            self.skipTest(f"nobody may not read {LIBRARY}")
        process = subprocess.run([*nobody, COMMAND, "memory", "--json", "--", self.program, "parts"],
                                 env=environment(TMPDIR="/tmp"), capture_output=True, encoding="utf-8", check=False)
        self.assertStatus(process, 3)
        memory = json.loads(process.stderr.splitlines()[-1])["memory"]
        print(f"perf_event_paranoid is {paranoid}: {memory['tier']}", flush=True)
        if paranoid <= 2 and memory["tier"] == "pages":
            self.skipTest(memory["circumstances"])
        self.assertEqual(memory["tier"] == "pages", paranoid > 2)
        self.assertGreater(sum(memory["regions"][0]["bytes_on"]), 0)


if __name__ == "__main__":
    unittest.main()
