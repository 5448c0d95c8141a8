# SPDX-License-Identifier: BSD-3-Clause
"""nestbind plan."""
import json
import os
import subprocess
import unittest

from support import COMMAND, TestCase, environment, machine, nestbind

# Examples of nestbind-spec(7): the processors of each deepest team.
EXAMPLES = [
    ("barcelona", "4,compact", "0 1 2 3"),
    ("barcelona", "6,scatter", "0 2 4 6 8 12"),
    ("barcelona", "4,scatter,4,subscatter", "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15"),
    ("barcelona", "4,scatter,4,scatter", "0 5 9 13 / 4 1 10 14 / 8 2 6 15 / 12 3 7 11"),
    ("barcelona", "2,scatter,2,scatter,3,subscatter", "0 1 2 / 12 13 14 / 8 9 10 / 4 5 6"),
    ("barcelona", "3,scatter,core,subcompact", "0 1 2 3 4 5 6 7 / 8 9 10 11 / 12 13 14 15"),
    ("tigerton", "4,scatter,2,subscatter", "0 2 / 4 6 / 8 10 / 12 14"),
    ("nehalem-hp", "2,scatter,4,subcompact",
     "{0,8} {2,10} {4,12} {6,14} / {1,9} {3,11} {5,13} {7,15}"),
    ("nehalem-sun", "3,scatter,3,subscatter",
     "{0,8} {1,9} {2,10} / {3,11} {4,12} {5,13} / {6,14} 7 15"),
]


def plan(*arguments, **keywords):
    return nestbind("plan", *arguments, **keywords)


def read_json(*arguments, **keywords):
    process = plan("--format", "json", *arguments, **keywords)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def rows(threads):
    teams = {}
    for thread in threads:
        cpus = thread["cpus"]
        name = str(cpus[0]) if len(cpus) == 1 else "{" + ",".join(map(str, cpus)) + "}"
        teams.setdefault(tuple(thread["path"][:-1]), []).append(name)
    return " / ".join(" ".join(team) for team in teams.values())


class Json(TestCase):
    def test_examples(self):
        for xml, spec, expected in EXAMPLES:
            with self.subTest(spec=spec, machine=xml):
                self.assertEqual(rows(read_json(spec, "--topology", machine(xml))["threads"]), expected)

    def test_keys_and_values(self):
        out = read_json(" 4, Scatter,2,SUBcompact", "--topology", machine("barcelona"))
        self.assertEqual(list(out), ["spec", "slots", "warnings", "threads"])
        self.assertEqual((out["spec"], out["slots"], out["warnings"]),
                         ("4,scatter,2,subcompact", 16, []))
        self.assertEqual(out["threads"][3], {"path": [1, 1], "cpus": [5], "bound": True, "core": 5, "package": 1,
                                             "numa": 1, "share": [5]})
        self.assertEqual(list(out["threads"][0]), ["path", "cpus", "bound", "core", "package", "numa", "share"])

    def test_teams_of_one(self):
        """The size 1 in a specification binds its thread. If the program's size is 1, nobody is bound."""
        for spec, shape, bound in (("1,scatter", "1", [True]), ("1,scatter,1,subscatter", "1x1", [True]), ("*,scatter", "1", [False]),
                                   ("*,scatter,1,subscatter", "1x1", [True]), ("2,scatter", "1", [False]), ("auto", "1x2", [True] * 2)):
            threads = read_json(spec, "--topology", machine("barcelona"), "--shape", shape)["threads"]
            self.assertEqual([thread["bound"] for thread in threads], bound, spec)
            self.assertEqual(threads[0]["cpus"], [0])

    def test_numbers_are_numbers_of_the_machine(self):
        thread = read_json("1,scatter", "--topology", machine("barcelona"), "--cpus", "13")["threads"][0]
        self.assertEqual((thread["core"], thread["package"], thread["numa"]), (13, 3, 3))

    def test_share_of_several_slots(self):
        threads = read_json("4,scatter", "--topology", machine("barcelona"))["threads"]
        self.assertEqual(threads[1]["share"], [4, 5, 6, 7])

    def test_missing_objects_are_null(self):
        thread = read_json("1,scatter", "--topology", "pu:2")["threads"][0]
        self.assertIsNone(thread["package"])

    def test_more_threads_than_slots(self):
        out = read_json("9,compact,2,subcompact", "--topology", machine("barcelona"))
        self.assertEqual(out["warnings"], ["18 threads share 16 slots"])

    def test_share_too_small(self):
        # Two teams have only one slot each. The warning is only about the first team.
        out = read_json("2,compact,package,subscatter,2,subscatter", "--topology", "pack:3 core:3 pu:1",
                        "--cpus", "0,3-8")
        self.assertEqual((out["slots"], len(out["threads"])), (7, 6))
        self.assertEqual(out["warnings"], ["2 threads share 1 slot"])

    def test_large(self):
        threads = read_json("32,scatter,32,subcompact", "--topology", "pack:16 core:64 pu:1")["threads"]
        self.assertEqual([t["cpus"] for t in threads], [[i] for i in range(1024)])


