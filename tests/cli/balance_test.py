# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind balance, and the examples in the manual page of nestbind_balance()."""
import json
import os
import re
import resource
import shutil
import subprocess
import unittest

from support import COMMAND, LIBRARY, TestCase, environment, machine, nestbind

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
INCLUDE = os.path.join(ROOT, "include")
FOLDER = os.path.dirname(LIBRARY)
NESTBIND = ("-L" + FOLDER, "-Wl,-rpath," + FOLDER, "-lnestbind")
FOUR = ("--machine", "pack:2 [numa] core:2 pu:1")  # two nodes of two slots
TWO = ("--machine", "pack:2 [numa] core:1 pu:1")
SQUARE = ("--machine", machine("barcelona-probed"))
SCOTCH = os.path.join(FOLDER, "nestbind", "nestbind-scotch")
BY_SCOTCH = ("--algorithm", "scotch")
HOMES = {"load": [100] * 8 + [1, 0.5], "slot": [0, 1, 2, 3, 8, 9, 10, 11, 5, 13], "home": [0] * 4 + [2] * 4 + [0, 2]}


def ring(count, load):
    """Returns objects in a ring."""
    return {"load": load, "messages": [[i, (i + step) % count, 10] for i in range(count) for step in (1, -1 % count)]}


class Balance(TestCase):
    def balance(self, objects, *words, command=COMMAND, env=None):
        """The tolerance is 0 if `words` has no --tolerance, so an algorithm makes every move that it finds."""
        text = objects if isinstance(objects, str) else json.dumps(objects)
        plain = () if any("--tolerance" in word for word in words) else ("--tolerance=0",)
        return nestbind("balance", self.file("objects.json", text), *words, *plain, env=env, command=command)

    def found(self, objects, *words, **more):
        process = self.balance(objects, "--json", *words, **more)
        self.assertStatus(process, 0)
        self.assertEqual(process.stderr, "")
        return json.loads(process.stdout)

    def test_text(self):
        text = self.balance({"load": [4, 2, 1, 2], "slot": [0, 0, 1, 3], "home": [0, 1, 0, 1]}, *FOUR).stdout
        self.assertEqual(text, "2 packages, 2 NUMA nodes, 4 cores, 4 processors\n"
                               "4 objects on 4 slots, by numa: 1 to be moved (25.0 %)\n"
                               "heaviest slot 6 -> 4, mean 2.25: 166.7 % above it -> 77.8 %\n"
                               "messages to other nodes 25.0 % -> 50.0 % of 4\n"
                               "the heaviest object alone has this load, so no placement is better\n"
                               "\nobject 0: slot 0 -> 2\n")
        text = self.balance({"load": [1, 1], "slot": [0, 1]}, *FOUR).stdout
        self.assertEqual(text.splitlines()[1:], ["2 objects on 4 slots, by numa: 0 to be moved (0.0 %)",
                                                 "heaviest slot 1 -> 1, mean 0.5: 100.0 % above it -> 100.0 %",
                                                 "the heaviest object alone has this load, so no placement is better"])

    def test_a_move_without_gain_is_reported(self):
        """The light object moves, but the heaviest slot stays as heavy as before."""
        told = self.balance({"load": [4, 1], "slot": [0, 3]}, *FOUR).stdout
        self.assertIn("1 to be moved", told)
        self.assertTrue(told.endswith("no placement is better\nthe moves gain nothing\n\nobject 1: slot 3 -> 1\n"), told)
        for more in ({"home": [0, 0]}, {"slot": [0, 0]}):
            told = self.balance({"load": [4, 1], "slot": [0, 3], **more}, *FOUR).stdout
            self.assertIn("1 to be moved", told)
            self.assertNotIn("the moves gain nothing", told)
        told = self.balance({"load": [1, 1], "slot": [0, 0]}, *FOUR).stdout
        self.assertNotIn("the moves gain nothing", told)
        self.assertNotIn("heaviest object alone", self.balance({"load": [1] * 5}, *FOUR).stdout)

    def test_nothing_moves_without_loads(self):
        """If all loads are 0, all slots cost the same, and the first slot would get all objects."""
        for algorithm in ("numa", "greedy", "refine"):
            process = self.balance({"load": [0, 0, 0], "slot": [3, 1, 2]}, *FOUR, "--json", "--algorithm", algorithm)
            self.assertStatus(process, 0)
            self.assertEqual(json.loads(process.stdout)["slot"], [3, 1, 2])
            self.assertIn("no object has a load", process.stderr)
        self.assertEqual(self.found({"load": [0, 1, 0], "slot": [3, 3, 3]}, *FOUR)["migrations"], 3)

    def test_json(self):
        self.assertEqual(self.found({"load": [4, 2, 1, 2], "slot": [0, 0, 1, 3], "home": [0, 1, 0, 1]}, *FOUR),
                         {"machine": "2 packages, 2 NUMA nodes, 4 cores, 4 processors", "algorithm": "numa", "objects": 4, "slots": 4,
                          "migrations": 1, "mean": 2.25, "heaviest_before": 6, "heaviest": 4, "messages": 4,
                          "remote_messages_before": 1, "remote_messages": 2, "slot": [2, 0, 1, 3]})

    def test_algorithms(self):
        # Computed by hand in tests/unit/balance.
        objects = {"load": [4, 1, 1, 2], "slot": [0, 0, 2, 2]}
        self.assertEqual(self.found(objects, *FOUR, "--algorithm=numa")["slot"], [1, 0, 2, 3])
        self.assertEqual(self.found(objects, *FOUR, "--algorithm=greedy")["slot"], [0, 2, 3, 1])
        self.assertEqual(self.found(objects, *FOUR, "--algorithm=refine")["slot"], [0, 2, 2, 2])
        self.assertEqual(self.found({"load": [2, 3, 2], "slot": [0, 0, 1]}, "--machine=core:2 pu:1", "--algorithm=refine",
                                    "--tolerance=0.43")["slot"], [0, 0, 1])

    def test_standard_input(self):
        process = subprocess.run([COMMAND, "balance", "-", *FOUR, "--json"], input='{"load": [4, 1, 1, 2]}', env=environment(),
                                 capture_output=True, encoding="utf-8", check=False)
        self.assertStatus(process, 0)
        self.assertEqual(json.loads(process.stdout)["objects"], 4)

    def test_moves_need_a_gain(self):
        uneven = {"load": [1.01, 1, 1, 0.99, 0.02], "slot": [0, 1, 2, 3, 0]}  # slot 0 has 1.03, slot 3 has 0.99; the mean is 1.005
        for algorithm in ("numa", "greedy", "refine"):
            by = (*FOUR, "--algorithm", algorithm)
            self.assertEqual(self.found(uneven, *by, "--tolerance=0.05")["migrations"], 0)
            pile = {"load": [4, 3, 2, 1], "slot": [0] * 4}
            self.assertGreater(self.found(pile, *by, "--tolerance=0.02")["migrations"], 1)
            for most in (0, 1, 2):
                found = self.found(pile, *by, "--tolerance=0.02", f"--most-moves={most}")
                self.assertLessEqual(found["migrations"], most)
                self.assertLess(found["heaviest"], 10 if most else 11)
            self.assertEqual(self.found(pile, *by, "--move-price=10")["migrations"], 0)
        # The default tolerance allows a move that lowers the heaviest load from 1.4 to 1.
        for objects, moved in (({"load": [1, 1, 0.5, 1, 0.4], "slot": [0, 1, 2, 3, 0]}, 1), ({**uneven, "load": [1.01, 1, 1, 0.99, 0.3]}, 0)):
            process = nestbind("balance", self.file("uneven.json", json.dumps(objects)), *FOUR, "--json")
            self.assertEqual(json.loads(process.stdout)["migrations"], moved)

    def test_distances(self):
        """The first light object has its data on node 0, the second on node 2, as in tests/matrix/cases/balance.case."""
        self.assertEqual(self.found(HOMES, *SQUARE, "--alpha=1")["slot"][8:], [4, 12])
        self.assertEqual(self.found(HOMES, *SQUARE, "--alpha=1", "--distances=probed")["slot"][8:], [12, 4])
        self.assertEqual(self.found(HOMES, "--machine", machine("barcelona"), "--alpha=1")["slot"][8:], [4, 5])

    def test_alpha(self):
        talking = {"load": [1, 1], "messages": [[0, 1, 10], [1, 0, 10]]}
        # The first object's cost is 10 * alpha on slot 0, and 1 - 10 * alpha on slot 1.
        self.assertEqual(self.found(talking, *TWO, "--alpha=0.04")["migrations"], 0)
        self.assertEqual(self.found(talking, *TWO, "--alpha=0")["migrations"], 0)
        near = self.found(talking, *TWO, "--alpha=0.06")
        self.assertEqual((near["slot"], near["remote_messages_before"], near["remote_messages"]), ([1, 1], 20, 0))

    def test_alpha_is_chosen_automatically(self):
        """The default alpha is a twentieth of all loads divided by all messages."""
        talking = {"load": [1, 1, 1, 9], "messages": [[0, 1, 10], [1, 0, 10]], "slot": [0, 0, 0, 1], "home": [0, 0, 0, 1], "home_messages": [5, 5, 5, 5]}
        found = self.found(talking, *TWO)
        self.assertEqual(self.found(talking, *TWO, "--alpha=0.015"), found)  # 0.05 * 12 / 40
        bytes_sent = {**talking, "load": [load * 1e-3 for load in talking["load"]], "messages": [[0, 1, 1e6], [1, 0, 1e6]], "home_messages": [5e5] * 4}
        self.assertEqual(self.found(bytes_sent, *TWO)["slot"], found["slot"])
        held = {"load": [10, 10, 1, 1], "slot": [0, 1, 0, 0], "home": [0, 1, 0, 0], "home_messages": [0, 0, 5, 0]}
        self.assertEqual(self.found(held, *TWO)["slot"], [0, 1, 0, 1])
        self.assertEqual(self.found(held, *TWO, "--alpha=0")["slot"], [0, 1, 1, 0])

    def test_messages_without_a_count_count_as_one(self):
        once = self.found({"load": [1, 1], "messages": [[0, 1], [1, 0], [1, 1, 50]]}, *TWO)
        self.assertEqual((once["messages"], once["remote_messages"]), (2, 2))

    def test_slots_of_a_specification(self):
        objects = {"load": [1] * 8}
        smt = ("--machine", "pack:1 core:4 pu:2")
        self.assertEqual(self.found(objects, *smt)["slots"], 4)
        self.assertEqual(self.found(objects, *smt, "--spec=8,compact")["slots"], 8)
        self.assertEqual(self.found(objects, *smt, env={"OMP_NESTING_TEAM_SIZE": "8,compact"})["slots"], 8)
        self.assertEqual(self.found(objects, *smt, "--spec=off")["slots"], 4)
        self.assertStatus(self.balance(objects, *smt, "--spec=8,compat"), 2)

    def test_answer_can_be_the_next_input(self):
        objects = ring(64, [1 + i % 7 for i in range(64)])
        first = self.found(objects, *SQUARE)
        again = self.found({**objects, "slot": first["slot"]}, *SQUARE)
        self.assertGreater(first["migrations"], 0)
        self.assertLessEqual(again["migrations"], first["migrations"])
        self.assertLess(first["heaviest"], first["heaviest_before"])
        self.assertEqual(self.found(objects, *SQUARE), first)

    @unittest.skipUnless(os.path.exists(SCOTCH), "built without SCOTCH")
    def test_scotch(self):
        """SCOTCH makes parts of equal load, but does not choose their slots, so nearly all objects move."""
        objects = ring(64, [1] * 64)
        found = self.found(objects, *SQUARE, *BY_SCOTCH)
        self.assertEqual(found["mean"], 4)
        self.assertLessEqual(found["heaviest"], 5)
        self.assertEqual(sorted(set(found["slot"])), list(range(16)))
        self.assertEqual(self.found(objects, *SQUARE, *BY_SCOTCH), found)
        self.assertEqual(self.found({"load": [1, 5, 0]}, *SQUARE, *BY_SCOTCH)["slot"], [0, 1, 2])
        self.assertEqual(self.found({"load": []}, *SQUARE, *BY_SCOTCH)["slot"], [])
        self.assertEqual(self.found({"load": [1, 0]}, "--machine=core:1 pu:1", *BY_SCOTCH)["slot"], [0, 0])
        self.assertLessEqual(self.found({"load": [1] * 64}, *SQUARE, *BY_SCOTCH)["heaviest"], 8)

    def command_with(self, name, program=None):
        """Copies the command, but not nestbind-scotch. If there is a `program`, it replaces nestbind-scotch."""
        folder = os.path.join(self.folder, name)
        os.makedirs(os.path.join(folder, "bin"))
        shutil.copy(COMMAND, os.path.join(folder, "bin"))
        shutil.copytree(os.path.join(FOLDER, "nestbind"), os.path.join(folder, "lib", "nestbind"),
                        ignore=shutil.ignore_patterns("nestbind-scotch"))
        shutil.copy(LIBRARY, os.path.join(folder, "lib", "libnestbind.so"))
        if program:
            self.file(os.path.join(name, "lib", "nestbind", "nestbind-scotch"), program, 0o755)
        return os.path.join(folder, "bin", os.path.basename(COMMAND))

    def test_without_scotch(self):
        """The command is built as if SCOTCH's library were missing."""
        without = self.command_with("without")
        process = self.balance(ring(8, [1] * 8), *FOUR, *BY_SCOTCH, command=without)
        self.assertStatus(process, 1)
        self.assertEqual(process.stdout, "")
        self.assertIn("built without SCOTCH (Debian: libscotch-dev)", process.stderr)
        self.assertStatus(self.balance(ring(8, [1] * 8), *FOUR, command=without), 0)

    def test_failing_scotch_is_reported(self):
        for name, script in (("missing", "exit 127"), ("killed", "kill -9 $$"), ("short", "echo 0"),
                             ("wrong", "yes 4 | head -n 8"), ("words", "yes x | head -n 8")):
            process = self.balance(ring(8, [1] * 8), *FOUR, *BY_SCOTCH, command=self.command_with(name, f"#!/bin/sh\n{script}\n"))
            self.assertStatus(process, 1)
            self.assertIn("SCOTCH did not answer", process.stderr)

    def test_scotch_is_asked_to_divide(self):
        answers = self.command_with("answers", '#!/bin/sh\n[ "$*" = divide ] && yes 2 | head -n 8\n')
        self.assertEqual(self.found(ring(8, [1] * 8), *FOUR, *BY_SCOTCH, command=answers)["slot"], [2] * 8)

    def test_metis_is_not_asked(self):
        """The command does not offer METIS."""
        process = self.balance(ring(8, [1] * 8), *FOUR, "--algorithm=metis")
        self.assertStatus(process, 2)
        self.assertIn("metis", process.stderr)
        self.assertIn("scotch", process.stderr)

    def test_bad_files(self):
        for text, place, *facts in (('{"load": [1,\n 2,, 3]}', "line 2, column 4:"), ("", "line 1, column 1:"),
                                    ("[1]", "expected", '"load"'), ("{}", "expected", '"load"'),
                                    ('{"load": 3}', '"load":', "10000000"), ('{"load": [1], "home": 0}', '"home":'),
                                    ('{"load": [1], "messages": {}}', '"messages":', "[sender, receiver, count]"),
                                    ("{'load': [1]}", "line 1, column 2:", '{"load": ['),
                                    ('{"load": [1, -2]}', '"load"[1]:', "0", "1e15"), ('{"load": [1, "x"]}', '"load"[1]:', "0", "1e15"),
                                    ('{"load": [1], "loads": []}', '"loads":', "load, slot, home, home_messages or messages"),
                                    ('{"load": [1], "load": [2]}', '"load"', "occurs twice"),
                                    ('{"load": [1, 2], "slot": [0]}', '"slot":', "1", "2 objects"),
                                    ('{"load": [1, 2], "slot": [0, 4]}', '"slot"[1]:', "slot 4", "0 to 3"),
                                    ('{"load": [1], "slot": [0.5]}', '"slot"[0]:', "0 to 2147483646"),
                                    ('{"load": [1], "slot": [18446744073709551615]}', '"slot"[0]:'),
                                    ('{"load": [1], "home": [2]}', '"home"[0]:', "NUMA node 2"),
                                    ('{"load": [1], "messages": [[0]]}', '"messages"[0]:', "[sender, receiver, count]"),
                                    ('{"load": [1], "messages": [[0, 1]]}', '"messages"[0][1]:', "0 to 0"),
                                    ('{"load": [1], "messages": [[0, 0, -1]]}', '"messages"[0][2]:', "0", "1e15"),
                                    ('{"load": [1e999]}', "line 1, column 11:", "1e15"),
                                    ('{"load": [1,\n -1e400, 1e999]}', "line 2, column 2:", "1e15")):
            with self.subTest(text):
                process = self.balance(text, *FOUR)
                self.assertStatus(process, 2)
                self.assertEqual(process.stdout, "")
                self.assertIn(f"{self.folder}/objects.json, ", process.stderr)
                said = process.stderr.partition(place)[2] if place in process.stderr else None
                self.assertIsNotNone(said, process.stderr)
                self.assertEqual([fact for fact in facts if fact not in said], [])
        deep = self.balance('{"load": ' + "[" * 100000, *FOUR)
        self.assertStatus(deep, 2)

    def test_too_little_memory(self):
        """The memory is enough for the values of the file, but not for a JSON tree of the values."""
        text = json.dumps({"load": [1] * 2000000})
        limit = 96 << 20
        process = subprocess.run([COMMAND, "balance", self.file("objects.json", text), *FOUR], env=environment(), stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, encoding="utf-8", check=False,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
        self.assertStatus(process, 0)
        self.assertIn("2000000 objects on 4 slots", process.stdout)
        too_many = self.balance('{"load": [' + "1," * 10000001, *FOUR)
        self.assertStatus(too_many, 2)
        self.assertIn('"load": expected a list of numbers, at most 10000000', too_many.stderr)

    def test_missing_arguments_are_reported(self):
        process = nestbind("balance", *FOUR)
        self.assertStatus(process, 2)
        self.assertIn("no file of objects is given; expected nestbind balance [OPTIONS] FILE", process.stderr)
        process = nestbind("balance", "/nonexistent/objects.json", *FOUR)
        self.assertStatus(process, 1)
        self.assertIn("/nonexistent/objects.json: No such file or directory", process.stderr)
        os.mkfifo(os.path.join(self.folder, "pipe"))  # a pipe without a writer
        for name, fault in ((self.folder, "Is a directory"), ("/dev/zero", "File too large"), (os.path.join(self.folder, "pipe"), "No data available")):
            process = nestbind("balance", name, *FOUR)
            self.assertStatus(process, 1)
            self.assertEqual(process.stderr, f"nestbind: {name}: {fault}\n")
        for words in (("--algorithm=numma",), ("--alpha=-1",), ("--alpha=nan",), ("--algorithm=refine", "--tolerance=1e16"), ("--alpha=x",)):
            self.assertStatus(self.balance({"load": [1]}, *FOUR, *words), 2)
        for words, told in ((("--algorithm=refine", "--alpha=1"), "--alpha is for the algorithm numa, not for refine"),
                            (("--move-price=-1",), "--move-price -1: expected a number from 0 to 1e15")):
            process = self.balance({"load": [1]}, *FOUR, *words)
            self.assertStatus(process, 2)
            self.assertEqual(process.stderr, f"nestbind: {told}\n")
        for option in ("--alpha", "--tolerance"):
            process = self.balance({"load": [1]}, *FOUR, option, "")
            self.assertStatus(process, 2)
            self.assertIn(f"{option}: no value", process.stderr)
        for words, told in (("--alpha=5%", "--alpha = 5%"), ("--tolerance=x", "--tolerance = x")):
            self.assertIn(told + ": expected a number;", self.balance({"load": [1]}, *FOUR, words).stderr)


class Manual(TestCase):
    def test_header_in_old_standards(self):
        for compiler, standard in (("gcc", "c90"), ("gcc", "c11"), ("g++", "c++98"), ("g++", "c++20")):
            language = "c++" if "+" in standard else "c"
            done = subprocess.run([compiler, "-std=" + standard, "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x",
                                   language, "-", "-I" + INCLUDE], input="#include <nestbind/balance.h>\n", capture_output=True,
                                  encoding="utf-8", check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), standard)

    def displays(self):
        with open(os.path.join(ROOT, "docs", "man", "nestbind-balance.3"), encoding="utf-8") as file:
            return re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", file.read().replace("\\e", "\\"), re.M | re.S)

    def test_displays(self):
        in_c, in_fortran, _, objects, options, *_ = self.displays()
        with open(os.path.join(INCLUDE, "nestbind", "balance.h"), encoding="utf-8") as file:
            header = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        declared = [re.sub(r"\s+", " ", part).strip() for part in re.findall(r"struct \w+ \{.*?\};", header, re.S)]
        for shown in (objects, options):
            self.assertIn(re.sub(r"\s+", " ", shown).strip(), declared)
        not_measured_yet = in_c.replace("{4, 1, 1, 2}", "{0}").replace("{0, 0, 1, 1};", "{1, 0, 1, 1};")
        run = {"env": environment(NESTBIND_MACHINE="pack:2 [numa] core:1 pu:1"), "capture_output": True, "encoding": "utf-8", "check": False}
        for name, source, slots in (("shown", in_c, (0, 1, 1, 1)), ("not-measured-yet", not_measured_yet, (1, 0, 1, 1))):
            with self.subTest(name):
                program = self.compile(name, "-fopenmp", "-Wall", "-Wextra", "-Werror", "-I" + INCLUDE, *NESTBIND, source=source)
                process = subprocess.run([program], **run)
                told = "".join(f"zone {zone} on slot {slot}\n" for zone, slot in enumerate(slots))
                self.assertEqual((process.returncode, process.stdout, process.stderr), (0, told, ""))
        if shutil.which("gfortran") is None:
            self.skipTest("there is no gfortran")
        program = os.path.join(self.folder, "shown-fortran")
        modules = [os.path.join(INCLUDE, "nestbind", name) for name in ("nestbind.f90", "nestbind_balancing.f90")]
        subprocess.run(["gfortran", "-O1", "-J" + self.folder, *modules, self.file("shown.f90", in_fortran), "-o", program, *NESTBIND],
                       check=True, capture_output=True)
        process = subprocess.run([program], **run)
        self.assertEqual((process.returncode, process.stdout.split(), process.stderr), (0, ["moved", "1"], ""))

    def test_example(self):
        """The result must not depend on the number of threads, nor on how often a zone has moved."""
        with open(os.path.join(ROOT, "examples", "balance_of_zones.c"), encoding="utf-8") as file:
            program = self.compile("zones", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-I" + INCLUDE, *NESTBIND, source=file.read())
        last = set()
        for threads in (1, 2, 4):
            process = subprocess.run([program], env=environment(OMP_NESTING_TEAM_SIZE=f"{threads},scatter", NESTBIND_MACHINE="pack:2 [numa] core:2 pu:1"),
                                     capture_output=True, encoding="utf-8", check=False)
            self.assertEqual((process.returncode, process.stderr), (0, ""))
            self.assertRegex(process.stdout, r"\A(step \d+: \d+ of 48 zones move\n){3}48 zones, 32 steps: [\d.]+\n\Z")
            last.add(process.stdout.splitlines()[-1])
        self.assertEqual(len(last), 1)
        unbound = subprocess.run([program], env=environment(OMP_NUM_THREADS="2"), capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((unbound.returncode, unbound.stdout), (1, "no thread has a slot: is a specification in force?\n"))

    def test_unreadable_machine_is_reported(self):
        program = self.compile("unread", "-I" + INCLUDE, *NESTBIND, source="""
#include <nestbind/balance.h>
#include <stdio.h>
int main(void) {
  double load = 1;
  int place = 0;
  struct nestbind_objects objects = {0};
  objects.count = 1;
  objects.load = &load;
  printf("%d\\n", nestbind_balance(&objects, 0, &place));
  return 0;
}
""")
        process = subprocess.run([program], env=environment(NESTBIND_MACHINE="/nonexistent.xml"), capture_output=True, encoding="utf-8",
                                 check=False)
        self.assertEqual((process.returncode, process.stdout), (0, "-11\n"))
        self.assertEqual(process.stderr.count("/nonexistent.xml"), 1)

    def test_floating_point_settings_of_the_program_stay(self):
        """The result must not depend on the program's rounding mode."""
        program = self.compile("floats", "-I" + INCLUDE, *NESTBIND, "-lm", source="""
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <nestbind/balance.h>
#include <stdio.h>
#include <string.h>
enum { kCount = 200 };
static double load[kCount];
static int balance(int *place) {
  struct nestbind_objects objects = {0};
  objects.count = kCount;
  objects.load = load;
  memset(place, 0, kCount * sizeof *place);
  return nestbind_balance(&objects, 0, place);
}
int main(void) {
  static const int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  int place[4][kCount];
  for (int i = 0; i < kCount; ++i) {
    load[i] = 0.1 * (i * 37 % 100) + 1. / 3;
  }
  feclearexcept(FE_ALL_EXCEPT);
  for (int i = 0; i < 4; ++i) {
    fesetround(modes[i]);
    balance(place[i]);
    printf("%d", memcmp(place[0], place[i], sizeof place[0]) == 0 && fegetround() == modes[i]);
  }
  fesetround(FE_TONEAREST);
  printf(" %d", fetestexcept(FE_ALL_EXCEPT));
  feenableexcept(FE_ALL_EXCEPT);
  printf(" %d", balance(place[1]) > 0);
  load[1] = NAN;
  printf(" %d\\n", balance(place[1]));
  return 0;
}
""")
        process = subprocess.run([program], env=environment(NESTBIND_MACHINE="pack:2 [numa] core:2 pu:1"), capture_output=True, encoding="utf-8",
                                 check=False)
        self.assertEqual((process.returncode, process.stdout), (0, "1111 0 1 -10\n"))
        self.assertIn("nestbind_balance: load[1] is nan: ", process.stderr)


class Cost(TestCase):
    """Counts instructions, because their number is the same on every machine."""

    def counted(self, objects, nodes, slots=1024):
        log = self.file("counted", "")
        process = nestbind("-q", "--tool=callgrind", f"--callgrind-out-file={log}", "--toggle-collect=nestbind::balance::assign*",
                           COMMAND, "balance", objects, "--machine", f"pack:{nodes} [numa] core:{slots // nodes} pu:1", "--tolerance=0",
                           command="valgrind")
        self.assertStatus(process, 0)
        with open(log, encoding="utf-8") as lines:
            return int(re.search(r"^totals: (\d+)", lines.read(), re.MULTILINE)[1])

    @unittest.skipUnless(shutil.which("valgrind"), "there is no valgrind")
    def test_grows_no_faster_than_the_nodes(self):
        """With 16 times more nodes, a cost that grows with the square of the nodes would be 256 times higher."""
        objects = self.file("objects.json", json.dumps(ring(4000, [1 + i % 7 for i in range(4000)]) | {"slot": [i % 1024 for i in range(4000)]}))
        few = self.counted(objects, 16)
        self.assertGreater(few, 4000)
        self.assertLess(self.counted(objects, 256), 16 * few)


if __name__ == "__main__":
    unittest.main()
