# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind tune with programs that print a score, which depends on their environment variables."""
import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

from support import COMMAND, FORKING, TestCase, environment, fork_in_terminal, nestbind, open_terminal

# Prints a score for each way of binding. The process's number adds some noise, which is smaller than the differences between scores.
SCORE = r"""#!/bin/sh
noise=$(( $$ %% 7 ))
case "$OMP_NESTING_TEAM_SIZE/$OMP_PROC_BIND/$OMP_NUM_THREADS/$NESTBIND_SCHEDULE/$OMP_SCHEDULE" in
%s
*) score=100;;
esac
echo "warming up: 999"
echo "score: $score$noise"
"""
METRIC = ("--metric", "^score: ([0-9]+)$")


def tune(*arguments, **keywords):
    return nestbind("tune", *arguments, **keywords)


def rows_of(text):
    """Returns the names of the candidates in the order of the ranking, without dropped candidates."""
    table = text.split("\n\n", 1)[1].split("\nverdict")[0].split("  dropped in")[0].split("  out:")[0]
    return [re.sub(r"\s{2,}.*", "", line[6:]) for line in table.splitlines()[1:] if line.strip()]


class TuneTestCase(TestCase):
    def program(self, *cases, name="score", extra=""):
        return self.file(name, SCORE % "\n".join(cases) + extra, 0o755)

    def tune(self, *arguments, specs="2,scatter;2,compact", **keywords):
        return tune("--candidates", specs, *METRIC, *arguments, **keywords)


# This program has two regions. It prints the number of threads of the longer region, with some noise.
REGIONS = r"""
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
  int threads = 0;
#pragma omp parallel /* longest: its time includes the start of threads */
  {
    usleep(50000);
#pragma omp master
    threads = omp_get_num_threads();
  }
#pragma omp parallel
  usleep(1);
  printf("score: %d%d\n", threads, getpid() % 7);
  return 0;
}
"""


class Rules(TuneTestCase):
    def test_rules_of_the_longest_region(self):
        if "libdw" in nestbind("lines", os.devnull).stderr:
            self.skipTest("no libdw")
        program = self.compile("regions", "-fopenmp", "-g", source=REGIONS)
        line = next(number for number, text in enumerate(REGIONS.splitlines(), 1) if "longest" in text)
        process = tune("--rules", "--candidates", "1,scatter;2,scatter", *METRIC, "--lower", "--", program, env={"OMP_NUM_THREADS": "4"})
        self.assertStatus(process, 0)
        rule = f"regions.c:{line} 1,scatter"
        self.assertIn(f"regions.c:{line} takes ", process.stderr)
        self.assertEqual(rows_of(process.stdout), [rule, f"regions.c:{line} 2,scatter", "unbound"])
        self.assertIn(f"the rule (nestbind run --rules=FILE):\n    {rule}\n", process.stdout)

    def test_without_regions(self):
        process = tune("--rules", "--", self.file("nothing", "#!/bin/sh\nexit 0\n", 0o755))
        self.assertStatus(process, 1)
        self.assertIn("has no parallel region", process.stderr)


