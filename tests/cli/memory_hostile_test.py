# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind memory in sandboxes, under limits, with files that cannot be written, and with readers that have ended."""
import json
import os
import resource
import signal
import struct
import subprocess
import time
import unittest

from support import COMMAND, LIBRARY, TestCase, environment, nestbind

PROGRAM = r"""
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
static int open_files(void) {
  int count = 0;
  struct rlimit most;
  getrlimit(RLIMIT_NOFILE, &most);
  for (int i = 3; i < (int)most.rlim_cur; ++i) count += fcntl(i, F_GETFD) != -1;
  return count;
}
int main(int argc, char **argv) {
  char *p = malloc(16 << 20);
  for (long i = 0; i < 16 << 20; i += 64) p[i] = 1;
  usleep(200000);
  if (argc > 1) printf("%d open\n", open_files());
  printf("ran\n");
  return 3;
}
"""

# Starts a command under a seccomp filter that refuses one system call.
FILTER = r"""
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
  const unsigned answer = SECCOMP_RET_ERRNO | 1;
  const unsigned call = strcmp(argv[1], "perf_event_open") == 0 ? SYS_perf_event_open : SYS_move_pages;
  struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                               BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, answer),
                               BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 98;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return 99;
  execv(argv[2], argv + 2);
  return 97;
}
"""


def run(*command, **options):
    return subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, encoding="utf-8", check=False, timeout=120,
                          **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options)