class Options(TestCase):
    def test_cpus(self):
        for cpus in ("0-4", "0,1,2,3,4", "3-4,0-2", "0-4:1"):
            out = read_json("2,scatter", "--topology", machine("barcelona"), "--cpus", cpus)
            self.assertEqual(rows(out["threads"]), "0 4")
        out = read_json("4,compact", "--topology", machine("barcelona"), "--cpus", "0-15:4")
        self.assertEqual(rows(out["threads"]), "0 4 8 12")

    def test_no_cpus(self):
        process = plan("2,scatter", "--topology", "pu:4", "--cpus", "")
        self.assertStatus(process, 2)
        self.assertIn("nestbind: --cpus: no processors", process.stderr)

    def test_bad_cpus(self):
        for cpus in ("x", "1-", "3-1", "0-4:0", "1,,2", "-1", "1 2", "99999999999"):
            with self.subTest(cpus=cpus):
                process = plan("2,scatter", "--topology", "pu:4", "--cpus=" + cpus)
                self.assertStatus(process, 2)
                self.assertIn("expected a list of processors", process.stderr)

    def test_own_mask(self):
        first = min(os.sched_getaffinity(0))
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {first})
        try:
            out = read_json("2,scatter")
        finally:
            os.sched_setaffinity(0, before)
        self.assertEqual(rows(out["threads"]), f"{first} {first}")
        self.assertEqual(out["warnings"], ["2 threads share 1 slot"])

    def test_smt(self):
        xml = machine("nehalem-sun")
        expected = "0 8 1 9"
        self.assertEqual(rows(read_json("4,compact", "--smt", "2", "--topology", xml)["threads"]), expected)
        self.assertEqual(rows(read_json("4,compact", "--topology", xml,
                                        env={"NESTBIND_SMT": "2"})["threads"]), expected)
        self.assertEqual(rows(read_json("4,compact", "--smt=1", "--topology", xml,
                                        env={"NESTBIND_SMT": "2"})["threads"]),
                         "{0,8} {1,9} {2,10} {3,11}")

    def test_bad_values(self):
        for arguments, env, told in (
                (["--smt", "0"], {}, "--smt 0"), (["--smt", "two"], {}, "--smt two"),
                (["--smt", "1001"], {}, "--smt 1001"), ([], {"NESTBIND_SMT": "x"}, "NESTBIND_SMT=x"),
                (["--cores", "fast"], {}, "--cores fast"),
                ([], {"NESTBIND_CORES": "fast"}, "NESTBIND_CORES=fast"),
                (["--format", "xml"], {}, "--format"), (["--nosuch"], {}, "--nosuch")):
            with self.subTest(arguments=arguments, env=env):
                process = plan("2,scatter", "--topology", "pu:4", *arguments, env=env)
                self.assertStatus(process, 2)
                self.assertIn(told, process.stderr)
                self.assertEqual(process.stdout, "")

    def test_unreadable_machines(self):
        garbage = self.file("garbage.xml", "<topology")
        for source in (garbage, "nosuch.xml", "pack:0", self.folder):
            with self.subTest(source=source):
                process = plan("2,scatter", "--topology", source)
                self.assertStatus(process, 1)
                self.assertIn("nestbind: ", process.stderr)

    def test_special_files_are_refused(self):
        for source, told in (("nosuch.xml", "there is no file 'nosuch.xml'"), (self.folder, "is a folder"),
                             ("/dev/null", "is a device")):
            for arguments in (["plan", "1,scatter"], ["run", "1,scatter", "--", "true"]):
                process = nestbind(*arguments[:2], "--machine", source, *arguments[2:])
                self.assertStatus(process, 1)
                self.assertIn(told, process.stderr)

    def test_descriptions(self):
        """The message must suggest pu:1 if the description lacks only hardware threads. It must not suggest pu:1 in other cases."""
        for source, lacks in (("pack:2 core:2", True), ("pack:2 foo:2", False), ("pack:2 core:2 pu:x", False)):
            process = nestbind("run", "--machine", source, "2,scatter", "--", "true")
            self.assertStatus(process, 1)
            self.assertEqual("as pu:1" in process.stderr, lacks, process.stderr)

    def test_missing_processors_are_refused(self):
        process = plan("2,scatter", "--topology", "pu:4", "--cpus", "2-5,9")
        self.assertStatus(process, 2)
        self.assertEqual(process.stderr, "nestbind: --cpus 2-5,9: pu:4 has no processors 4-5,9 that may be used\n")
        most = max(os.sched_getaffinity(0))
        process = plan("2,scatter", "--cpus", f"{most}-9999")
        self.assertStatus(process, 2)
        self.assertIn("this machine has no processors ", process.stderr)
        self.assertIn("-9999 that may be used", process.stderr)

    def test_machine_is_another_name(self):
        for arguments in (["--machine", "pu:4"], ["--topology=pu:4"]):
            for order in ([*arguments, "2,scatter"], ["2,scatter", *arguments]):
                self.assertEqual(rows(read_json(*order)["threads"]), "0 2")

    def test_variables_are_defaults(self):
        env = {"OMP_NESTING_TEAM_SIZE": "4,scatter", "NESTBIND_MACHINE": machine("barcelona")}
        self.assertEqual(rows(read_json(env=env)["threads"]), "0 4 8 12")
        self.assertEqual(rows(read_json("2,scatter", env=env)["threads"]), "0 8")
        self.assertEqual(rows(read_json("--machine=pu:4", env=env)["threads"]), "0 1 2 3")
        self.assertEqual(rows(read_json("--cpus=0-4", "2,scatter", env=env)["threads"]), "0 4")
        bad = plan("--machine=pu:4", env={"OMP_NESTING_TEAM_SIZE": "4,scat"})
        self.assertStatus(bad, 2)
        self.assertIn("bad specification", bad.stderr)

    def test_empty_variables_are_not_set(self):
        empty = {"NESTBIND_MACHINE": "", "NESTBIND_SMT": "", "NESTBIND_CORES": "", "OMP_NESTING_TEAM_SIZE": ""}
        self.assertEqual(rows(read_json("2,scatter", "--machine=pu:4", env=empty)["threads"]), "0 2")
        process = plan(env=empty)
        self.assertStatus(process, 2)
        self.assertIn("no specification is given", process.stderr)

    def test_empty_values(self):
        for option in ("--machine", "--topology", "--smt", "--cores"):
            process = plan("2,scatter", option, "")
            self.assertStatus(process, 2)
            self.assertIn("no value", process.stderr)

    def test_suggestions(self):
        for arguments, meant in ((["plan", "2,scatter", "--machin", "pu:4"], "--machine"),
                                 (["plan", "2,scatter", "--formt=json"], "--format"),
                                 (["run", "--reprot", "2,scatter", "--", "true"], "--report"),
                                 (["doctor", "--libary=x", "true"], "--library"),
                                 (["plna", "2,scatter"], "plan"), (["Doctor", "true"], "doctor"),
                                 (["top", "--sort", "threads"], "thread")):
            with self.subTest(arguments=arguments):
                process = nestbind(*arguments)
                self.assertStatus(process, 2)
                self.assertIn(f"; did you mean {meant}?", process.stderr)
                self.assertEqual(process.stderr.count("\n"), 1)
        for text, meant in (("4,scater", "scatter"), ("nmua,scatter", "numa"), ("socket,scatter", "package"), ("Node,scatter", "numa"),
                            ("2,spread", "scatter"), ("2,scatter,2,close", "compact"), ("2,scatter,threads,compact", "pu"),
                            ("2,scatter,2,subcompact@socket", "package")):
            with self.subTest(text):
                self.assertIn(f"; did you mean {meant}?\n", nestbind("plan", text).stderr)
        process = nestbind("nothing")
        self.assertStatus(process, 2)
        self.assertEqual(process.stderr, "nestbind: there is no subcommand nothing (nestbind --help lists them)\n")
        process = plan("2,scatter", "--machine=pu:4", env={"NESTBIND_SMTT": "2", "NESTBIND_HOME": "/x"})
        self.assertStatus(process, 0)
        self.assertEqual(process.stderr, "nestbind: warning: NESTBIND_SMTT is set, but nestbind does not read it; "
                                         "did you mean NESTBIND_SMT?\n")

    def test_usage_names_the_command(self):
        for command in ("run", "plan", "doctor", "trace"):
            self.assertIn(f"Usage: nestbind {command} ", nestbind(command, "--help").stdout)
            if command == "trace":
                self.assertIn(f"nestbind {command} --help", nestbind(command).stderr)

    def test_failed_output_is_reported(self):
        objects = self.file("objects.json", '{"load": [1]}')
        for arguments in (["plan", "1,scatter"], ["topology"], ["balance", objects], ["doctor", "true"], ["doctor", COMMAND], ["--help"],
                          ["run", "--help"], ["run", "--print-env", "1,scatter"]):
            with self.subTest(arguments=arguments), open("/dev/full", "w", encoding="utf-8") as full:
                process = subprocess.run([COMMAND, *arguments], stdout=full, env=environment(), stderr=subprocess.PIPE,
                                         check=False, timeout=60, encoding="utf-8")
                self.assertEqual(process.returncode, 1)
                self.assertEqual(process.stderr.count("cannot write"), 1)

    def test_help_and_version(self):
        for arguments in (["--help"], ["plan", "--help"], ["run", "--help"], ["doctor", "--help"],
                          ["--version"]):
            process = nestbind(*arguments)
            self.assertStatus(process, 0)
            self.assertIn("nestbind", process.stdout)
        for variable in ("NESTBIND_SMT", "NESTBIND_CORES"):
            self.assertIn(variable, plan("--help").stdout)
        self.assertStatus(nestbind(), 2)
        self.assertStatus(nestbind("plan"), 2)