class Ranking(TuneTestCase):
    def test_nesting_that_only_specifications_turn_on_is_said(self):
        program = self.program()
        for specs, env, is_said in (("2,scatter,2,subcompact", {}, True), ("2,scatter", {}, False),
                                    ("2,scatter,2,subcompact", {"OMP_MAX_ACTIVE_LEVELS": "2"}, False),
                                    ("2,scatter,2,subcompact", {"OMP_NUM_THREADS": "2,2"}, False)):
            with self.subTest(specs, env=env):
                process = self.tune("--lower", "--rounds", "11", "--", program, specs=specs, env=env)
                self.assertEqual("OMP_MAX_ACTIVE_LEVELS" in process.stderr, is_said, process.stderr)

    def test_the_best_is_found(self):
        program = self.program("2,compact/*) score=90;;", "2,scatter/*) score=120;;")
        results = os.path.join(self.folder, "best.json")
        process = self.tune("--lower", "--json", results, "--", program)
        self.assertStatus(process, 0)
        self.assertEqual(rows_of(process.stdout)[0], "2,compact", process.stdout)
        self.assertRegex(process.stdout, r"\nverdict: 2,compact .*unbound.* 0\.(89|90)\d .*p = 0\.000\d")
        self.assertIn('\n    eval "$(nestbind run --print-env 2,compact)" || exit\n', process.stdout)
        self.assertIn("seed 1", process.stdout)
        with open(results, encoding="utf-8") as file:
            found = json.load(file)["layouts"]
        self.assertEqual((found["finding"], found["recommended"], found["complete"]), ("better", "2,compact", True))
        self.assertEqual(found["line"], 'eval "$(nestbind run --print-env 2,compact)" || exit')
        self.assertEqual(len(found["candidates"][0]["final"]), 15)
        self.assertEqual({one["state"] for one in found["candidates"]}, {"in", "dropped"})
        self.assertEqual(len(found["candidates"]), 5)
        self.assertEqual(len(found["tests"]), 6)

    def test_more_is_better(self):
        program = self.program("2,compact/*) score=90;;", "2,scatter/*) score=120;;")
        process = self.tune("--higher", "--", program)
        self.assertStatus(process, 0)
        self.assertEqual(rows_of(process.stdout)[0], "2,scatter", process.stdout)
        self.assertIn("\nverdict: 2,scatter ", process.stdout)

    def test_no_difference(self):
        process = self.tune("--lower", "--", self.file("equal", "#!/bin/sh\necho score: 7\n", 0o755))
        self.assertStatus(process, 0)
        self.assertRegex(process.stdout, r"\nverdict: no .*unbound.*=spread,close.*=close,close.*2,(scatter|compact)\n")
        self.assertNotRegex(process.stdout, r"\n +(eval|export) ")

    def test_the_runtimes_own(self):
        program = self.program("/spread,close/*) score=80;;", name="native")
        process = self.tune("--lower", "--", program)
        self.assertStatus(process, 0)
        self.assertIn("\nverdict: OMP_PROC_BIND=spread,close ", process.stdout)
        self.assertIn("    export OMP_PROC_BIND=spread,close OMP_PLACES=cores\n", process.stdout)

    def test_shapes(self):
        program = self.program("/close,close/1,2/*) score=70;;",
                               "//2,1/*) score=95;;", name="shapes")
        results = os.path.join(self.folder, "shapes.json")
        process = self.tune("--shapes", "1x2,2x1", "--lower", "--json", results, "--", program)
        self.assertStatus(process, 0)
        self.assertIn("\nverdict: OMP_PROC_BIND=close,close 1x2 ", process.stdout)
        self.assertIn("export OMP_NUM_THREADS=1,2 OMP_MAX_ACTIVE_LEVELS=2 OMP_PROC_BIND=close,close OMP_PLACES=cores\n",
                      process.stdout)
        with open(results, encoding="utf-8") as file:
            names = {one["name"] for one in json.load(file)["layouts"]["candidates"]}
        self.assertEqual(names, {"unbound", "unbound 1x2", "unbound 2x1", "OMP_PROC_BIND=spread,close 1x2",
                                 "OMP_PROC_BIND=close,close 1x2", "OMP_PROC_BIND=spread,close 2x1",
                                 "OMP_PROC_BIND=close,close 2x1", "2,scatter", "2,compact"})

    def test_suggestions(self):
        """Without --candidates, the candidates come from nestbind suggest."""
        suggested = nestbind("suggest", "1x2", "--format", "json")
        names = {one["spec"] for one in json.loads(suggested.stdout)["suggestions"]}
        results = os.path.join(self.folder, "suggested.json")
        process = tune("--shapes", "1x2", *METRIC, "--lower", "--json", results, "--", self.program())
        self.assertStatus(process, 0)
        with open(results, encoding="utf-8") as file:
            found = {one["spec"] for one in json.load(file)["layouts"]["candidates"] if one["spec"]}
        self.assertEqual(found, names)

    def test_schedules(self):
        """After the layouts, tune tries 71 schedules, of which 66 are hybrid. 64 hybrid schedules combine one of 8 fractions with one of 8
        chunks."""
        program = self.program("2,compact//2/hybrid,f=0.75,chunk=8/*) score=70;;", "2,compact/*) score=90;;",
                               name="schedules")
        results = os.path.join(self.folder, "schedules.json")
        process = self.tune("--schedule", "--rounds", "11", "--lower", "--json", results, "--", program)
        self.assertStatus(process, 0)
        self.assertIn("\nverdict: hybrid,f=0.75,chunk=8 ", process.stdout)
        self.assertIn('eval "$(nestbind run --print-env --schedule=hybrid,f=0.75,chunk=8 2,compact)" || exit',
                      process.stdout)
        with open(results, encoding="utf-8") as file:
            found = json.load(file)["schedules"]["candidates"]
        self.assertEqual(len(found), 71)
        self.assertEqual(len({one["name"] for one in found}), 71)

    def test_the_job_scripts_line_repeats_the_run(self):
        program = self.program("2,compact/*) score=80;;", name="line")
        process = self.tune("--lower", "--", program)
        line = re.search(r"\n    (eval .*)", process.stdout).group(1)
        folder = os.path.dirname(COMMAND)
        again = subprocess.run(["sh", "-c", line + f"\n{program}"], capture_output=True, encoding="utf-8", check=True,
                               env=environment(PATH=folder + ":" + os.environ["PATH"]))
        self.assertRegex(again.stdout, r"score: 80\d\n")


