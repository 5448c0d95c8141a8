# SPDX-License-Identifier: BSD-3-Clause
"""nestbind run."""
import json
import os
import shutil
import signal
import subprocess
import unittest

from support import COMMAND, LIBRARY, TestCase, environment, machine, nestbind

ENV = ("sh", "-c", "env")


def run(*arguments, **keywords):
    return nestbind("run", *arguments, **keywords)


def variables(*arguments, **keywords):
    """Returns the environment of a program that nestbind run starts with these arguments."""
    process = run(*arguments, "--", *ENV, **keywords)
    assert process.returncode == 0, process.stderr
    found = dict(line.split("=", 1) for line in process.stdout.splitlines() if "=" in line)
    assert int(found.pop("NESTBIND_STARTED")) > 0
    return found


# The program sets OMP_NUM_THREADS=1 and starts itself, and the child prints the size of a team.
OWN_CHILD = r"""
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
  if (argc > 1) {
#pragma omp parallel
#pragma omp single
    printf("%d\n", omp_get_num_threads());
    return 0;
  }
  setenv("OMP_NUM_THREADS", "1", 1);
  char *arguments[] = {argv[0], "child", NULL};
  if (fork() == 0) execv("/proc/self/exe", arguments);
  wait(NULL);
  return 0;
}
"""


# The arguments say how many threads the team has, which of the two compiled loops runs, and how the program ends.
IN_VAIN = r"""
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
  const char *end = argv[argc - 1];
  double sum = 0;
  if (strcmp(end, "child") == 0 && fork() != 0) { wait(NULL); _exit(0); }
  if (strcmp(end, "parent") == 0 && fork() != 0) { wait(NULL); return 0; }
  omp_set_num_threads(atoi(argv[1]));
  if (strcmp(argv[2], "static") == 0) {
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < 100; ++i) sum += i;
  } else if (strcmp(argv[2], "runtime") == 0) {
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < 100; ++i) sum += i;
  }
  if (strcmp(end, "_exit") == 0) _exit(0);
  if (strcmp(end, "abort") == 0) abort();
  if (strcmp(end, "exec") == 0) execlp("true", "true", NULL);
  if (strcmp(end, "close") == 0) close(2);
  if (strcmp(end, "reuse") == 0) { close(2); if (fopen(argv[3], "w") == NULL || fileno(stdin) != 0) return 1; }
  return strcmp(end, "fails") == 0 ? 3 : 0;
}
"""
NO_TEAM = "no team of two or more threads"
NO_LOOP = "took no loop"