class Text(TestCase):
    def test_four_by_four(self):
        process = plan("4,scatter,4,subscatter", "--topology", machine("barcelona"))
        self.assertStatus(process, 0)
        lines = process.stdout.splitlines()
        self.assertIn("16 cores", lines[0])
        self.assertIn("16 slots; 4,scatter,4,subscatter", lines[0])
        self.assertLessEqual(max(map(len, lines)), 100)
        self.assertIn(["initial", "0-3", "0-3", "0,4,8,12", "0", "4", "8", "12"],
                      [line.split() for line in lines])
        self.assertIn(["2", "2", "2", "8-11", "8", "9", "10", "11"], [line.split() for line in lines])

    def test_hardware_threads(self):
        process = plan("2,scatter", "--topology", machine("nehalem-sun"))
        self.assertIn("{0,8} {4,12}", process.stdout)

    def test_a_row_for_each_team(self):
        process = plan("256,scatter,4,subcompact", "--topology", "pack:16 core:64 pu:1")
        lines = process.stdout.splitlines()
        first = next(i for i, line in enumerate(lines) if line.startswith("level 2"))
        self.assertEqual(len(lines[first + 2:]), 256)
        self.assertEqual(lines[-1].split()[-4:], ["1020", "1021", "1022", "1023"])

    def test_teams_of_one(self):
        lines = plan("*,scatter,2,subscatter", "--shape", "1x2", "--topology", machine("barcelona")).stdout.splitlines()
        self.assertEqual([line for line in lines if "not bound" in line],
                         ["  initial  0        0          0     0 (not bound)"])

    def test_threads_that_share_slots(self):
        """If threads share a slot, the line has the slot once, with a count. So a large team does not make a long line."""
        for spec, slots in (("20,scatter", "0*5 1*5 2*5 3*5"), ("100000,scatter", "0*25000 1*25000 2*25000 3*25000")):
            text = plan(spec, "--topology", "core:4 pu:1").stdout
            self.assertEqual(text.splitlines()[-1].split(None, 4)[4], slots)
        for spec in ("100000,compact", "3,scatter,33333,scatter", "2,compact,50000,subscatter"):
            text = plan(spec, "--topology", "pack:2 core:2 pu:2").stdout
            self.assertLess(max(map(len, text.splitlines())), 3000, spec)

    def test_warning(self):
        process = plan("4,scatter", "--topology", "pu:2")
        self.assertIn("warning: 4 threads share 2 slots", process.stdout)