class Programs(TuneTestCase):
    def test_another_exit_status(self):
        program = self.program("2,compact/*) exit 3;;", name="status")
        process = self.tune("--lower", "--", program)
        self.assertStatus(process, 0)
        self.assertRegex(process.stdout, r"  out:\n      2,compact: .*\b3\b.*\b0\n")

    def test_its_own_status(self):
        program = self.program(name="own", extra="exit 4\n")
        process = self.tune("--lower", "--", program)
        self.assertStatus(process, 0)
        self.assertRegex(process.stderr, r"\b4\b.* unbound")
        self.assertNotIn("  out:", process.stdout)

    def test_a_signal(self):
        program = self.program("2,compact/*) kill -SEGV $$;;", name="killed")
        process = self.tune("--lower", "--", program)
        self.assertStatus(process, 0)
        self.assertRegex(process.stdout, r"      2,compact: .*\b11\b")

    def test_check(self):
        program = self.program(name="check", extra='echo "step $$"; echo "residual ${OMP_NESTING_TEAM_SIZE:-none}" >&2\n')
        process = self.tune("--lower", "--check", "^residual", "--", program)
        self.assertStatus(process, 0)
        for spec in ("2,compact", "2,scatter"):
            self.assertRegex(process.stdout, f'      {spec}: .*"residual {spec}".*"residual none"')

    def test_check_of_nothing(self):
        program = self.program(name="check", extra='echo "step $$"\n')
        process = self.tune("--lower", "--check", "^residual", "--", program)
        self.assertStatus(process, 1)
        self.assertIn("--check: ", process.stderr)
        self.assertEqual(process.stdout, "")

    def test_check_of_changing_output(self):
        process = self.tune("--lower", "--check", "^step", "--", self.program(name="check", extra='echo "step $$"\n'))
        self.assertStatus(process, 1)
        self.assertIn("--check ", process.stderr)

    def test_no_number(self):
        program = self.program("2,compact/*) score=x;;", name="number")
        process = self.tune("--lower", "--", program)
        self.assertStatus(process, 0)
        self.assertRegex(process.stdout, "      2,compact: .*--metric")
        process = tune("--metric", "speed: (.*)", "--lower", "--candidates", "2,scatter", "--", program)
        self.assertStatus(process, 1)
        self.assertRegex(process.stderr, "--metric.*unbound")

    def test_hung(self):
        """If a program hangs, tune must end the program and its child processes."""
        program = self.program("2,compact/*) sleep 1000 & echo $! >>started; wait;;", name="hung")
        process = self.tune("--timeout", "1", "--lower", "--", program, cwd=self.folder)
        self.assertStatus(process, 0)
        self.assertRegex(process.stdout, r"      2,compact: .* 1\.\d s\n")
        with open(os.path.join(self.folder, "started"), encoding="utf-8") as file:
            status = f"/proc/{file.read().strip()}/status"
        # The child may still be a zombie, because its new parent has not waited for it.
        if os.path.exists(status):
            with open(status, encoding="utf-8") as file:
                self.assertIn("State:\tZ", file.read())

    def test_input_and_output(self):
        """Each run must read all of the input."""
        words = self.file("words", "one\ntwo\n")
        program = self.file("reads", "#!/bin/sh\ncat >&2\necho score: 1\n", 0o755)
        kept = os.path.join(self.folder, "kept")
        process = self.tune("--lower", "--rounds", "11", "--check", "^(one|two)$", "--input", words, "--keep", kept, "--", program)
        self.assertStatus(process, 0)
        self.assertNotIn("  out:", process.stdout)
        errors = [name for name in os.listdir(kept) if name.endswith(".err")]
        # After the first run there are 3 rounds of 5 programs. Then there are 11 rounds of 4 programs: three candidates and the unbound
        # program.
        self.assertEqual(len(errors), 1 + 3 * 5 + 11 * 4)
        for name in errors:
            with open(os.path.join(kept, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), "one\ntwo\n")
        empty = os.path.join(self.folder, "empty")
        os.mkdir(empty)
        process = self.tune("--lower", "--rounds", "11", "--", program, env={"TMPDIR": empty})
        self.assertStatus(process, 0)
        self.assertEqual(os.listdir(empty), [])

    def test_binding_variables_are_removed(self):
        program = self.file("unbound", '#!/bin/sh\ntest -z "$OMP_NESTING_TEAM_SIZE$OMP_PROC_BIND$NESTBIND_REPORT" && '
                            "echo score: 1 || echo score: 2\n", 0o755)
        process = tune("--candidates", "2,scatter", *METRIC, "--lower", "--", program,
                       env={"OMP_PROC_BIND": "true", "OMP_NESTING_TEAM_SIZE": "4,scatter", "NESTBIND_REPORT": "text"})
        self.assertStatus(process, 0)
        self.assertRegex(process.stderr, "OMP_NESTING_TEAM_SIZE.*OMP_PROC_BIND.*NESTBIND_REPORT")
        self.assertIn("\nverdict: unbound ", process.stdout)

    def test_time_of_a_short_program(self):
        """Tunes a real program by its time."""
        program = self.compile("forking", "-fopenmp", source=FORKING.replace("return 42", "return 0"))
        process = tune("--candidates", "2,scatter", "--rounds", "11", "--", program)
        self.assertStatus(process, 0)
        self.assertTrue(process.stdout.startswith("seconds, "), process.stdout)
        self.assertRegex(process.stdout, "\nverdict: (no |OMP|2,|unbound )")