class InVain(TestCase):
    """The started process must print once, at its end, which setting had no effect."""

    def end(self, *arguments, options=("2,scatter",), compiler="gcc", **keywords):
        program = self.compile("vain-" + compiler, "-fopenmp", source=IN_VAIN, compiler=compiler)
        return run(*options, "--", program, *arguments, **keywords)

    def assert_said(self, process, *words, status=0):
        self.assertStatus(process, status)
        self.assertEqual(process.stdout, "")
        lines = process.stderr.splitlines()
        self.assertEqual(len(lines), 1 if words else 0, process.stderr)
        for word in words:
            self.assertIn(word, lines[0])

    def test_no_team(self):
        for compiler in ("gcc", "clang-19"):
            with self.subTest(compiler):
                self.assert_said(self.end("1", "static", "x", compiler=compiler), NO_TEAM, "2,scatter")
                self.assert_said(self.end("1", "none", "x", compiler=compiler), NO_TEAM)
                self.assert_said(self.end("1", "static", "fails", compiler=compiler), NO_TEAM, status=3)
                self.assert_said(self.end("2", "static", "x", compiler=compiler))

    def test_no_loop(self):
        for compiler in ("gcc", "clang-19"):
            for options in (("--schedule=hybrid",), ("--schedule=hybrid", "2,scatter")):
                with self.subTest(compiler, options=options):
                    self.assert_said(self.end("2", "static", "x", options=options, compiler=compiler), NO_LOOP, "schedule(runtime)")
                    self.assert_said(self.end("2", "runtime", "x", options=options, compiler=compiler))
                    self.assert_said(self.end("1", "runtime", "x", options=options, compiler=compiler), NO_TEAM)
        self.assert_said(self.end("2", "static", "x", options=("--schedule=native",)))
        self.assert_said(self.end("2", "static", "x", options=("--schedule=balanced,loops=dynamic",)), NO_LOOP)

    def test_ends_without_a_message(self):
        for end in ("_exit", "exec", "child", "parent", "close"):
            with self.subTest(end):
                self.assert_said(self.end("1", "static", end))
        self.assert_said(self.end("1", "static", "abort"), status=-signal.SIGABRT)
        taken = os.path.join(self.folder, "taken")
        self.assert_said(self.end("1", "static", taken, "reuse"))
        self.assertEqual(os.path.getsize(taken), 0)
        self.assert_said(self.end("1", "static", "x", env={"NESTBIND_QUIET": "1"}))
        alone = {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_RANK": "0", "OMPI_COMM_WORLD_LOCAL_SIZE": "1"}
        self.assert_said(self.end("1", "static", "x", env={"OMPI_COMM_WORLD_RANK": "1", **alone}))
        self.assert_said(self.end("1", "static", "x", env={"OMPI_COMM_WORLD_RANK": "0", **alone}), NO_TEAM)
        self.assert_said(self.end("1", "static", "x", options=("off",)))

    def test_nothing_raw(self):
        """Control characters in a program's name or in a specification must not be printed."""
        program = self.compile("vain-gcc", "-fopenmp", source=IN_VAIN)
        name = os.path.join(self.folder, "a\n\x1b[2Jb\u009b")
        shutil.copy(program, name)
        raw = {"RAW": "2,\n\tscatter\r", "NAME": name}
        process = run("2,scatter", "--", "sh", "-c", 'OMP_NESTING_TEAM_SIZE=$RAW exec "$NAME" 1 static x', env=raw)
        self.assert_said(process, NO_TEAM)
        self.assertTrue(process.stderr[:-1].isprintable() and process.stderr.isascii(), process.stderr)
        process = run("--schedule=hybrid", "--", name, "2", "static", "x")
        self.assert_said(process, NO_LOOP)
        self.assertTrue(process.stderr[:-1].isprintable() and process.stderr.isascii(), process.stderr)

    def test_only_the_started_process_prints(self):
        program = self.compile("vain-gcc", "-fopenmp", source=IN_VAIN)
        self.assert_said(run("2,scatter", "--", "sh", "-c", f"{program} 1 static x; true"))
        self.assert_said(run("2,scatter", "--", "sh", "-c", f"exec {program} 1 static x"), NO_TEAM)
        shell = f'eval "$({COMMAND} run --print-env 2,scatter)"; {program} 1 static x'
        self.assert_said(run("2,scatter", "--", "sh", "-c", shell + "; true"))


class OwnChildren(TestCase):
    def test_names(self):
        """It does not matter which program sets OMP_NUM_THREADS for its child processes."""
        for name in ("simulation", "make"):
            process = run("2,compact", "--", self.compile(name, "-fopenmp", source=OWN_CHILD))
            self.assertStatus(process, 0)
            self.assertEqual((process.stdout, process.stderr), ("1\n", ""))


class Environment(TestCase):
    def test_specification_and_preload(self):
        found = variables(" 4, SCATTER")
        self.assertEqual(found["OMP_NESTING_TEAM_SIZE"], "4,scatter")
        self.assertEqual(os.path.realpath(found["LD_PRELOAD"]), LIBRARY)
        self.assertFalse([name for name in found if name.startswith("NESTBIND_") and
                          not name.startswith("NESTBIND_TEST_") and name != "NESTBIND_RUN"])
        self.assertEqual((found["OMP_NUM_THREADS"], found["OMP_MAX_ACTIVE_LEVELS"]), ("4", "1"))

    def test_options_become_variables(self):
        found = variables("--report", "--strict", "--sizes=ignore", "--smt", "2", "--cores=all",
                          "--machine", "pu:4", "2,scatter")
        found.pop("NESTBIND_MACHINE_RECORDS")
        self.assertNotIn("OMP_NUM_THREADS", found)
        self.assertEqual({k: v for k, v in found.items() if k.startswith("NESTBIND_") and k != "NESTBIND_RUN"},
                         {"NESTBIND_REPORT": "auto", "NESTBIND_STRICT": "1",
                          "NESTBIND_TEAM_SIZES": "ignore", "NESTBIND_SMT": "2",
                          "NESTBIND_CORES": "all", "NESTBIND_MACHINE": "pu:4"})

    def test_files_do_not_depend_on_the_folder(self):
        shutil.copy(machine("barcelona"), os.path.join(self.folder, "m.xml"))
        found = variables("--machine=m.xml", "--report=json:out.%p", "2,scatter", cwd=self.folder)
        here = os.path.realpath(self.folder)
        self.assertEqual(found["NESTBIND_MACHINE"], here + "/m.xml")
        self.assertEqual(found["NESTBIND_REPORT"], "json:" + here + "/out.%p")
        self.assertEqual(variables("--report=text,now:out", "2,scatter", cwd=self.folder)["NESTBIND_REPORT"],
                         "text,now:" + here + "/out")

    def test_report_after_a_blank(self):
        for arguments in (["--report", "json:/x", "2,scatter"], ["2,scatter", "--report", "json:/x"]):
            self.assertEqual(variables(*arguments)["NESTBIND_REPORT"], "json:/x")
        for value in ("picture", "auto,now", "text,now:/x,now"):
            self.assertEqual(variables("--report", value, "2,scatter")["NESTBIND_REPORT"], value)
        self.assertEqual(variables("--report", "2,scatter")["NESTBIND_REPORT"], "auto")
        self.assertEqual(variables("2,scatter", "--report")["NESTBIND_REPORT"], "auto")
        # Words after the program's name are arguments of the program.
        process = run("--smt", "2", "2,scatter", "sh", "-c", 'printf "%s|" "$@"', "x", "--report", "json")
        self.assertEqual(process.stdout, "--report|json|")

    def test_the_specification_is_forgotten(self):
        process = run("/bin/true")
        self.assertStatus(process, 2)
        self.assertIn("/bin/true is not a specification", process.stderr)
        self.assertIn("nestbind run -- /bin/true", process.stderr)
        self.assertIn("no program is given", run("2,scatter").stderr)

    def test_a_shape_is_no_specification(self):
        process = run("4x4", "--", "true")
        self.assertStatus(process, 2)
        self.assertIn("nestbind suggest 4x4 names", process.stderr)
        self.assertNotIn("suggest", run("4,4", "--", "true").stderr)

    def test_the_machine_is_passed_to_the_program(self):
        """The program must not read the machine's file again, except if the file has changed."""
        program = self.compile("planned", "-fopenmp")
        file, report = os.path.join(self.folder, "m.xml"), os.path.join(self.folder, "report")
        shutil.copy(machine("barcelona"), file)
        found = variables("--machine=m.xml", "--report=json:report", "2,scatter,2,subcompact", cwd=self.folder)
        set_by_run = {k: v for k, v in found.items() if k.startswith(("LD_PRELOAD", "OMP_", "KMP_", "NESTBIND_"))}
        status = os.stat(file)
        with open(file, "r+b") as unreadable:  # the file keeps its length
            unreadable.write(b"no machine")
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))

        def fork():
            process = subprocess.run([program], env=environment(**set_by_run), check=False, cwd="/", stderr=subprocess.PIPE,
                                     stdout=subprocess.PIPE, encoding="utf-8", timeout=60)
            self.assertStatus(process, 42)
            return process.stderr

        self.assertEqual(fork(), "")
        with open(report, encoding="utf-8") as lines:
            cpus = {tuple(thread["path"]): thread["cpus"] for line in lines for thread in json.loads(line)["threads"]}
        self.assertEqual([cpus[0, 0], cpus[0, 1], cpus[1, 0], cpus[1, 1]], [[0], [1], [8], [9]])
        os.utime(file)
        self.assertIn("not bound", fork())

    def test_names_of_the_machine(self):
        for option in ("--machine", "--topology"):
            self.assertEqual(variables(option, "pu:4", "2,scatter")["NESTBIND_MACHINE"], "pu:4")

    def test_empty_variables_are_not_set(self):
        empty = {name: "" for name in ("NESTBIND_REPORT", "NESTBIND_SMT", "NESTBIND_CORES", "NESTBIND_RUNTIME",
                                       "NESTBIND_MACHINE", "NESTBIND_TEAM_SIZES", "NESTBIND_STRICT", "NESTBIND_WORKERS",
                                       "NESTBIND_CACHE", "NESTBIND_QUIET", "NESTBIND_TRACE", "NESTBIND_QUOTA")}
        process = run("2,scatter", "--", "sh", "-c", ":", env=empty)
        self.assertStatus(process, 0)
        self.assertEqual(process.stderr, "")

    def test_unknown_variables(self):
        process = run("2,scatter", "--", "sh", "-c", ":", env={"NESTBIND_REPROT": "text", "NESTBIND_ROOT": "/opt"})
        self.assertStatus(process, 0)
        self.assertEqual(process.stderr.count("\n"), 1)
        self.assertIn("did you mean NESTBIND_REPORT?", process.stderr)
        process = run("2,scatter", "--", "sh", "-c", ":", env={"OMP_NESTING_TEAM_SIZES": "x", "NESTBIND_QUIET": "1"})
        self.assertEqual(process.stderr, "")

    def test_cpus(self):
        show = ("sh", "-c", "grep Cpus_allowed_list: /proc/self/status")
        first = min(os.sched_getaffinity(0))
        process = run("--cpus", str(first), "2,scatter", "--", *show)
        self.assertEqual(process.stdout.split()[1], str(first))
        for list_, told in (("0-9999", "-9999"), ("9999", "9999"), ("x", "expected a list"), ("", "no processors")):
            with self.subTest(list=list_):
                process = run("--cpus", list_, "2,scatter", "--", "echo", "started")
                self.assertStatus(process, 2)
                self.assertIn(told, process.stderr)
                self.assertEqual(process.stdout, "")
        self.assertStatus(run("--cpus=0", "--machine=pu:4", "2,scatter", "--", "true"), 2)

    def test_other_preloads_stay(self):
        for before, after in (("libm.so.6", "{}:libm.so.6"), ("libm.so.6 libdl.so.2", "{}:libm.so.6:libdl.so.2"),
                              (LIBRARY + ":libm.so.6", "{}:libm.so.6"), ("", "{}")):
            with self.subTest(before=before):
                found = variables("1,scatter", env={"LD_PRELOAD": before})["LD_PRELOAD"]
                mine = found.split(":")[0]
                self.assertEqual(os.path.realpath(mine), LIBRARY)
                self.assertEqual(found, after.format(mine))

    def test_bad_values(self):
        for arguments, env in ((["--report=xml"], {}), (["--report=text:"], {}), (["--smt=0"], {}),
                               (["--report=now"], {}), (["--report=text,later"], {}), (["--report", "json:"], {}),
                               (["--cores=x"], {}), (["--sizes=x"], {}), (["--roots=x"], {}), (["--roots=0"], {}), (["--nosuch"], {}),
                               (["--report=text:out.%q"], {}), (["--report=json:100%"], {}),
                               (["--machine", ""], {}), (["--smt="], {}), (["--library", ""], {}),
                               ([], {"NESTBIND_REPORT": "text:%q"}), ([], {"NESTBIND_TRACE": "%q"}),
                               ([], {"NESTBIND_RUNTIME": "gcc"}),
                               ([], {"NESTBIND_REPORT": "yes"}), ([], {"NESTBIND_SMT": "-1"})):
            with self.subTest(arguments=arguments, env=env):
                process = run(*arguments, "2,scatter", "--", "echo", "started", env=env)
                self.assertStatus(process, 2)
                self.assertNotIn("started", process.stdout)


