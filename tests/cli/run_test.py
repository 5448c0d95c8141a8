# SPDX-License-Identifier: BSD-3-Clause
"""nestbind run."""
import json
import os
import shutil
import signal
import subprocess
import unittest

from support import COMMAND, LIBRARY, TestCase, machine, nestbind

ENV = ("sh", "-c", "env")


def run(*arguments, **keywords):
    return nestbind("run", *arguments, **keywords)


def variables(*arguments, **keywords):
    """What a program started with these arguments finds in its environment."""
    process = run(*arguments, "--", *ENV, **keywords)
    assert process.returncode == 0, process.stderr
    return dict(line.split("=", 1) for line in process.stdout.splitlines() if "=" in line)


class Environment(TestCase):
    def test_specification_and_preload(self):
        found = variables(" 4, SCATTER")
        self.assertEqual(found["OMP_NESTING_TEAM_SIZE"], "4,scatter")
        self.assertEqual(os.path.realpath(found["LD_PRELOAD"]), LIBRARY)
        self.assertFalse([name for name in found if name.startswith("NESTBIND_") and
                          not name.startswith("NESTBIND_TEST_")])

    def test_options_become_variables(self):
        found = variables("--report", "--strict", "--sizes=ignore", "--smt", "2", "--cores=all",
                          "--machine", "pu:4", "2,scatter")
        self.assertEqual({k: v for k, v in found.items() if k.startswith("NESTBIND_")},
                         {"NESTBIND_REPORT": "text", "NESTBIND_STRICT": "1",
                          "NESTBIND_TEAM_SIZES": "ignore", "NESTBIND_SMT": "2",
                          "NESTBIND_CORES": "all", "NESTBIND_MACHINE": "pu:4"})

    def test_files_do_not_depend_on_the_folder(self):
        shutil.copy(machine("barcelona"), os.path.join(self.folder, "m.xml"))
        found = variables("--machine=m.xml", "--report=json:out.%p", "2,scatter", cwd=self.folder)
        here = os.path.realpath(self.folder)
        self.assertEqual(found["NESTBIND_MACHINE"], here + "/m.xml")
        self.assertEqual(found["NESTBIND_REPORT"], "json:" + here + "/out.%p")

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
                               (["--cores=x"], {}), (["--sizes=x"], {}), (["--nosuch"], {}),
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

    def test_programs_that_do_not_start(self):
        plain = self.file("plain", "text")
        for program, status, told in (("nestbind-no-such-program", 127, "command not found"),
                                      ("./nosuch", 127, "No such file"), (plain, 126, "denied"),
                                      (self.folder, 126, "denied")):
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

    def test_library_that_is_not_ours(self):
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

    def test_library_beside_the_command(self):
        folder = os.path.join(self.folder, "beside")
        os.mkdir(folder)
        copied = shutil.copy(COMMAND, os.path.join(folder, "nestbind"))
        shutil.copy(LIBRARY, os.path.join(folder, "libnestbind.so.0"))
        process = nestbind("run", "1,scatter", "--", *ENV, command=copied)
        self.assertIn("LD_PRELOAD=" + os.path.realpath(folder) + "/libnestbind.so.0", process.stdout)

    def test_library_that_cannot_be_named(self):
        folder = os.path.join(self.folder, "with blank")
        os.mkdir(folder)
        process = run("--library", shutil.copy(LIBRARY, folder), "1,scatter", "--", "true")
        self.assertStatus(process, 1)
        self.assertIn("blank", process.stderr)


class Programs(TestCase):
    def assert_runs(self, program, warning):
        process = run("2,scatter,2,subscatter", "--machine", machine("barcelona"), "--", program)
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
        self.assert_runs(self.compile("static", "-fopenmp", "-static"), "static program")

    def test_no_runtime(self):
        """Said of a program that can have no teams, and not of what starts or loads others."""
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

    def test_no_tools(self):
        # A program for LLVM's runtime, as far as its symbols tell.
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
        self.assertEqual(run("2,scatter", "--", program).stderr, "")

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

    def test_sanitizer(self):
        # AddressSanitizer ends a program whose first library is another.
        program = self.compile("sanitized", "-fopenmp", "-fsanitize=address")
        process = run("2,scatter,2,subscatter", "--machine", machine("barcelona"), "--", program,
                      env={"ASAN_OPTIONS": "detect_leaks=0"})
        self.assertStatus(process, 42)
        self.assertEqual(sorted(process.stdout.split()), ["0.0", "0.1", "1.0", "1.1"])

    def test_layout_of_a_dry_run(self):
        program = self.compile("dry", "-fopenmp")
        report = os.path.join(self.folder, "report")
        paths = [(outer,) for outer in range(4)] + [(outer, inner) for outer in range(4) for inner in range(4)]
        expected = {path: [4 * path[0] + sum(path[1:])] for path in paths}
        for _ in range(30):  # several teams may be the first to write, and the file is there already
            process = run("4,scatter,4,subscatter", "--machine", machine("barcelona"),
                          "--report=json:" + report, "--", program)
            self.assertStatus(process, 42)
            with open(report, encoding="utf-8") as lines:
                teams = [json.loads(line) for line in lines]
            self.assertEqual(len(teams), 5)
            found = {tuple(thread["path"]): thread["cpus"] for team in teams for thread in team["threads"]}
            self.assertEqual(found, expected)


if __name__ == "__main__":
    unittest.main()