class Refused(TuneTestCase):
    def test_programs(self):
        static = self.compile("static", "-static", source="int main(void) { return 0; }")
        plain = self.compile("plain", source="int main(void) { return 0; }")
        text = self.file("text", "")
        ran = os.path.join(self.folder, "ran")
        for program, status, told in ((static, 1, "static"),
                                      (plain, 1, "OpenMP runtime"),
                                      ("/nowhere/at-all", 127, "/nowhere/at-all"),
                                      (text, 126, "")):
            with self.subTest(program):
                process = tune("--keep", ran, "--", program)
                self.assertStatus(process, status)
                self.assertIn(told, process.stderr)
                self.assertEqual(process.stdout, "")
                self.assertFalse(os.path.exists(ran))

    def test_words(self):
        """The message must be printed before the program runs, because a first run may take hours."""
        program = self.program(name="refused", extra=f"echo >>{self.folder}/refused.ran\n")
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        for words, told in ((("--metric", "x(.*)"), "--higher"),
                            (("--metric", "x", "--lower"), "group"),
                            (("--metric", "x(", "--lower"), "--metric x(: "),
                            (("--higher",), "--higher"),
                            (("--lower", "--higher"), "--higher"),
                            (("--check", "["), "--check [: "),
                            (("--shapes", "4x"), "--shapes 4x: "),
                            (("--candidates", "2,scatter;2,scater"), "column 3"),
                            (("--budget", "soon"), "--budget soon: "),
                            (("--budget", "9", "--rounds", "12"), "--rounds and --budget"),
                            (("--rounds", "0"), "--rounds"),
                            (("--input", "/nowhere"), "--input /nowhere: "),
                            (("--input", pipe), f"--input {pipe}: "),
                            (("--json", "/nowhere/found"), "--json /nowhere/found: "),
                            (("--json", self.folder), f"--json {self.folder}: "),
                            (("--runtime", "gnu"), "--runtime gnu: "),
                            (("--sede", "1"), "--seed")):
            with self.subTest(words):
                process = tune(*words, "--", program)
                self.assertStatus(process, 2)
                self.assertIn(told, process.stderr)
                self.assertEqual(process.stdout, "")
        process = self.tune("--rounds", "5", "--lower", "--", program)
        self.assertStatus(process, 2)
        self.assertRegex(process.stderr, r"--rounds 5: .*\b11\b")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "refused.ran")))
        self.assertStatus(tune(), 2)

