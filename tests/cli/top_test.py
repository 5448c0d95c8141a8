# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind top with real programs on GCC's and LLVM's runtimes."""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from support import COMMAND, LIBRARY, TestCase, environment, nestbind, open_terminal, with_mount

PATIENCE = 60  # seconds to wait at most, for a busy machine

# Two threads stay in a region until the input ends. Then the program ends as its argument says.
STAYING = r"""
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile int over;
static void *stay(void *unused) {
#pragma omp parallel
  {
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      printf("%d\n", omp_get_num_threads());
      fflush(stdout);
      over = getchar() != 0;
    }
    while (!over) usleep(1000);
  }
  return unused;
}
int main(int argc, char **argv) {
  pthread_t other;
  if (argc > 1 && strcmp(argv[1], "leave") == 0) {
    pthread_create(&other, NULL, stay, NULL);
    pthread_exit(NULL);
  }
  stay(NULL);
  const char *end = argc > 1 ? argv[1] : "";
  if (strcmp(end, "_exit") == 0) _exit(0);
  if (strcmp(end, "exec") == 0) execlp("sleep", "sleep", "1000", (char *)NULL);
  return 0;
}
"""


class Program:
    """A running program whose threads are placed."""

    def __init__(self, program, *arguments, env, before=()):
        self.process = subprocess.Popen([*before, program, *arguments], env=env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
        self.threads = self.process.stdout.readline().strip()
        self.pid = self.process.pid

    def end(self):
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if not self.process.stdin.closed:
            self.process.stdin.close()
        self.process.stdout.close()


def wait_for(look, wanted):
    """Calls `look` until `wanted` accepts the result, and returns this result."""
    end = time.monotonic() + PATIENCE
    while True:
        seen = look()
        if wanted(seen) or time.monotonic() > end:
            return seen
        time.sleep(0.1)


class TopCase(TestCase):
    def setUp(self):
        self.published = tempfile.mkdtemp(prefix="published-", dir=self.folder)
        self.processors = sorted(os.sched_getaffinity(0))
        if len(self.processors) < 2:
            self.skipTest("there is one processor")
        self.env = {"NESTBIND_PUBLISH": self.published, "LC_ALL": "C.UTF-8"}

    def files(self):
        return os.listdir(self.published)

    def start(self, *arguments, compiler="gcc", specification="2,compact", preload=LIBRARY, before=(), **env):
        program = self.compile("staying-" + compiler, "-fopenmp", source=STAYING, compiler=compiler)
        variables = {**self.env, "OMP_NESTING_TEAM_SIZE": specification, "OMP_NUM_THREADS": "2", "LD_PRELOAD": preload, **env}
        running = Program(program, *arguments, env=environment(**variables), before=before)
        self.addCleanup(running.close)
        self.assertEqual(running.threads, "2")
        return running

    def top(self, *arguments):
        return nestbind("top", "-d", "0.1", *map(str, arguments), env=self.env)

    def seen(self, *arguments):
        """Runs nestbind top, and returns the processes in its JSON output."""
        process = self.top("--once", "--json", *arguments)
        self.assertStatus(process, 0)
        self.assertEqual(process.stderr, "")
        return json.loads(process.stdout)["processes"]

    def placed(self, process):
        return sorted((thread for thread in process["threads"] if thread["path"] is not None), key=lambda thread: thread["path"])


class Once(TopCase):
    def test_the_busiest_first(self):
        program = self.start()
        process, = self.seen(program.pid)
        shares = [thread["share"] for thread in process["threads"]]
        self.assertEqual(shares, sorted(shares, reverse=True))

    def test_planned_places(self):
        for compiler in ("gcc", "clang-19"):
            with self.subTest(compiler):
                program = self.start(compiler=compiler)
                process, = self.seen(program.pid)
                self.assertEqual((process["process"], process["published"], process["spec"], process["ended"]),
                                 (program.pid, True, "2,compact", False))
                first, second = self.placed(process)
                self.assertEqual((first["path"], second["path"]), ([0], [1]))
                self.assertEqual(first["thread"], program.pid)
                for thread, cpu in ((first, self.processors[0]), (second, self.processors[1])):
                    self.assertEqual((thread["planned"], thread["allowed"], thread["processor"]), ([cpu], [cpu], cpu))
                    self.assertEqual((thread["bound"], thread["pinned"], thread["wandered"]), (True, True, "no"))
                self.assertEqual(program.end(), 0)
                self.assertEqual(self.files(), [])

    def test_all_publishing_processes_are_shown(self):
        one, two = self.start(), self.start()
        told = {process["process"] for process in self.seen() if process["published"]}
        self.assertEqual(told, {one.pid, two.pid})

    def test_table(self):
        program = self.start()
        process = self.top("--once", program.pid)
        self.assertStatus(process, 0)
        lines = process.stdout.splitlines()
        self.assertRegex(lines[0], f"^process {program.pid}  .*staying-gcc$")
        self.assertTrue(lines[1].startswith("2,compact; 2 of "), lines[1])
        self.assertEqual(lines[3].split(), ["PATH", "THREAD", "PLANNED", "ALLOWED", "ON", "NODE", "SHARE", "S", "NAME", "NOTE"])
        self.assertEqual(lines[4].split()[:5], ["0", str(program.pid), *3 * [str(self.processors[0])]])

    def test_wandered(self):
        if shutil.which("taskset") is None:
            self.skipTest("there is no taskset")
        program = self.start()
        worker = self.placed(self.seen(program.pid)[0])[1]["thread"]
        everywhere = ",".join(map(str, self.processors))
        subprocess.run(["taskset", "-p", "-c", everywhere, str(worker)], check=True, stdout=subprocess.DEVNULL)
        first, second = self.placed(self.seen(program.pid)[0])
        self.assertEqual((first["wandered"], second["wandered"]), ("no", "mask"))
        self.assertEqual(second["allowed"], self.processors)
        self.assertIn("wandered: it may run on", self.top("--once", program.pid).stdout)

    def test_sorted(self):
        program = self.start()
        for key in ("thread", "processor", "share", "path"):
            process, = self.seen("--sort", key, program.pid)
            if key == "thread":
                numbers = [thread["thread"] for thread in process["threads"]]
                self.assertEqual(numbers, sorted(numbers))

    def test_without_nestbind(self):
        program = self.start(preload="")
        process, = self.seen(program.pid)
        self.assertEqual((process["published"], process["spec"]), (False, None))
        self.assertEqual(len(process["threads"]), 2)
        for thread in process["threads"]:
            self.assertEqual((thread["path"], thread["planned"], thread["allowed"]), (None, None, self.processors))
        self.assertEqual(self.files(), [])
        self.assertIn(f"nestbind doctor --pid {program.pid}", self.top("--once", program.pid).stdout)

    def test_turned_off(self):
        program = self.start(NESTBIND_PUBLISH="off")
        process, = self.seen(program.pid)
        self.assertFalse(process["published"])

    def test_usual_folder(self):
        program = self.start(NESTBIND_PUBLISH="")
        self.env["NESTBIND_PUBLISH"] = ""
        process, = self.seen(program.pid)
        self.assertTrue(process["published"])

    def test_bad_variable(self):
        process = nestbind("run", "2,compact", "--", "true", env={"NESTBIND_PUBLISH": "here"})
        self.assertStatus(process, 2)
        self.assertIn("NESTBIND_PUBLISH=here: expected off, or the name of a folder, beginning with /", process.stderr)

    def test_no_process_to_show(self):
        """If no program runs with nestbind, the command must say so. If other programs of this machine run with nestbind, it prints a
        table."""
        process = self.top("--once")
        self.assertStatus(process, 0)
        self.assertEqual(len(process.stderr.splitlines()), 0 if process.stdout else 1, process.stderr)

    def test_missing_process(self):
        process = self.top("--once", 4194303)
        self.assertEqual((process.returncode, process.stdout, process.stderr), (1, "", "nestbind: top: there is no process 4194303\n"))
        for arguments in (("-d", "0"), ("--sort", "name"), ("x",), ("0",)):
            with self.subTest(arguments):
                self.assertEqual(nestbind("top", "--once", *arguments).returncode, 2)


class Ends(TopCase):
    def test_killed(self):
        program = self.start()
        self.assertEqual(len(self.files()), 1)
        program.process.kill()
        program.process.wait()
        self.assertEqual(len(self.files()), 1)
        self.assertNotIn(program.pid, [process["process"] for process in self.seen()])
        self.assertEqual(self.files(), [])

    def test_left_file_is_removed_by_the_next_program(self):
        program = self.start("_exit")
        self.assertEqual(program.end(), 0)
        left = self.files()
        self.assertEqual(len(left), 1)
        self.start()
        self.assertNotIn(left[0], self.files())

    def test_exec_of_another_program(self):
        program = self.start("exec")
        before, = self.seen(program.pid)
        self.assertTrue(before["published"])
        program.process.stdin.close()
        process, = wait_for(lambda: self.seen(program.pid), lambda seen: not seen[0]["published"])
        self.assertFalse(process["published"])
        self.assertEqual(self.placed(process), [])
        self.assertEqual(self.files(), [])

    def test_end_of_a_watched_process(self):
        program = self.start()
        watching = subprocess.Popen([COMMAND, "top", "--json", "-d", "0.1", str(program.pid)], env=environment(**self.env),
                                    stdout=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(watching.stdout.close)
        self.assertFalse(json.loads(watching.stdout.readline())["processes"][0]["ended"])
        program.end()
        lines = watching.stdout.readlines()
        self.assertTrue(json.loads(lines[-1])["processes"][0]["ended"])
        self.assertEqual(watching.wait(PATIENCE), 0)

    def test_full_file_system(self):
        """If the file system is full, nothing is published, and nothing else may change."""
        isolated = with_mount(self.published, "size=4k")
        variables = " ".join(f"{name}={value}" for name, value in (("OMP_NESTING_TEAM_SIZE", "2,compact"), ("LD_PRELOAD", LIBRARY)))
        program = self.start(preload="", specification="", before=[*isolated, "env", *variables.split()])
        self.assertFalse(self.seen(program.pid)[0]["published"])
        self.assertEqual(program.end(), 0)

    def test_without_its_first_thread(self):
        """After pthread_exit of the initial thread, the kernel shows the process as a zombie, but its other threads run."""
        program = self.start("leave")

        def state():
            with open(f"/proc/{program.pid}/stat", encoding="utf-8") as file:
                return file.read()

        self.assertIn(") Z ", wait_for(state, lambda text: ") Z " in text))
        process, = self.seen(program.pid)
        self.assertEqual((process["published"], process["ended"]), (True, False))
        self.assertEqual([thread["path"] for thread in self.placed(process)], [[0], [1]])
        self.assertIn(program.pid, [process["process"] for process in self.seen()])
        self.assertEqual(len(self.files()), 1)
        self.assertEqual(program.end(), 0)
        self.assertEqual(self.files(), [])

    def test_full_output(self):
        """The message must be printed once."""
        program = self.start()
        with open("/dev/full", "w", encoding="utf-8") as full:
            process = subprocess.run([COMMAND, "top", "--once", "-d", "0.1", str(program.pid)], env=environment(**self.env),
                                     check=False, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", timeout=PATIENCE)
        self.assertEqual((process.returncode, process.stderr), (1, "nestbind: cannot write: No space left on device\n"))


class Screen(TopCase):
    def setUp(self):
        super().setUp()
        if shutil.which("tmux") is None:
            self.skipTest("there is no tmux")
        for end in open_terminal():
            os.close(end)
        self.socket = os.path.join(self.published + "-tmux")
        self.addCleanup(lambda: self.tmux("kill-server", check=False))

    def tmux(self, *arguments, check=True):
        return subprocess.run(["tmux", "-S", self.socket, "-f", "/dev/null", *arguments], env=environment(**self.env), check=check,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8").stdout

    def watch(self, *arguments, size=(100, 30), command=COMMAND):
        command = " ".join([command, "top", "-d", "0.2", *map(str, arguments)])
        self.tmux("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]),
                  f"stty -a > {self.socket}.before; {command}; echo status $?; stty -a > {self.socket}.behind; cat")

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def await_text(self, *texts):
        seen = wait_for(self.screen, lambda screen: all(text in screen for text in texts))
        for text in texts:
            self.assertIn(text, seen)
        return seen

    def assertRestored(self):
        """Checks that the terminal has its old settings again at the end, and its normal screen."""
        def settings(name):
            with open(f"{self.socket}.{name}", encoding="utf-8") as file:
                return re.sub("rows [0-9]+; columns [0-9]+; ", "", file.read())
        wait_for(lambda: os.path.exists(self.socket + ".behind") and settings("behind"), bool)
        self.assertEqual(settings("behind"), settings("before"))
        self.assertEqual(self.tmux("display-message", "-p", "#{alternate_on}").strip(), "0")

    def test_shows_and_sorts_and_quits(self):
        program = self.start()
        self.watch(program.pid)
        shown = self.await_text("nestbind top  by share", "2,compact; 2 of", "PATH")
        rows = [line.split() for line in shown.splitlines() if str(program.pid) in line.split()[1:2]]
        self.assertIn("0", [row[0] for row in rows])
        for key in ("processor", "thread", "path", "share"):
            self.tmux("send-keys", "s")
            self.await_text(f"nestbind top  by {key}")
        self.tmux("send-keys", "t")
        self.assertNotIn("PLANNED", wait_for(self.screen, lambda screen: "PLANNED" not in screen))
        self.tmux("send-keys", "h")
        self.await_text("arrows, page keys")
        self.tmux("send-keys", "q")
        self.await_text("status 0")
        self.assertRestored()

    def test_resized_window(self):
        program = self.start()
        self.watch(program.pid)
        self.await_text("nestbind top  by share", "process")
        self.tmux("resize-window", "-x", "30", "-y", "5")
        self.await_text("nestbind top")
        self.tmux("resize-window", "-x", "120", "-y", "50")
        self.await_text("NOTE")
        self.tmux("send-keys", "C-c")
        self.await_text("status 0")
        self.assertRestored()

    def test_end_of_the_program(self):
        program = self.start()
        self.watch(program.pid)
        self.await_text("2,compact; 2 of")
        program.process.kill()
        program.process.wait()
        self.await_text("it has ended")
        self.tmux("send-keys", "q")
        self.await_text("status 0")

    def test_terminated(self):
        program = self.start()
        self.watch(program.pid)
        self.await_text("2,compact; 2 of")
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        watching = subprocess.run(["pgrep", "-P", shell, "nestbind"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        os.kill(int(watching), signal.SIGTERM)
        self.await_text("status 143")
        self.assertRestored()

    def test_killed(self):
        program = self.start()
        before = self.files()
        self.watch(program.pid)
        self.await_text("2,compact; 2 of")
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        watching = subprocess.run(["pgrep", "-P", shell, "nestbind"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        os.kill(int(watching), signal.SIGKILL)
        wait_for(lambda: os.path.exists(self.socket + ".behind"), bool)
        self.assertEqual(self.files(), before)
        self.assertEqual(program.end(), 0)

    def test_dumb_terminal(self):
        """The terminal cannot draw a screen, like the terminal in an editor's window."""
        self.watch(self.start().pid, command="env TERM=dumb " + COMMAND)
        self.await_text("TERM names no terminal", "status 1")

    def test_built_without_ncurses(self):
        """If the module for the screen is not installed, the command must print a message, and --once must work."""
        program = self.start()
        folder = tempfile.mkdtemp(dir=self.folder)
        for file, name in ((COMMAND, "bin/nestbind"), (LIBRARY, "lib/libnestbind.so")):
            os.makedirs(os.path.join(folder, os.path.dirname(name)))
            shutil.copy(file, os.path.join(folder, name))
        command = os.path.join(folder, "bin/nestbind")
        self.watch(program.pid, command=command)
        self.await_text("built without ncurses", "status 1")
        self.assertStatus(nestbind("top", "--once", "-d", "0.1", str(program.pid), command=command), 0)

    def test_pages(self):
        program = self.start()
        self.watch(program.pid)
        self.await_text("2,compact; 2 of")
        self.tmux("send-keys", "n")
        if os.path.exists(f"/proc/{program.pid}/numa_maps"):
            self.await_text("MiB")
            self.tmux("send-keys", "n")
            self.await_text("pages: again in")
        else:
            self.await_text("the kernel does not show pages")


if __name__ == "__main__":
    unittest.main()