class Starting(TestCase):
    def test_status_and_arguments(self):
        process = run("1,scatter", "--", "sh", "-c", 'printf "%s|" "$@"; exit 7', "x", "-5", "--", "--help", "a b")
        self.assertStatus(process, 7)
        self.assertEqual(process.stdout, "-5|--|--help|a b|")

    def test_without_dashes(self):
        process = run("1,scatter", "sh", "-c", 'printf "%s|" "$@"', "x", "-5", "--smt")
        self.assertStatus(process, 0)
        self.assertEqual(process.stdout, "-5|--smt|")

    def test_signal(self):
        process = run("1,scatter", "--", "sh", "-c", "kill -TERM $$")
        self.assertStatus(process, -signal.SIGTERM)

    def test_no_program(self):
        for arguments in (["1,scatter"], ["1,scatter", "--"], []):
            self.assertStatus(run(*arguments), 2)

    def test_unstartable_programs_are_reported(self):
        plain = self.file("plain", "text")
        for program, status, told in (("nestbind-no-such-program", 127, "command not found"),
                                      ("./nosuch", 127, "No such file"), (plain, 126, "denied"),
                                      (self.folder, 126, "a directory, not a program"),
                                      ("/dev/null", 126, "a device"),
                                      (self.file("crlf", "#!/bin/sh\r\n", 0o755), 127, "carriage return"),
                                      (self.file("lost", "#!/no/such\n", 0o755), 127, "/no/such")):
            with self.subTest(program=program):
                process = run("1,scatter", "--", program, cwd=self.folder)
                self.assertStatus(process, status)
                self.assertIn(told, process.stderr)

    def test_machine_is_checked_first(self):
        process = run("--machine=nosuch", "1,scatter", "--", "echo", "started")
        self.assertStatus(process, 1)
        self.assertNotIn("started", process.stdout)

    def test_no_library(self):
        process = run("--library=/nosuch.so", "1,scatter", "--", "echo", "started")
        self.assertStatus(process, 1)
        self.assertIn("/nosuch.so", process.stderr)
        copied = os.path.join(self.folder, "nestbind")
        shutil.copy(COMMAND, copied)
        process = nestbind("run", "1,scatter", "--", "echo", "started", command=copied)
        self.assertStatus(process, 1)
        self.assertIn("libnestbind.so", process.stderr)

    def test_other_libraries_are_refused(self):
        text = self.file("text.so", "INPUT(libm.so)")
        libm = subprocess.run(["gcc", "-print-file-name=libm.so.6"], stdout=subprocess.PIPE, check=True,
                              encoding="utf-8").stdout.strip()
        for library in (libm, text, COMMAND, self.folder):
            for strict in ([], ["--strict"]):
                with self.subTest(library=library, strict=strict):
                    process = run(*strict, "--library", library, "1,scatter", "--", "echo", "started")
                    self.assertStatus(process, 1)
                    self.assertNotIn("started", process.stdout)
                    self.assertIn("not nestbind's library", process.stderr)

    def test_library_next_to_the_command_is_found(self):
        folder = os.path.join(self.folder, "beside")
        os.mkdir(folder)
        copied = shutil.copy(COMMAND, os.path.join(folder, "nestbind"))
        shutil.copy(LIBRARY, os.path.join(folder, "libnestbind.so.0"))
        process = nestbind("run", "1,scatter", "--", *ENV, command=copied)
        self.assertIn("LD_PRELOAD=" + os.path.realpath(folder) + "/libnestbind.so.0", process.stdout)

    def test_unusable_library_name_is_reported(self):
        folder = os.path.join(self.folder, "with blank")
        os.mkdir(folder)
        process = run("--library", shutil.copy(LIBRARY, folder), "1,scatter", "--", "true")
        self.assertStatus(process, 1)
        self.assertIn("blank", process.stderr)