def xml_of(packages, cores):
    """Returns hwloc's XML of a machine with this number of packages and of cores in a package."""
    def cpuset(first, count):
        bits = ((1 << count) - 1) << first
        words = [f"0x{bits >> at & 0xffffffff:08x}" for at in range(0, max(bits.bit_length(), 1), 32)]
        return f'cpuset="{",".join(reversed(words))}"'

    def sets(first, count):
        return f'{cpuset(first, count)} complete_{cpuset(first, count)} nodeset="0x1" complete_nodeset="0x1"'

    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE topology SYSTEM "hwloc2.dtd">', '<topology version="2.0">',
             f'<object type="Machine" os_index="0" {sets(0, packages * cores)} allowed_{cpuset(0, packages * cores)} '
             'allowed_nodeset="0x1">',
             f'<object type="NUMANode" os_index="0" {sets(0, packages * cores)}/>']
    for package in range(packages):
        lines.append(f'<object type="Package" os_index="{package}" {sets(package * cores, cores)}>')
        for core in range(package * cores, (package + 1) * cores):
            lines.append(f'<object type="Core" os_index="{core}" {sets(core, 1)}>'
                         f'<object type="PU" os_index="{core}" {sets(core, 1)}/></object>')
        lines.append("</object>")
    return "\n".join(lines + ["</object>", "</topology>", ""])


