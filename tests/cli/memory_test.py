# SPDX-License-Identifier: BSD-3-Clause
"""Tests the reports of first touches by `nestbind memory` and NESTBIND_MEMORY. tests/guest-suite/memory.py tests later uses."""
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
        for figure in ("local", "imbalance", "shared"):
            self.assertEqual(region[figure] is None, region["samples"] == 0, figure)

    def test_static_array_by_its_name(self):
        region, = self.told(self.program, "static")["regions"]
        self.assertEqual(region["name"], "table")
        self.assertFirst(region, "init_grid")

    def test_memset_is_shown_by_its_caller(self):
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
        self.assertEqual(nestbind("memory", "--min", "32M", "--", self.program, "parts").stderr.count("nothing to report"), 1)
        self.told(self.program, "parts", "0", "2", options=("--min", "1M"))

    def test_text_and_output(self):
        report = os.path.join(self.folder, "report")
        process = nestbind("memory", "--output", report, "--", self.program, "parts")
        self.assertStatus(process, 3)
        self.assertEqual((process.stdout, process.stderr), ("parts 1\n", ""))
        with open(report, encoding="utf-8") as file:
            text = file.read()
        self.assertRegex(text, r"\Anestbind memory: \S+planted, process \d+: .*\nregion [0-9a-f]+ 1[56]\.\d MiB")

    def test_names_of_output_files(self):
        name = os.path.join(self.folder, "%%-%r-%h")
        whole = os.path.join(self.folder, "%-1-" + os.uname().nodename)
        for command in (("memory", "--output", name), ("run", "--library", LIBRARY, f"--memory=advise:{name}", "2,scatter")):
            self.assertStatus(nestbind(*command, "--", self.program, "parts", env={"NESTBIND_RANKS": "1/2"}), 3)
            with open(whole, encoding="utf-8") as file:
                self.assertIn("nestbind memory: ", file.read())
            os.remove(whole)
        process = nestbind("memory", "--output", "%q", "--", "true")
        self.assertStatus(process, 2)
        self.assertIn("%q is not known in the name of a file", process.stderr)

    def running(self, **settings):
        """Starts a program that uses its memory until the test ends."""
        program = subprocess.Popen([self.program, "parts", "60"], env=environment(**settings), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        return program.pid

    def test_nodes_of_a_running_process(self):
        number = self.running()
        for _ in range(100):
            process = nestbind("memory", "--pid", str(number))
            self.assertStatus(process, 0)
            if "\nregion" in process.stdout:
                break
            time.sleep(0.1)
        self.assertRegex(process.stdout, rf"\Anestbind memory: \S+planted, process {number}: only the nodes of pages are known: .*\nregion [0-9a-f]+ \d+\.\d MiB .*  on node 0: ")
        told = json.loads(nestbind("memory", "--json", "--pid", str(number)).stdout)["memory"]
        self.assertEqual((told["tier"], told["process"]), ("pages", number))
        self.assertGreaterEqual(told["regions"][0]["bytes"], 8 << 20)

    def test_running_process_is_watched_for_some_seconds(self):
        number = self.running()
        time.sleep(0.5)
        process = nestbind("memory", "--json", "--pid", str(number), "--seconds", "1")
        self.assertStatus(process, 0)
        told = json.loads(process.stdout)["memory"]
        self.assertEqual(told["process"], number)
        self.assertGreater(told["regions"][0]["bytes"], 15 << 20)
        self.assertIn("its first touches were not seen", told["regions"][0]["text"])

    def test_running_process_that_ends(self):
        with subprocess.Popen([self.program, "parts", "2"], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
            time.sleep(0.5)
            begin = time.monotonic()
            process = nestbind("memory", "--json", "--pid", str(program.pid), "--seconds", "50")
            self.assertLess(time.monotonic() - begin, 25)
        self.assertStatus(process, 0)
        self.assertGreater(json.loads(process.stdout)["memory"]["regions"][0]["bytes"], 15 << 20)

    def test_process_without_memory(self):
        """The message must not say that a zombie belongs to another user."""
        with subprocess.Popen(["true"]) as program:
            os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
            process = nestbind("memory", "--pid", str(program.pid))
        self.assertStatus(process, 1)
        self.assertIn("it has ended", process.stderr)

    def test_no_process_to_ask(self):
        self.assertIn("there is no such process", nestbind("memory", "--pid", "999999").stderr)
        self.assertStatus(nestbind("memory", "--pid", "999999"), 1)
        self.assertStatus(nestbind("memory", "--pid", "1", "--", "true"), 2)
        self.assertStatus(nestbind("memory", "--pid", "1", "--min", "1"), 2)

    def test_status_and_output_of_the_program_stay(self):
        process = nestbind("memory", "--", self.program, "good")
        self.assertStatus(process, 3)
        self.assertEqual(process.stdout, "good 1\n")
        self.assertEqual(nestbind("memory", "--", "sh", "-c", "kill -TERM $$").returncode, -signal.SIGTERM)
        self.assertStatus(nestbind("memory", "--", os.path.join(self.folder, "nowhere")), 127)
        self.assertStatus(nestbind("memory"), 2)
        process = nestbind("memory", "--min", "1", "--", "true")
        self.assertStatus(process, 2)
        self.assertIn("expected a size such as 64M", process.stderr)

    def test_each_process_is_reported(self):
        memory = nestbind("memory", "--json", "--", "sh", "-c", f"{self.program} parts; {self.program} good; true")
        self.assertStatus(memory, 0)
        self.assertEqual(len(memory.stderr.splitlines()), 2)

    def test_forked_child_is_watched(self):
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
        region, = self.told(program, status=0)["regions"]
        self.assertGreater(region["bytes"], 30 << 20)

    def test_descriptors_may_be_closed(self):
        """nestbind must report the memory of a program that closes all inherited file descriptors."""
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
        for _ in range(5):  # the program may end before the first look at its pages: then there is no report
            process = nestbind("run", "--library", LIBRARY, f"--memory=advise,json:{report}", "2,scatter", "--", self.program, "parts")
            self.assertStatus(process, 3)
            if os.path.getsize(report):
                break
        with open(report, encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)["memory"]["regions"]), 1)

    def test_library_that_is_loaded_after_an_array(self):
        """The planner's data may end where the array begins."""
        source = ("#include <stdio.h>\n#include <stdlib.h>\n#include <omp.h>\nint main(void) {\n  const long n = 1 << 21;\n"
                  "  double *a = malloc(n * 8), *b = malloc(n * 8);\n  for (long i = 0; i < n; ++i) a[i] = 1;\n"
                  "  const double begin = omp_get_wtime();\n  while (omp_get_wtime() - begin < 1.5) {\n"
                  "#pragma omp parallel for\n    for (long i = 0; i < n; ++i) b[i] += a[i];\n  }\n  return b[7] < 0;\n}\n")
        report = os.path.join(self.folder, "of-arrays")
        process = nestbind("run", "--library", LIBRARY, f"--memory=advise,json:{report}", "2,scatter", "--",
                           self.compile("arrays", "-fopenmp", "-g", source=source))
        self.assertStatus(process, 0)
        with open(report, encoding="utf-8") as file:
            regions = json.load(file)["memory"]["regions"]
        self.assertEqual([(region["bytes"] >> 20, region["gone"]) for region in regions], [(16, False)] * 2)

    def test_signal_to_the_command_reaches_the_program(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([COMMAND, "memory", "--", "sleep", "20"], env=environment(), stderr=subprocess.DEVNULL) as process:
                time.sleep(1)
                process.send_signal(sent)
                self.assertEqual(process.wait(10), -sent)

    def test_shown_line_is_in_the_users_source(self):
        """Code of the C++ library touches the memory first, but the reported line must be in the user's source. GCC 14 stores no line of
        make() for this loop. In this case the report has the line of the call in main()."""
        for level in ("-O0", "-O2"):
            name = os.path.join(self.folder, "vector" + level)
            source = self.file("vector.cpp", "#include <vector>\nstd::vector<double>* make(long n) {\n"
                                             "  return new std::vector<double>(n, 1.5);\n}\n"
                                             "int main() {\n  auto* all = make(4 << 20);\n  return (*all)[5] != 1.5;\n}\n")
            subprocess.run(["g++", "-g", level, source, "-o", name], check=True)
            with self.subTest(level):
                region, = self.told(name, status=0)["regions"]
                self.assertRegex(region["text"], r"vector\.cpp:[36]\)")

    def test_program_has_no_code_or_descriptor_of_ours(self):
        """The command must not change the program: no preloaded library, no thread, no open file descriptor, no signal handler."""
        program = self.compile("bare", source=r"""
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int entries(const char* name) {
  int count = 0;
  DIR* folder = opendir(name);
  while (readdir(folder) != NULL) ++count;
  closedir(folder);
  return count;
}
int main(void) {
  struct sigaction action;
  int handled = 0;
  for (int i = 1; i < 32; ++i) handled += sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_DFL;
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[4096];
  int ours = 0;
  while (fgets(line, sizeof line, maps)) ours += strstr(line, "libnestbind") != NULL;
  fclose(maps);
  printf("%d %d %d %d %s %s\n", entries("/proc/self/task"), entries("/proc/self/fd"), handled, ours,
         getenv("LD_PRELOAD") ? "preloaded" : "-", getenv("NESTBIND_MEMORY") ? "told" : "-");
  return 0;
}""")
        plain = subprocess.run([program], env=environment(), capture_output=True, encoding="utf-8", check=True).stdout
        self.assertEqual(nestbind("memory", "--", program).stdout, plain)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "to become nobody takes root and setpriv")
    def test_program_that_drops_privileges(self):
        """The program keeps some capabilities. If nestbind had a thread in the process, this thread would not have these capabilities, and
        glibc would abort."""
        process = nestbind("memory", "--", "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=+setgid",
                           "--ambient-caps=+setgid", "true")
        self.assertStatus(process, 0)

    def test_descriptors_of_the_program_stay(self):
        """The files that the program opens must stay open."""
        program = self.compile("daemon", source=r"""
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
  for (int i = 3; i < 1024; ++i) close(i);
  int files[300];
  for (int i = 0; i < 300; ++i) files[i] = open("/dev/null", O_RDWR);
  sleep(2);
  int lost = 0;
  for (int i = 0; i < 300; ++i) lost += fcntl(files[i], F_GETFD) == -1;
  return lost;
}""")
        self.assertStatus(nestbind("memory", "--seconds", "1", "--", program), 0)

    def test_a_killed_watcher_does_not_kill_the_program(self):
        watcher = subprocess.Popen([COMMAND, "memory", "--", "sh", "-c", "echo $$; sleep 1; echo done"], env=environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
        watcher.stdout.readline()
        watcher.kill()
        self.assertEqual(watcher.stdout.read(), "done\n")
        watcher.wait()
        watcher.stdout.close()

    def test_a_program_that_is_stopped_goes_on(self):
        watcher = subprocess.Popen([COMMAND, "memory", "--", "sh", "-c", "echo $$; sleep 0.5; exit 7"], env=environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
        child = int(watcher.stdout.readline())
        os.kill(child, signal.SIGSTOP)
        time.sleep(0.3)
        self.assertIsNone(watcher.poll())
        os.kill(child, signal.SIGCONT)
        self.assertEqual(watcher.wait(60), 7)
        watcher.stdout.close()

    def test_a_thousand_threads(self):
        program = self.compile("threads", "-pthread", source=r"""
#include <pthread.h>
#include <stdlib.h>
static void* work(void* at) { *(char*)at = 1; return at; }
int main(void) {
  char* p = malloc(64 << 20);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  for (long i = 0; i < 64L << 20; i += 4096) p[i] = 1;
  for (int i = 0; i < 1000; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &small, work, p) != 0) return 1;
    pthread_join(thread, NULL);
  }
  return 5;
}""")
        self.told(program, status=5)

    def test_variable_without_the_command(self):
        """If the program has an OpenMP runtime, the library must say once that the variable has no effect."""
        process = subprocess.run([self.program, "parts"], env=environment(LD_PRELOAD=LIBRARY, NESTBIND_MEMORY="advise"),
                                 capture_output=True, encoding="utf-8", check=False)
        self.assertStatus(process, 3)
        self.assertEqual(process.stdout, "parts 1\n")
        self.assertEqual(process.stderr.count("only the command uses NESTBIND_MEMORY"), 1)
        self.assertEqual(len(process.stderr.splitlines()), 1)
        process = subprocess.run(["true"], env=environment(LD_PRELOAD=LIBRARY, NESTBIND_MEMORY="advise"), capture_output=True,
                                 encoding="utf-8", check=False)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        process = nestbind("run", "--library", LIBRARY, "--memory=apply", "2,scatter", "--", "sh", "-c", "exit 3",
                           env={"TMPDIR": "/nonexistent"})
        self.assertStatus(process, 3)
        self.assertIn("no pages are moved: /nonexistent/nestbind-memory-", process.stderr)
        process = nestbind("run", "--print-env", "--memory=advise", "2,scatter")
        self.assertStatus(process, 2)
        self.assertIn("--print-env cannot set --memory", process.stderr)

    def test_bad_wishes(self):
        process = nestbind("run", "--library", LIBRARY, "--memory=mend", "2,scatter", "--", "true")
        self.assertStatus(process, 2)
        self.assertIn("--memory: column 1: unknown word, expected advise or apply\n  mend\n  ^", process.stderr)
        process = nestbind("run", "--library", LIBRARY, "--memory=advise:%q", "2,scatter", "--", "true")
        self.assertStatus(process, 2)
        self.assertIn("%q is not known in the name of a file", process.stderr)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "to become nobody takes root and setpriv")
    def test_unprivileged_user(self):
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