class PrintEnv(TestCase):
    def shell(self, words, env=None, shell="sh"):
        """Returns the environment of a program that a job script starts after the eval."""
        script = f'eval "$("$0" run --print-env "$@")" && env -0'
        process = subprocess.run([shell, "-c", script, COMMAND, *words], env=environment(**(env or {})), check=False,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=60)
        self.assertStatus(process, 0)
        return dict(entry.split("=", 1) for entry in process.stdout.split("\0") if entry)

    def test_print_env_prints_the_variables_of_run(self):
        """Only `run` counts words, because the steps of a job script may have other processors. NESTBIND_RUN begins with the command's
        process."""
        def mine(found):
            found["NESTBIND_RUN"] = found["NESTBIND_RUN"].partition(";")[2]
            return {k: v for k, v in found.items() if k.startswith(("LD_PRELOAD", "OMP_", "KMP_", "NESTBIND_"))}

        nested = {"OMP_NESTED": "true"}
        for words in (["2,scatter,2,subcompact"], ["--report", "json:/a b/'%h'.$x", "--strict", "numa,scatter"]):
            set_by_run = mine(variables(*words, env=nested))
            if words[-1] == "numa,scatter":
                self.assertEqual(set_by_run.pop("OMP_NUM_THREADS"), set_by_run["NESTBIND_RUN"].partition(";")[0])
                set_by_run["NESTBIND_RUN"] = ";" + set_by_run["NESTBIND_RUN"].partition(";")[2]
            for shell in ("sh", "bash"):
                self.assertEqual(mine(self.shell(words, nested, shell=shell)), set_by_run)

    def test_other_preloads_stay(self):
        found = self.shell(["2,scatter"], env={"LD_PRELOAD": "libm.so.6"})
        self.assertTrue(found["LD_PRELOAD"].endswith(":libm.so.6"))

    def test_only_the_variables_are_printed(self):
        process = run("--print-env", "2,scatter")
        self.assertStatus(process, 0)
        self.assertEqual(process.stderr, "")
        self.assertTrue(all(line.startswith("export ") for line in process.stdout.splitlines()))
        self.assertNotIn("LD_LIBRARY_PATH", process.stdout)

    def test_misspelt_commands_make_the_eval_fail(self):
        for words in (["rnu", "--print-env", "2,scatter"], ["run", "--print-evn", "2,scatter"], ["run", "--printenv", "2,scatter"],
                      ["run", "-print-env", "2,scatter"], ["--print-env", "run", "2,scatter"], ["plan", "--print-env", "2,scatter"]):
            with self.subTest(words):
                process = nestbind(*words)
                self.assertStatus(process, 2)
                self.assertEqual(process.stdout, "false\n")

    def test_named_program_is_examined(self):
        program = self.compile("contains", "-fopenmp", "-Wl,-Bstatic", "-lgomp", "-Wl,-Bdynamic")
        process = run("--print-env", "2,scatter", "--", program)
        self.assertStatus(process, 0)
        self.assertIn("libgomp.a", process.stderr)

    def test_faults_make_the_eval_fail(self):
        static = self.compile("static", "-fopenmp", "-static")
        for arguments, status in ((["2,scat"], 2), (["--smt=x", "2,scatter"], 2), (["--cpus=0", "2,scatter"], 2),
                                  (["--nosuch", "2,scatter"], 2), (["--report=xml", "2,scatter"], 2), (["--smt"], 2),
                                  (["2,scatter", "true", "--", "x"], 2), (["--library=/no/such", "2,scatter"], 1),
                                  (["--machine=nosuch", "2,scatter"], 1),
                                  (["--strict", "2,scatter", "--", static], 78)):
            with self.subTest(arguments):
                process = run("--print-env", *arguments)
                self.assertStatus(process, status)
                self.assertEqual(process.stdout, "false\n")
                self.assertIn("nestbind: ", process.stderr)
                for shell in ("sh", "bash"):
                    script = 'set -e; eval "$("$0" run --print-env "$@")"; echo on'
                    process = subprocess.run([shell, "-c", script, COMMAND, *arguments], env=environment(), check=False,
                                             capture_output=True, encoding="utf-8", timeout=60)
                    self.assertNotEqual(process.returncode, 0)
                    self.assertEqual(process.stdout, "")

    def test_shell_gets_only_faults_of_print_env(self):
        process = run("2,scatter", "/no/such", "--print-env")
        self.assertStatus(process, 127)
        self.assertEqual(process.stdout, "")
        self.assertEqual(run("2,scat").stdout, "")

    def test_named_program_is_not_started(self):
        process = run("--print-env", "2,scatter", "--", "echo", "started")
        self.assertStatus(process, 0)
        self.assertNotIn("started", process.stdout)
        for program, told in (("/no/such", "/no/such: no such program"), (self.folder, "a directory, not a program"),
                              (self.file("plain", "text"), "not executable")):
            with self.subTest(program):
                process = run("--print-env", "2,scatter", "--", program)
                self.assertStatus(process, 0)
                self.assertIn("export OMP_NESTING_TEAM_SIZE", process.stdout)
                self.assertIn("warning: ", process.stderr)
                self.assertIn(told, process.stderr)