class Machines(TestCase):
    """For any input the command gives an answer or a message, and never ends by a signal."""

    def test_broken_files(self):
        with open(machine("barcelona"), encoding="utf-8") as file:
            good = file.read()
        for name, text in (("empty.xml", ""), ("cut.xml", good[:len(good) // 2]), ("text.xml", "no machine")):
            path = self.file(name, text)
            for arguments in (["plan", "1,scatter", "--topology"], ["run", "1,scatter", "--machine"]):
                with self.subTest(file=name, command=arguments[0]):
                    end = ["--", "echo", "started"] if arguments[0] == "run" else []
                    process = nestbind(*arguments, path, *end)
                    self.assertStatus(process, 1)
                    self.assertEqual(process.stdout, "")
                    self.assertIn(name, process.stderr)

    def test_a_large_file(self):
        file = self.file("large.xml", xml_of(16, 64))
        threads = read_json("16,scatter,64,subcompact", "--topology", file)["threads"]
        self.assertEqual([t["cpus"] for t in threads], [[i] for i in range(1024)])

    def test_the_largest_description(self):
        self.assertIn("4096 slots", plan("4096,scatter", "--topology", "pack:16 core:256 pu:1").stdout)
        for text in ("pu:4097", "pu:16384", "pack:0x1000 pu:2"):
            process = plan("1,scatter", "--topology", text)
            self.assertStatus(process, 1)
            self.assertIn("more than 4096 processors", process.stderr)


class BadSpecifications(TestCase):
    def test_each_fault_has_a_caret(self):
        for spec in ("", ",", "4", "4,scatter,", "0,scatter", "-1,scatter", "99999999999,scatter",
                     "4,scater", "4,scatter@numa", "4,subscatter@", "4 scatter", "\x01\x02",
                     ",".join(["1,scatter"] * 10000)):
            for arguments in (["plan", spec], ["run", spec, "--", "true"]):
                with self.subTest(spec=spec[:20], command=arguments[0]):
                    process = nestbind(*arguments)
                    self.assertStatus(process, 2)
                    self.assertEqual(process.stdout, "")
                    lines = process.stderr.splitlines()
                    self.assertEqual(len(lines), 3, process.stderr)
                    self.assertIn("bad specification, column", lines[0])
                    self.assertEqual(lines[2].strip(), "^")

    def test_caret_is_under_the_fault(self):
        lines = plan("4,scatter,2,spread").stderr.splitlines()
        self.assertIn("column 13", lines[0])
        self.assertEqual(lines[2].index("^"), lines[1].index("spread"))
        lines = plan("-1,scatter").stderr.splitlines()
        self.assertEqual(lines[2].index("^"), lines[1].index("-1"))


if __name__ == "__main__":
    unittest.main()