class Budget(TuneTestCase):
    # A candidate's second run and its later runs hang.
    HUNG = """#!/bin/sh
echo "score: 1$(( $$ % 7 ))"
test -n "$OMP_NESTING_TEAM_SIZE" || exit 0
echo x >>"runs-$OMP_NESTING_TEAM_SIZE"
test "$(wc -l <"runs-$OMP_NESTING_TEAM_SIZE")" = 1 || exec sleep 1000
"""

    def test_budget_ends_with_the_measurements_so_far(self):
        """If a run is too long for the budget, tune ends the run, but does not drop its candidate."""
        results = os.path.join(self.folder, "budget.json")
        process = self.tune("--budget", "2", "--timeout", "500", "--lower", "--json", results, "--",
                            self.file("hung", self.HUNG, 0o755), cwd=self.folder)
        self.assertStatus(process, 0)
        self.assertNotIn("  out:", process.stdout)
        with open(results, encoding="utf-8") as file:
            found = json.load(file)["layouts"]
        self.assertEqual((found["complete"], found["finding"], found["recommended"]), (False, "none", None))
        self.assertEqual({one["state"] for one in found["candidates"]}, {"in"})
        for one in found["candidates"]:
            self.assertGreaterEqual(len(one["selection"]), 1, one)
            self.assertIsNotNone(one["values"]["median"], one)

    def test_each_candidate_runs_once(self):
        """Each candidate must run once, even if the budget is shorter."""
        results = os.path.join(self.folder, "once.json")
        process = self.tune("--budget", "0.001", "--schedule", "--lower", "--json", results, "--", self.program())
        self.assertStatus(process, 0)
        with open(results, encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual(found["layouts"]["runs"], 5)
        self.assertEqual(found["schedules"]["runs"], 71)


class Interrupted(TuneTestCase):
    # The program waits in its 20th run, and creates a file to say so.
    HANGING = r"""#!/bin/sh
trap 'echo ended >>ended; exit 0' TERM
echo x >>runs
if [ "$(wc -l <runs)" = 20 ]; then
  echo >waiting
  while :; do sleep 0.05; done
fi
echo "score: 1$(( $$ % 7 ))"
"""

    def interrupted(self, number, how):
        program = self.file("hanging", self.HANGING, 0o755)
        for name in ("runs", "waiting", "ended"):
            if os.path.exists(os.path.join(self.folder, name)):
                os.unlink(os.path.join(self.folder, name))
        results = os.path.join(self.folder, f"{how}.json")
        process = subprocess.Popen([COMMAND, "tune", "--candidates", "2,scatter;2,compact", *METRIC, "--lower",
                                    "--timeout", "60", "--json", results, "--", program], cwd=self.folder,
                                   env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        while not os.path.exists(os.path.join(self.folder, "waiting")):
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.send_signal(number)
        output, errors = process.communicate(timeout=30)
        return process.returncode, output, errors, results

    def test_interrupted_tune_prints_its_results(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                status, output, errors, results = self.interrupted(number, number.name)
                self.assertEqual(status, 128 + number, errors)
                self.assertEqual(len(rows_of(output)), 4, output)
                self.assertIn("\nverdict: none", output)
                self.assertNotRegex(output, r"\n +(eval|export) ")
                with open(os.path.join(self.folder, "ended"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "ended\n")
                with open(results, encoding="utf-8") as file:
                    found = json.load(file)["layouts"]
                self.assertEqual((found["complete"], found["finding"], found["recommended"]), (False, "none", None))
                self.assertEqual(found["runs"], 18)

    # The first run, in which nestbind searches for the slowest region, goes on until it is told to end.
    FIRST = """#!/bin/sh
echo x >>begun
$FATE
"""

    def first_run(self, fate, *options):
        begun = os.path.join(self.folder, "begun")
        if os.path.exists(begun):
            os.unlink(begun)
        process = subprocess.Popen([COMMAND, "tune", "--rules", *options, "--", self.file("first", self.FIRST, 0o755)], cwd=self.folder,
                                   env=environment(FATE=fate), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        while not os.path.exists(begun):
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        return process

    def assert_begun_once(self):
        with open(os.path.join(self.folder, "begun"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "x\n")

    def test_search_for_the_slowest_region_is_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process = self.first_run("exec sleep 20")
                process.send_signal(number)
                _, errors = process.communicate(timeout=10)
                self.assertEqual((process.returncode, errors), (128 + number, ""))
                self.assert_begun_once()

    def test_search_for_the_slowest_region_fails(self):
        for fate, options, word in (("eval kill -SEGV $$", (), "signal 11"), ("exec sleep 20", ("--timeout", "1"), "had not ended")):
            with self.subTest(fate):
                process = self.first_run(fate, *options)
                _, errors = process.communicate(timeout=10)
                self.assertEqual(process.returncode, 1)
                self.assertEqual(errors.count("nestbind: "), 1, errors)
                self.assertIn(word, errors)
                self.assert_begun_once()


class Terminal(TuneTestCase):
    def test_progress(self):
        program = self.program()
        process = self.tune("--lower", "--rounds", "11", "--", program)
        lines = [line for line in process.stderr.splitlines() if "[" in line]
        self.assertEqual(len(lines), 1, process.stderr)
        self.assertNotIn("\r", process.stderr)
        self.assertNotIn("\033", process.stderr)
        ours, theirs = open_terminal()
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 62, 0, 0))
        with subprocess.Popen([COMMAND, "tune", "--candidates", "2,scatter", *METRIC, "--lower", "--", program], env=environment(),
                              stdout=subprocess.DEVNULL, stderr=theirs) as started:
            os.close(theirs)
            text = b""
            while True:
                try:
                    part = os.read(ours, 4096)
                except OSError:
                    break
                if not part:
                    break
                text += part
            self.assertEqual(started.wait(), 0)
        os.close(ours)
        shown = text.decode()
        self.assertIn("\r[", shown)
        self.assertIn("round 15 of", shown)
        self.assertTrue(shown.endswith("\r\033[K"), shown[-80:])
        for line in re.split(r"\r", shown):
            self.assertLess(len(line.replace("\033[K", "").rstrip("\n")), 62 if "[" in line else 100)


    def in_terminal(self, *words):
        """Runs nestbind tune as the foreground job of a new terminal, and returns its status and all output."""
        process, terminal = fork_in_terminal()
        if process == 0:
            os.execve(COMMAND, [COMMAND, "tune", *words], environment())
        text = b""
        while True:
            if not select.select([terminal], [], [], 30)[0]:
                os.kill(process, signal.SIGKILL)
            try:
                part = os.read(terminal, 4096)
            except OSError:
                break
            if not part:
                break
            text += part
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), text.decode()

    def test_program_that_reads_the_terminal_is_ended(self):
        """The kernel stops a background process that reads its terminal, and nothing would continue it. So tune must end the program."""
        program = self.file("asks", "#!/bin/sh\nread word </dev/tty\necho score: 1\n", 0o755)
        status, shown = self.in_terminal("--candidates", "2,scatter", *METRIC, "--lower", "--", program)
        self.assertEqual(status, 1, shown)
        self.assertRegex(shown, r"/asks .*reads.* terminal.*unbound")
        program = self.file("sets", "#!/bin/sh\nstty -echo </dev/tty\necho score: 1\n", 0o755)
        status, shown = self.in_terminal("--candidates", "2,scatter", *METRIC, "--lower", "--", program)
        self.assertEqual(status, 1, shown)
        self.assertRegex(shown, r"/sets .*writes.* terminal")


if __name__ == "__main__":
    unittest.main()