class Hostile(TestCase):
    def setUp(self):
        self.skip_if_memory_is_not_watched()
        self.program = self.compile("program", "-g", source=PROGRAM)

    def assertRan(self, process):
        self.assertEqual((process.returncode, process.stdout), (3, "ran\n"), process.stderr)

    def under_filter(self, call, *options):
        process = run(self.compile("filter", source=FILTER), call, COMMAND, "memory", *options, "--", self.program)
        if process.returncode == 99:
            self.skipTest("filters cannot be set here")
        return process

    def test_filter_that_refuses_to_sample(self):
        process = self.under_filter("perf_event_open", "--json")
        self.assertRan(process)
        memory = json.loads(process.stderr)["memory"]
        self.assertEqual(memory["tier"], "pages")
        self.assertIn("a sandbox", memory["circumstances"])
        self.assertGreater(sum(memory["regions"][0]["bytes_on"]), 15 << 20)

    def test_filter_that_refuses_to_look(self):
        process = self.under_filter("move_pages")
        self.assertRan(process)
        has_one_node = not os.path.exists("/sys/devices/system/node/node1")  # on one node the command does not call move_pages
        self.assertIn("on node 0: 100 %" if has_one_node else "move_pages(2) is refused", process.stderr)

    def test_output_that_cannot_be_opened(self):
        """The message must be printed before the program runs."""
        for name in ("/nowhere/report", self.folder):
            process = nestbind("memory", "--output", name, "--", self.program)
            self.assertStatus(process, 1)
            self.assertEqual(process.stdout, "")
            self.assertIn(f"--output {name}: ", process.stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_output_that_is_full(self):
        process = nestbind("memory", "--output", "/dev/full", "--", self.program)
        self.assertRan(process)
        self.assertIn("--output /dev/full: No space left on device", process.stderr)

    def test_error_output_without_reader(self):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            process = run(COMMAND, "memory", "--", self.program, stderr=writer)
        finally:
            os.close(writer)
        self.assertRan(process)

    def test_error_output_that_is_closed(self):
        report = os.path.join(self.folder, "report")
        process = run("sh", "-c", f"{COMMAND} memory --output {report} -- {self.program} 2>&-")
        self.assertRan(process)
        with open(report, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("nestbind memory: "))

    def test_files_that_may_not_grow(self):
        with open(os.path.join(self.folder, "errors"), "wb") as errors:
            process = run(COMMAND, "memory", "--", self.program, stderr=errors,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY)))
        self.assertRan(process)

    def test_few_descriptors(self):
        """The program must be able to use all file descriptors that the limit allows."""
        for most in (5, 6, 8, 12):
            with self.subTest(most):
                process = run(COMMAND, "memory", "--", self.program, "files",
                              preexec_fn=lambda most=most: resource.setrlimit(resource.RLIMIT_NOFILE, (most, 4096)))
                self.assertEqual((process.returncode, process.stdout), (3, "0 open\nran\n"), process.stderr)
                self.assertIn("\nregion ", process.stderr)

    def test_little_memory(self):
        process = run(COMMAND, "memory", "--", self.program,
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, resource.RLIM_INFINITY)))
        self.assertRan(process)

    def test_signals_are_passed_to_the_program(self):
        program = self.compile("signalled", source=r"""
#include <signal.h>
#include <stdio.h>
int main(void) {
  sigset_t both;
  int which = 0;
  sigemptyset(&both);
  sigaddset(&both, SIGUSR1);
  sigaddset(&both, SIGTERM);
  sigprocmask(SIG_BLOCK, &both, NULL);
  puts("waiting");
  fflush(stdout);
  sigwait(&both, &which);
  return which == SIGUSR1 ? 41 : 42;
}""")
        for one, status in ((signal.SIGUSR1, 41), (signal.SIGTERM, 42)):
            with subprocess.Popen([COMMAND, "memory", "--", program], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  encoding="utf-8") as process:
                self.assertEqual(process.stdout.readline(), "waiting\n")
                process.send_signal(one)
                self.assertEqual(process.wait(60), status)

    def test_program_that_becomes_another_user_costs_little(self):
        """The kernel ends the events of this program. Then the command must wait, and must not use a processor."""
        program = self.compile("sleeper", source="#include <unistd.h>\nint main(void) { sleep(3); return 3; }")
        os.chown(program, 65534 if os.geteuid() == 0 else -1, -1)
        os.chmod(program, 0o4755)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertStatus(run(COMMAND, "memory", "--", program), 3)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 0.5)

    def test_program_that_ends_like_one_that_cannot_be_executed(self):
        for status in (126, 127):
            program = self.compile(f"ends-{status}", source=PROGRAM.replace("return 3", f"return {status}"))
            process = nestbind("memory", "--", program)
            self.assertStatus(process, status)
            self.assertIn("\nregion ", process.stderr)
        process = nestbind("memory", "--", self.file("no-program", "", 0o644))
        self.assertStatus(process, 126)
        self.assertNotIn("report", process.stderr)

    def test_crafted_file_that_the_program_maps(self):
        """Its section table names a table of symbols that is larger than any memory."""
        with open(self.program, "rb") as file:
            header = bytearray(file.read(64))
        struct.pack_into("<Q", header, 40, 64)         # e_shoff
        struct.pack_into("<HHH", header, 58, 64, 2, 0)  # e_shentsize, e_shnum, e_shstrndx
        symbols = struct.pack("<IIQQQQIIQQ", 0, 2, 0, 0, 192, 1 << 60, 1, 0, 8, 24)
        crafted = os.path.join(self.folder, "crafted")
        with open(crafted, "wb") as file:
            file.write(bytes(header) + symbols + bytes(64))
            file.truncate(16 << 20)
        program = self.compile("mapping", source=PROGRAM.replace("char *p = malloc(16 << 20);", f"""
  char *p = mmap(0, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE, open("{crafted}", O_RDWR), 0);""").replace(
      "#include <unistd.h>", "#include <sys/mman.h>\n#include <unistd.h>"))
        process = nestbind("memory", "--", program)
        self.assertRan(process)
        self.assertIn("\nregion ", process.stderr)

    def test_watcher_without_memory_stays_the_programs_parent(self):
        """The limit applies to the command only, which looks at a large mapping."""
        program = self.compile("large", source=r"""
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static volatile sig_atomic_t is_told;
static void take(int which) { is_told = which; }
int main(void) {
  char *p = mmap(0, sysconf(_SC_PHYS_PAGES) * 2048, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  signal(SIGTERM, take);
  puts("ready");
  fflush(stdout);
  for (int i = 0; i < 100 && !is_told; ++i) usleep(100000), p[i] = 1;
  return is_told == SIGTERM ? 9 : 1;
}""")
        with subprocess.Popen([COMMAND, "memory", "--", "sh", "-c", f"read line; exec {program}"], env=environment(), stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
            time.sleep(0.5)
            with open(f"/proc/{process.pid}/statm", encoding="ascii") as file:
                pages = int(file.read().split()[0])
            resource.prlimit(process.pid, resource.RLIMIT_AS, (pages << 12, resource.RLIM_INFINITY))
            process.stdin.write("\n")
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), "ready\n")
            time.sleep(2)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGTERM)
            told = process.stderr.read()
            self.assertEqual(process.wait(20), 9, told)
        self.assertIn("no longer watched", told)

    def test_address_sanitizer(self):
        """It reserves more address space than a machine has memory."""
        program = self.compile("sanitized", source=PROGRAM)
        if subprocess.run(["gcc", "-fsanitize=address", program + ".c", "-o", program], capture_output=True, check=False).returncode != 0:
            self.skipTest("gcc has no AddressSanitizer")
        process = nestbind("memory", "--", program, env={"ASAN_OPTIONS": "detect_leaks=0"})
        self.assertRan(process)
        self.assertIn("\nregion ", process.stderr)

    def test_libdw_that_cannot_be_loaded(self):
        self.file("libdw.so.1", "no library")
        process = nestbind("memory", "--", self.program, env={"LD_LIBRARY_PATH": self.folder})
        self.assertRan(process)
        if "first touched" not in process.stderr:
            self.skipTest(process.stderr)
        self.assertIn("libdw", process.stderr)
        self.assertNotIn("not the user's", process.stderr)

    def test_bad_sizes_are_refused(self):
        for size in ("8M:" + os.path.join(self.folder, "elsewhere"), "8M,seconds=1", "8M,", "0", "8X", "99999999999999999999G"):
            process = nestbind("memory", "--min", size, "--", self.program)
            self.assertStatus(process, 2)
            self.assertEqual(process.stdout, "")
            self.assertIn(f"--min {size}: expected a size", process.stderr)

    def test_bad_seconds_are_refused(self):
        for seconds in ("0", "-1", "1e3", "x", "99999999999"):
            self.assertStatus(nestbind("memory", "--seconds", seconds, "--", self.program), 2)

    def test_unwatchable_programs_are_reported(self):
        """Tests a static program, a program that becomes another user, and programs that end abnormally."""
        static = self.compile("static", "-static", source=PROGRAM)
        setuid = self.compile("setuid", source=PROGRAM)
        os.chown(setuid, 65534 if os.geteuid() == 0 else -1, -1)
        os.chmod(setuid, 0o4755)
        for program in (static, setuid):
            process = nestbind("memory", "--", program)
            self.assertRan(process)
            self.assertRegex(process.stderr, "nothing to report: |first touched|its first touches were not seen")
        for name, line, status in (("aborting", "abort()", -signal.SIGABRT), ("raising", "raise(SIGPIPE)", -signal.SIGPIPE),
                                   ("leaving", "_exit(5)", 5)):
            program = self.compile(name, source=f"#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
                                                    f"int main(void) {{ {line}; return 0; }}")
            self.assertStatus(nestbind("memory", "--", program), status)


if __name__ == "__main__":
    unittest.main()
