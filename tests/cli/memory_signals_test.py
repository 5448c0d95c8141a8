# SPDX-License-Identifier: BSD-3-Clause
"""Tests that a program under nestbind memory gets each signal once, and that a shell controls it as a job like any other program."""
import os
import re
import select
import signal
import subprocess
import time
import unittest

from support import COMMAND, TestCase, environment, fork_in_terminal

# Waits for a first signal, and counts signals for the given number of seconds from then on, or until SIGUSR2. It writes a line for each
# signal, so that a test can wait for the signal and need not guess how long it takes.
COUNTING = r"""
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile sig_atomic_t counts[32];
static volatile sig_atomic_t is_signalled;
static void count(int which) {
  char line[] = "got 00\n";
  line[4] += which / 10;
  line[5] += which % 10;
  ++counts[which];
  is_signalled = 1;
  if (write(1, line, 7) != 7) _exit(1);
}
int main(int argc, char** argv) {
  const int which[] = {SIGHUP, SIGINT, SIGUSR1, SIGUSR2, SIGTERM, SIGALRM, SIGXCPU, SIGCONT};
  for (int i = 0; i < 8; ++i) signal(which[i], count);
  puts("ready");
  fflush(stdout);
  for (int i = 0; i < 600 && !is_signalled; ++i) usleep(100000);
  for (int i = 0; i < 10 * atoi(argv[1]) && counts[SIGUSR2] == 0; ++i) usleep(100000);
  usleep(100000);
  for (int i = 1; i < 32; ++i)
    if (counts[i] && i != SIGUSR2) printf("%d:%d ", i, (int)counts[i]);
  puts("counted");
  return 5;
}
"""

STOPPING = r"""
#include <signal.h>
#include <stdio.h>
int main(void) {
  puts("stopping");
  fflush(stdout);
  raise(SIGTSTP);
  puts("went on");
  return 6;
}
"""

PROMPT = "prompt\\$ "
STATES = "ps -o stat=,comm= | grep counting"  # of the processes in this terminal
CONTINUED = f"got {int(signal.SIGCONT)}\r\n"


class Shell:
    """An interactive shell in a terminal."""

    def __init__(self, test):
        self.process, self.terminal = fork_in_terminal()
        if self.process == 0:
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"],
                       environment(PS1="prompt$ ", HISTFILE="", TERM="dumb", BASH_SILENCE_DEPRECATION_WARNING="1"))
        test.addCleanup(self.close)
        self.test = test
        self.expect(PROMPT)

    def close(self):
        os.close(self.terminal)
        try:
            os.kill(self.process, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.process, 0)

    def expect(self, pattern, seconds=60):
        """Returns the text up to the pattern."""
        end, text = time.monotonic() + seconds, ""
        while not re.search(pattern, text):
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                self.test.fail(f"no {pattern!r} in {text!r}")
            text += os.read(self.terminal, 1).decode(errors="replace")
        return text

    def type(self, text):
        os.write(self.terminal, text.encode())

    def start(self, line, pattern="ready\r\n"):
        self.type(line + "\n")
        self.expect(pattern)
        time.sleep(0.3)  # a shell that has just written a line starts the next command

    def type_until(self, line, pattern):
        """Runs a short command until its output has the pattern."""
        end = time.monotonic() + 60
        while not re.search(pattern, text := self.told(line)):
            if time.monotonic() > end:
                self.test.fail(f"no {pattern!r} in {text!r}")
            time.sleep(0.1)

    def told(self, line):
        """Runs a short command, and returns its output."""
        self.type(line + "\n")
        self.expect("\n")
        return self.expect(PROMPT).rsplit("prompt$ ", 1)[0].replace("\r\n", "\n").strip()