class DryRuns(TestCase):
    def test_dry_run_reports_that_nothing_is_bound(self):
        process = run("--machine=pu:4", "2,scatter", "--", "sh", "-c", ":")
        self.assertEqual(process.stderr, "nestbind: dry run on pu:4: nothing is bound; --report shows where its "
                                         "threads would be, and nestbind plan all of them\n")
        process = run("2,scatter", "--", "sh", "-c", ":", env={"NESTBIND_MACHINE": "pu:4"})
        self.assertIn("warning: NESTBIND_MACHINE=pu:4 is set: a dry run", process.stderr)

    def test_report_replaces_the_message_of_a_dry_run(self):
        self.assertEqual(run("--machine=pu:4", "--report", "2,scatter", "--", "sh", "-c", ":").stderr, "")
        self.assertEqual(run("--machine=pu:4", "2,scatter", "--", "sh", "-c", ":", env={"NESTBIND_QUIET": "1"}).stderr, "")


class Programs(TestCase):
    def assert_runs(self, program, warning):
        process = run("2,scatter,2,subscatter", "--machine", machine("barcelona"), "--report=text:/dev/null", "--", program)
        self.assertStatus(process, 42)
        if warning is None:
            self.assertEqual(process.stderr, "")
            self.assertEqual(sorted(process.stdout.split()), ["0.0", "0.1", "1.0", "1.1"])
        else:
            self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
            self.assertIn("nestbind: warning: " + program, process.stderr)
            self.assertIn(warning, process.stderr)
            strict = run("--strict", "2,scatter", "--", program)
            self.assertStatus(strict, 78)
            self.assertEqual(strict.stdout, "")
            self.assertIn(warning, strict.stderr)
            quiet = run("1,scatter", "--", program, env={"NESTBIND_QUIET": "1"})
            self.assertEqual(quiet.stderr, "")

    def test_dynamic(self):
        self.assert_runs(self.compile("dynamic", "-fopenmp"), None)

    def test_static(self):
        self.assert_runs(self.compile("static", "-fopenmp", "-static"), "statically")

    def test_musl(self):
        """In a program for musl the loaded library does nothing. If a shell for musl starts a program for glibc, this program is bound."""
        plain = "int main(void) { return 42; }"
        starts = "#include <unistd.h>\nint main(int n, char **words) { return n < 2 ? 42 : execv(words[1], words + 1); }"
        self.assert_runs(self.compile("for_musl", source=plain, compiler="musl-gcc"), "musl")
        shell = self.compile("musl_shell", source=starts, compiler="musl-gcc")
        for more in (["2,scatter,2,subscatter"], ["--schedule=hybrid"], ["--memory=advise", "2,scatter"]):
            with self.subTest(more):
                process = run(*more, "--", shell)
                self.assertStatus(process, 42)
                told = [line for line in process.stderr.splitlines() if not line.startswith("nestbind: memory: ")]
                self.assertEqual(len(told), 1, process.stderr)
        child = run("2,scatter,2,subscatter", "--machine", machine("barcelona"), "--", shell, self.compile("dynamic", "-fopenmp"))
        self.assertStatus(child, 42)
        self.assertEqual(sorted(child.stdout.split()), ["0.0", "0.1", "1.0", "1.1"])
        below = run("2,scatter", "--", "sh", "-c", shell)
        self.assertEqual((below.returncode, below.stderr), (42, ""))

    def test_no_runtime(self):
        """The message must be printed only for a program that cannot have teams."""
        serial = self.compile("serial", source="int main(void) { return 42; }")
        for strict in ([], ["--strict"]):
            process = run(*strict, "2,scatter", "--", serial)
            self.assertStatus(process, 42)
            self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
            self.assertIn("has no OpenMP runtime", process.stderr)
        self.assertEqual(run("2,scatter", "--", serial, env={"NESTBIND_QUIET": "1"}).stderr, "")
        loads = self.compile("loads", source="#include <dlfcn.h>\nint main(void) { dlopen(0, 1); return 42; }")
        library = os.path.join(self.folder, "libstarts.so")
        code = self.file("starts.c", "#include <stdlib.h>\nint starts(void) { return system(0); }")
        subprocess.run(["gcc", "-shared", "-fPIC", code, "-o", library], check=True)
        starts = self.compile("starts", library, source="int starts(void); int main(void) { return starts() ? 42 : 1; }")
        for program in ([loads], [starts], ["sh", "-c", "exit 42"], ["python3", "-c", "raise SystemExit(42)"],
                        ["env", "sh", "-c", "exit 42"]):
            with self.subTest(program):
                process = run("--strict", "2,scatter", "--", *program)
                self.assertStatus(process, 42)
                self.assertEqual(process.stderr, "")

    def test_environment_is_not_passed_on(self):
        """The program of env -i or sudo is not bound. One line says so, and a strict command starts nothing."""
        program = self.compile("dynamic", "-fopenmp")
        sudo = self.file("sudo", '#!/bin/sh\nexec env -i "$@"\n', 0o755)
        for words in (["env", "-i"], ["env", "-"], ["env", "-u", "X", "-vi"], ["/usr/bin/env", "--ignore-environment"], [sudo]):
            with self.subTest(words):
                process = run("2,scatter,2,subscatter", "--", *words, program)
                self.assertStatus(process, 42)
                self.assertEqual(process.stderr.count("nestbind: "), 1, process.stderr)
                strict = run("--strict", "2,scatter", "--", *words, program)
                self.assertStatus(strict, 78)
                self.assertEqual((strict.stdout, strict.stderr.count("\n")), ("", 1), strict.stderr)
                self.assertStatus(nestbind("tune", "--", *words, program), 1)
        for words in (["env", program], ["env", "-u", "X", "A=-i", program], ["env", "-uRUNID", program], ["env", program, "-i"]):
            with self.subTest(words):
                process = run("--strict", "1,scatter,2,subscatter", "--", *words)
                self.assertStatus(process, 42)
                self.assertEqual(process.stderr, "")

    def test_no_tools(self):
        # By its symbols this is a program for LLVM's runtime.
        stub = self.file("stub.c", "void __kmpc_fork_call(void) {}")
        library = os.path.join(self.folder, "libstub.so")
        subprocess.run(["gcc", "-shared", "-fPIC", stub, "-o", library], check=True)
        program = self.compile("for_llvm", library, source="void __kmpc_fork_call(void);"
                                                          "int main(void) { __kmpc_fork_call(); return 42; }")
        disabled = {"OMP_TOOL": "disabled"}
        process = run("2,scatter", "--", program, env=disabled)
        self.assertStatus(process, 42)
        self.assertIn("OMP_TOOL=disabled", process.stderr)
        self.assertStatus(run("--strict", "2,scatter", "--", program, env=disabled), 78)
        self.assertIn("without tool interface", run("2,scatter", "--", program).stderr)

    def test_static_runtime(self):
        program = self.compile("static_runtime", "-fopenmp", "-Wl,-Bstatic", "-lgomp", "-Wl,-Bdynamic")
        self.assert_runs(program, "libgomp.a")

    def test_set_user_id(self):
        if os.getuid() != 0:
            self.skipTest("only root can give a program to another user")
        program = self.compile("set_user_id", "-fopenmp")
        os.chmod(self.folder, 0o755)
        os.chown(program, 65534, -1)
        os.chmod(program, 0o4755)
        self.assert_runs(program, "set-user-ID")

    def test_set_user_id_of_the_caller(self):
        program = self.compile("own_set_user_id", "-fopenmp")
        os.chmod(program, 0o4755)
        self.assert_runs(program, None)
        # The loader preloads libraries, because the user owns the program.
        self.assertStatus(run("--strict", "2,scatter,2,subscatter", "--", program), 42)

    def test_sanitizer(self):
        # AddressSanitizer ends a program if another library is loaded before it.
        program = self.compile("sanitized", "-fopenmp", "-fsanitize=address")
        process = run("2,scatter,2,subscatter", "--machine", machine("barcelona"), "--", program,
                      env={"ASAN_OPTIONS": "detect_leaks=0"})
        self.assertStatus(process, 42)
        self.assertEqual(sorted(process.stdout.split()), ["0.0", "0.1", "1.0", "1.1"])
        # The manual page has this line for programs that a shell starts.
        options = "detect_leaks=0:verify_asan_link_order=0"
        self.assertStatus(run("1,scatter,2,subscatter", "--", "sh", "-c", program, env={"ASAN_OPTIONS": options}), 42)

    def test_layout_of_a_dry_run(self):
        program = self.compile("dry", "-fopenmp")
        report = os.path.join(self.folder, "report")
        paths = [(outer,) for outer in range(4)] + [(outer, inner) for outer in range(4) for inner in range(4)]
        expected = {path: [4 * path[0] + sum(path[1:])] for path in paths}
        for _ in range(30):  # the order in which threads report varies; the file exists already
            process = run("4,scatter,4,subscatter", "--machine", machine("barcelona"),
                          "--report=json:" + report, "--", program)
            self.assertStatus(process, 42)
            with open(report, encoding="utf-8") as lines:
                teams = [json.loads(line) for line in lines]
            self.assertEqual(len(teams), 5)
            found = {tuple(thread["path"]): thread["cpus"] for team in teams for thread in team["threads"]}
            self.assertEqual(found, expected)
            masters = [tuple(team["threads"][0]["path"][:-1]) for team in teams]
            self.assertEqual(masters, [(), (0,), (1,), (2,), (3,)])


if __name__ == "__main__":
    unittest.main()