class Signals(TestCase):
    def setUp(self):
        self.program = self.compile("counting", source=COUNTING)

    def started(self, *words, **options):
        process = subprocess.Popen([COMMAND, "memory", "--", *words], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   encoding="utf-8", **options)
        self.addCleanup(process.stdout.close)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def arrives(self, process, one):
        """Waits until the program has got the signal, and until the command has handled it: it cannot tell apart signals that come faster."""
        self.assertEqual(process.stdout.readline(), f"got {int(one):02}\n")
        end = time.monotonic() + 60
        while self.is_busy(process.pid) and time.monotonic() < end:
            time.sleep(0.01)

    @staticmethod
    def is_busy(command):
        """Whether a signal waits for the command or a child of it, or the command's handler runs (it blocks the signals)."""
        with open(f"/proc/{command}/task/{command}/children", encoding="ascii") as file:
            processes = [command, *map(int, file.read().split())]
        for process in processes:
            with open(f"/proc/{process}/status", encoding="utf-8") as file:
                text = file.read()
            masks = {name: int(mask, 16) for name, mask in re.findall(r"^(ShdPnd|SigPnd|SigBlk):\t(\w+)", text, re.M)}
            if masks["ShdPnd"] or masks["SigPnd"] or (process == command and masks["SigBlk"] >> (signal.SIGUSR1 - 1) & 1):
                return True
        return False

    def counted(self, process):
        """Returns the counts, after another signal has ended the program."""
        process.send_signal(signal.SIGUSR2)
        text = process.stdout.read()
        self.assertEqual(process.wait(60), 5, text)
        return {int(one): int(count) for one, count in re.findall(r"(\d+):(\d+)", text)}

    def test_signal_to_the_group_arrives_once(self):
        """The command leads the group, or a shell, or a session."""
        for options in ({"preexec_fn": os.setpgrp}, {"start_new_session": True}):
            for one in (signal.SIGUSR1, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
                with self.subTest(one.name, **{name: str(value) for name, value in options.items()}):
                    process = self.started(self.program, "20", **options)
                    os.killpg(process.pid, one)
                    self.arrives(process, one)
                    os.killpg(process.pid, one)
                    self.arrives(process, one)
                    self.assertEqual(self.counted(process), {one: 2})

    def test_signal_to_the_command_arrives_once(self):
        for one in (signal.SIGUSR1, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM, signal.SIGXCPU, signal.SIGCONT):
            with self.subTest(one.name):
                process = self.started(self.program, "20", preexec_fn=os.setpgrp)
                process.send_signal(one)
                self.arrives(process, one)
                self.assertEqual(self.counted(process), {one: 1})

    def test_group_and_command_in_turn(self):
        process = self.started(self.program, "20", preexec_fn=os.setpgrp)
        for _ in range(3):
            os.killpg(process.pid, signal.SIGUSR1)
            self.arrives(process, signal.SIGUSR1)
            process.send_signal(signal.SIGUSR1)
            self.arrives(process, signal.SIGUSR1)
        self.assertEqual(self.counted(process), {signal.SIGUSR1: 6})

    def test_program_that_has_left_the_group(self):
        process = self.started("setsid", self.program, "20", preexec_fn=os.setpgrp)
        os.killpg(process.pid, signal.SIGUSR1)
        self.arrives(process, signal.SIGUSR1)
        self.assertEqual(self.counted(process), {signal.SIGUSR1: 1})

    def test_each_process_is_signalled(self):
        """As job managers do."""
        process = self.started(self.program, "20", start_new_session=True)
        told = subprocess.run(["ps", "-o", "pid=", "-g", str(process.pid)], capture_output=True, encoding="utf-8", check=True).stdout
        members = sorted(int(number) for number in told.split())
        self.assertIn(process.pid, members)
        for number in members:
            os.kill(number, signal.SIGTERM)
        self.arrives(process, signal.SIGTERM)
        self.assertEqual(self.counted(process), {signal.SIGTERM: 1})

    def test_nothing_is_left(self):
        process = subprocess.run([COMMAND, "memory", "--", "sh", "-c", "exit 4"], env=environment(), stderr=subprocess.DEVNULL, check=False,
                                 start_new_session=True)
        self.assertEqual(process.returncode, 4)
        left = subprocess.run(["ps", "-eo", "comm,stat"], capture_output=True, encoding="utf-8", check=True).stdout
        self.assertNotRegex(left, r"(?m)^nestbind .*Z")


class Jobs(TestCase):
    def setUp(self):
        self.program = self.compile("counting", source=COUNTING)
        self.memory = f"{COMMAND} memory --output {os.devnull} --"
        self.shell = Shell(self)

    def test_ctrl_c(self):
        self.shell.start(f"{self.memory} sh -c 'echo re\"\"ady; sleep 20'")
        self.shell.type("\x03")
        self.shell.expect(PROMPT)
        self.assertEqual(self.shell.told("echo $?"), "130")

    def test_ctrl_c_is_counted_once(self):
        self.shell.start(f"{self.memory} {self.program} 1")
        self.shell.type("\x03")
        self.assertIn(f"{int(signal.SIGINT)}:1 counted", self.shell.expect(PROMPT))

    def test_ctrl_c_ends_a_script(self):
        script = self.file("script.sh", f"for i in 1 2 3; do {self.memory} sh -c 'echo ready; sleep 20'; done\necho not ended\n")
        self.shell.start("bash " + script)
        self.shell.type("\x03")
        self.assertNotIn("not ended", self.shell.expect(PROMPT))

    def test_ctrl_backslash(self):
        self.shell.start(f"ulimit -c 0; {self.memory} sh -c 'echo re\"\"ady; sleep 20'")
        self.shell.type("\x1c")
        self.shell.expect(PROMPT)
        self.assertEqual(self.shell.told("echo $?"), "131")

    def test_ctrl_z_then_fg_and_bg(self):
        self.shell.start(f"{self.memory} {self.program} 5")
        self.shell.type("\x1a")
        self.shell.expect("Stopped.*\n")
        self.shell.expect(PROMPT)
        self.shell.type_until(STATES, "^T")
        self.shell.type("fg\n")
        self.shell.expect(CONTINUED)
        time.sleep(0.5)  # the terminal is given to the program after the signal
        self.shell.type("\x1a")
        self.shell.expect("Stopped.*\n")
        self.shell.expect(PROMPT)
        self.shell.type("bg\n")
        self.assertRegex(self.shell.expect("counted"), rf"\b{int(signal.SIGCONT)}:2 ")
        self.assertEqual(self.shell.told("wait %1; echo $?").splitlines()[-1], "5")

    def test_program_that_stops_itself(self):
        self.shell.start(f"{self.memory} {self.compile('stopping', source=STOPPING)}", "stopping\r\n")
        self.shell.expect("Stopped.*\n")
        self.shell.expect(PROMPT)
        self.shell.type("fg\n")
        self.shell.expect("went on")
        self.shell.expect(PROMPT)
        self.assertEqual(self.shell.told("echo $?"), "6")

    def test_stopped_program_is_continued_by_a_signal_to_the_command(self):
        self.shell.start(f"{self.memory} {self.compile('stopping', source=STOPPING)}", "stopping\r\n")
        self.shell.expect("Stopped.*\n")
        self.shell.expect(PROMPT)
        self.shell.type("kill -CONT $(jobs -p %1)\n")
        self.shell.expect("went on")
        self.assertEqual(self.shell.told("wait %1; echo $?").splitlines()[-1], "6")

    def test_group_is_stopped_and_continued(self):
        self.shell.start(f"{self.memory} {self.program} 1 &")
        self.shell.told("kill -STOP %1")
        self.shell.type_until("jobs", "Stopped")
        self.shell.type_until(STATES, "^T")
        self.shell.type("kill -CONT %1\n")
        self.shell.expect(f"{int(signal.SIGCONT)}:1 counted")

    def test_kill_of_a_job(self):
        self.shell.start(f"{self.memory} {self.program} 2 &")
        self.shell.told("kill %1")
        self.shell.expect(rf"\b{int(signal.SIGTERM)}:1 ")

    def test_background_read_stops(self):
        self.shell.start(f"{self.memory} sh -c 'echo re\"\"ady; read line; echo got $line' &")
        self.shell.type_until("echo; jobs", "Stopped")
        self.shell.type("fg\n")
        self.shell.expect("read line.*\n")
        self.shell.type("word\n")
        self.shell.expect("got word")

    def test_background_job_leaves_the_terminal_alone(self):
        self.shell.start(f"{self.memory} {self.program} 20 &")
        self.assertEqual(self.shell.told("read line; echo got $line\nword").splitlines()[-1], "got word")
        self.shell.type("\x03")
        self.shell.expect(PROMPT)
        self.shell.told("kill -USR2 %1")
        self.assertNotIn(":", self.shell.expect("counted"))

    def test_background_job_comes_to_the_foreground(self):
        """The shell sends no signal for this."""
        self.shell.start(f"{self.memory} sh -c 'echo re\"\"ady; sleep 20' &")
        self.shell.type("fg\n")
        time.sleep(0.5)
        self.shell.type("\x03")
        self.shell.expect(PROMPT)
        self.assertEqual(self.shell.told("echo $?"), "130")

    def test_pager(self):
        """Another program of the pipeline reads the terminal."""
        self.shell.start(f"{self.memory} sh -c 'echo output; sleep 1' | sh -c 'cat; echo re\"\"ady; read key < /dev/tty; echo key $key'")
        self.shell.type("q\n")
        self.shell.expect("key q")
        self.shell.expect(PROMPT)

    def test_killed_command_leaves_the_terminal_to_the_shell(self):
        self.shell.start(f"{self.memory} sh -c 'echo re\"\"ady; kill -KILL $PPID; sleep 1; echo lives'", "Killed")
        self.shell.expect(PROMPT)
        self.assertEqual(self.shell.told("read line; echo got $line\nword").splitlines()[-1], "got word")
        self.shell.expect("lives")

    def test_hangup(self):
        """The command leads the session, so the kernel sends SIGHUP to it alone."""
        report = os.path.join(self.folder, "hangup")
        process, terminal = fork_in_terminal()
        if process == 0:
            os.execve(COMMAND, [COMMAND, "memory", "--", "sh", "-c", f"trap 'echo hangup > {report}; exit' HUP; echo ready; while :; do sleep 0.1; done"],
                      environment())
        text = ""
        while "ready" not in text:
            text += os.read(terminal, 100).decode()
        os.close(terminal)
        end = time.monotonic() + 60
        while not os.path.exists(report) and time.monotonic() < end:
            time.sleep(0.1)
        ended = os.path.exists(report)
        if not ended:
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        self.assertTrue(ended)


if __name__ == "__main__":
    unittest.main()
