# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind map, and its orders in nestbind plan and run."""
import json
import os
import random
import re
import shutil
import subprocess
import unittest

from support import COMMAND, LIBRARY, TestCase, environment, machine, nestbind

BARCELONA = ("--machine", machine("barcelona"))
TREE = ("--machine", "pack:4 l3:4 core:4 pu:1")
SCOTCH = os.path.join(os.path.dirname(LIBRARY), "nestbind", "nestbind-scotch")


def hidden_teams(count, seed):
    """Returns the communication of teams of four."""
    names = list(range(count))
    random.Random(seed).shuffle(names)
    return "".join(f"{names[a]} {names[b]} 10\n" for a in range(count) for b in range(a + 1, count) if a // 4 == b // 4)


class Map(TestCase):
    def map(self, text, *words, env=None, command=COMMAND):
        return nestbind("map", "--communication", self.file("pairs", text), *words, env=env, command=command)

    def read_json(self, text, *words, command=COMMAND):
        process = self.map(text, "--format=json", *words, command=command)
        self.assertStatus(process, 0)
        return json.loads(process.stdout)

    def planned(self, *words, env=None):
        process = nestbind("plan", "--format=json", *words, env=env)
        self.assertStatus(process, 0)
        self.assertEqual(process.stderr, "")
        return [thread["cpus"][0] for thread in json.loads(process.stdout)["threads"]]

    def command_without(self, name, scotch=None):
        """Copies the command, but not nestbind-scotch. If there is a program `scotch`, it replaces nestbind-scotch."""
        folder = os.path.join(self.folder, name)
        if not os.path.exists(folder):
            os.makedirs(os.path.join(folder, "bin"))
            shutil.copy(COMMAND, os.path.join(folder, "bin"))
            modules = os.path.join(folder, "lib", "nestbind")
            shutil.copytree(os.path.join(os.path.dirname(LIBRARY), "nestbind"), modules,
                            ignore=shutil.ignore_patterns("nestbind-scotch"))
            shutil.copy(LIBRARY, os.path.join(folder, "lib", "libnestbind.so"))
            if scotch:
                self.file(os.path.join(name, "lib", "nestbind", "nestbind-scotch"), scotch, 0o755)
        return os.path.join(folder, "bin", os.path.basename(COMMAND))

    def test_hidden_teams_are_found(self):
        for seed in range(3):
            found = self.read_json(hidden_teams(64, seed), *TREE, "64,compact")
            self.assertEqual(found["cost"], 960)
            self.assertGreater(found["cost_before"], 2000)

    def test_json(self):
        # Threads 0 and 3 communicate, and threads 1 and 2 communicate. The order puts each pair on one package of two cores.
        found = self.read_json("0 3 8\n1 2 1\n", "--machine", "pack:2 core:2 pu:1", "4,compact")
        order = found.pop("order")
        self.assertIn(found.pop("method"), ("plain", "greedy", "scotch"))
        self.assertEqual(found.pop("scotch"), os.path.exists(SCOTCH))
        self.assertEqual(found, {"spec": "4,compact", "machine": "2 packages, 1 NUMA node, 4 cores, 4 processors", "threads": 4,
                                 "pairs": 2, "weight": 9, "cost_before": 18, "cost": 9})
        self.assertEqual([team["master"] for team in order], [[]])
        self.assertEqual(order[0]["seats"][3], 1)
        self.assertEqual(sorted(order[0]["seats"]), [0, 1, 2, 3])

    def test_text(self):
        text = self.map("0.1 1.0 5\n1.1 0.0 3\n", "--method=greedy", "--machine", "pack:2 core:2 pu:1", "2,scatter,2,subcompact").stdout
        self.assertEqual(text, "2,scatter,2,subcompact\n2 packages, 1 NUMA node, 4 cores, 4 processors\n"
                               "4 threads, 2 pairs of them exchange data, weight 8\n"
                               "cost as planned     16\nno order that costs less was found\n")
        text = self.map("0 3 8\n1 2 1\n", "--method=greedy", "--machine", "pack:2 core:2 pu:1", "4,compact").stdout
        self.assertIn("cost as planned     18\ncost in this order  9: 50.0 % of the planned cost; by ", text)
        self.assertRegex(text, r"(?m)^team: 0 [23] [23] 1$")

    def test_example_of_the_manual(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "man", "nestbind-map.1"), encoding="utf-8") as file:
            shown = re.search(r"\$ nestbind map .* 4,compact\n((?:[^.].*\n|\n)*)", file.read()).group(1)
        process = self.map("0 3 8\n1 2 1\n", "--method=greedy", "--machine", "pack:2 core:2 pu:1", "4,compact")
        self.assertEqual(process.stdout, shown)

    def test_plan_accepts_the_order(self):
        order = os.path.join(self.folder, "order")
        for spec in ("16,compact", "16,scatter", "4,scatter,4,scatter"):
            with self.subTest(spec):
                process = self.map(hidden_teams(16, 4), *BARCELONA, "--output", order, spec)
                self.assertStatus(process, 0)
                plain = self.planned(spec, *BARCELONA)
                ordered = self.planned(spec, *BARCELONA, "--order", order)
                self.assertNotEqual(ordered, plain)
                self.assertEqual(sorted(ordered), sorted(plain))
                self.assertEqual(ordered[0], plain[0])
                self.assertEqual(self.planned(spec, *BARCELONA, env={"NESTBIND_ORDER": order}), ordered)

    def test_shown_order_is_the_written_order(self):
        order = os.path.join(self.folder, "told")
        process = self.map(hidden_teams(16, 4), *BARCELONA, "--output", order, "16,compact")
        with open(order, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual([line for line in lines if not line.startswith("#")], process.stdout.splitlines()[-1:])
        self.assertIn("16,compact", lines[0])

    def test_teams_together(self):
        text = hidden_teams(16, 4)
        pairs = [tuple(map(int, line.split()[:2])) for line in text.splitlines()]
        order = os.path.join(self.folder, "together")
        self.assertStatus(self.map(text, *BARCELONA, "--output", order, "16,compact"), 0)
        cpus = self.planned("16,compact", *BARCELONA, "--order", order)
        self.assertTrue(all(cpus[a] // 4 == cpus[b] // 4 for a, b in pairs))

    def test_matrix(self):
        matrix = "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n4 1 8\n3 2 1\n"
        found = self.read_json(matrix, "--machine", "pack:2 core:2 pu:1", "4,compact")
        self.assertEqual((found["cost_before"], found["cost"]), (36, 18))

    def test_bad_files(self):
        for text, place, fact in (("0 1 1\n0 4 1\n", "line 2, column 3", "0 to 3"), ("0 1 x\n", "line 1, column 5", "1e15"),
                                  ("%%MatrixMarket matrix array real general\n", "line 1, column 23", "coordinate")):
            process = self.map(text, *BARCELONA, "4,compact")
            self.assertStatus(process, 2)
            self.assertEqual(process.stdout, "")
            self.assertRegex(process.stderr, f"(?m)^.*{self.folder}/pairs, {place}: .*{fact}$")
            self.assertRegex(process.stderr, r"(?m)^ +\^$")
        process = nestbind("map", "--communication", "/nonexistent/pairs", *BARCELONA, "4,compact")
        self.assertStatus(process, 1)
        self.assertIn("/nonexistent/pairs: No such file or directory", process.stderr)
        process = nestbind("map", "pairs.txt", *BARCELONA, "4,compact")
        self.assertStatus(process, 2)
        self.assertIn("nestbind map --communication pairs.txt 4,compact", process.stderr)
        process = nestbind("map", "--communication", self.folder, *BARCELONA, "4,compact")
        self.assertStatus(process, 1)
        self.assertIn("Is a directory", process.stderr)

    def test_pipes(self):
        """The command must wait for a pipe only if a writer has opened the pipe."""
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        words = ("map", "--communication", pipe, "--method=greedy", *BARCELONA, "4,compact")
        process = nestbind(*words)
        self.assertStatus(process, 1)
        self.assertIn(f"{pipe}: No data available", process.stderr)
        # The command begins to read before the first write, and the text is larger than a pipe's buffer.
        text = "0 3 8\n1 2 1\n" + "# nothing\n" * 20000
        listed = self.map(text, *words[3:]).stdout
        for name, script in (("/dev/stdin", '(sleep 0.5; cat "$1") | "${@:2}"'), ("<(...)", '"${@:2:3}" <(sleep 0.5; cat "$1") "${@:6}"')):
            with self.subTest(name):
                command = [COMMAND, *words[:2], "/dev/stdin", *words[3:]]
                process = subprocess.run(["bash", "-c", script, "bash", os.path.join(self.folder, "pairs"), *command], env=environment(),
                                         capture_output=True, encoding="utf-8", timeout=60)
                self.assertStatus(process, 0)
                self.assertEqual(process.stdout, listed)

    def test_files_without_an_end(self):
        large = self.file("large", "")
        os.truncate(large, 1 << 40)
        for name in ("/dev/zero", large):
            process = subprocess.run(["bash", "-c", 'ulimit -v 4000000; exec "$@"', "bash", COMMAND, "map", "--communication", name, *BARCELONA, "4,compact"],
                                     env=environment(), capture_output=True, encoding="utf-8", timeout=60)
            self.assertStatus(process, 1)
            self.assertIn(f"{name}: File too large", process.stderr)

    def test_missing_arguments_are_refused(self):
        self.assertStatus(nestbind("map", "4,compact"), 2)
        self.assertStatus(self.map("0 1 1\n", *BARCELONA), 2)
        self.assertStatus(self.map("0 1 1\n", *BARCELONA, "off"), 2)
        self.assertStatus(self.map("0 1 1\n", *BARCELONA, "4,compat"), 2)
        self.assertStatus(self.map("0 1 1\n", *BARCELONA, env={"OMP_NESTING_TEAM_SIZE": "4,compact"}), 0)
        process = self.map("0 1 1\n", *BARCELONA, "--output", "/nonexistent/order", "4,compact")
        self.assertStatus(process, 1)
        self.assertIn("/nonexistent/order: cannot be written: No such file", process.stderr)

    def test_without_scotch(self):
        """The command is built as if SCOTCH's library were missing."""
        without = self.command_without("without")
        process = self.map(hidden_teams(64, 1), *TREE, "64,compact", command=without)
        self.assertStatus(process, 0)
        self.assertIn("built without SCOTCH (Debian: libscotch-dev); nestbind's own method is used", process.stderr)
        self.assertIn("cost in this order  960", process.stdout)
        self.assertNotIn("SCOTCH", process.stdout)
        self.assertIs(self.read_json(hidden_teams(64, 1), *TREE, "64,compact", command=without)["scotch"], False)
        self.assertStatus(self.map("0 1 1\n", *TREE, "--method=scotch", "64,compact", command=without), 1)
        process = self.map("0 1 1\n", *TREE, "--method=greedy", "64,compact", command=without)
        self.assertStatus(process, 0)
        self.assertEqual(process.stderr, "")

    def test_failing_scotch_is_reported(self):
        """SCOTCH's library is missing, SCOTCH ends its process, or SCOTCH gives an impossible answer."""
        for name, script in (("missing", "exit 127"), ("killed", "kill -9 $$"), ("short", "echo 0"),
                             ("wrong", "yes 64 | head -n 64"), ("words", "yes x | head -n 64")):
            process = self.map(hidden_teams(64, 1), *TREE, "64,compact", command=self.command_without(name, f"#!/bin/sh\n{script}\n"))
            self.assertStatus(process, 0)
            self.assertIn("SCOTCH did not answer", process.stderr)
            self.assertIn("cost in this order  960", process.stdout)

    def test_scotch_runs_in_its_own_process(self):
        folder = os.path.join(os.path.dirname(LIBRARY), "nestbind")
        for file in [COMMAND, LIBRARY] + [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".so")]:
            listed = subprocess.run(["readelf", "-d", file], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
            self.assertNotIn("scotch", listed, file)


class Orders(TestCase):
    def bad(self):
        return self.file("bad", "# by hand\nteam: 0 2 2 1\n")

    def test_run_refuses_a_bad_order(self):
        for words, env in ((["--order", self.bad()], {}), ([], {"NESTBIND_ORDER": self.bad()})):
            process = nestbind("run", *words, "4,compact", "--", "true", env=env)
            self.assertStatus(process, 2)
            self.assertIn("bad, line 2, column 11: two members on one place, expected each number once\n"
                          "  team: 0 2 2 1\n            ^\n", process.stderr)
        self.assertStatus(nestbind("plan", *BARCELONA, "--order", self.bad(), "4,compact"), 2)
        self.assertStatus(nestbind("plan", *BARCELONA, "--order", "/nonexistent", "4,compact"), 2)

    def test_no_command_waits_for_a_pipe(self):
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        for words in (("run", f"--order={pipe}", "4,compact", "--", "true"), ("plan", *BARCELONA, "--order", pipe, "4,compact"),
                      ("topology", *BARCELONA, "--order", pipe, "4,compact"), ("doctor", "/bin/true")):
            with self.subTest(words[0]):
                process = nestbind(*words, env={"NESTBIND_ORDER": pipe} if words[0] == "doctor" else None)
                self.assertStatus(process, 1 if words[0] == "doctor" else 2)
                self.assertIn(f"{pipe}: no regular file", process.stdout + process.stderr)

    def test_plan_reports_an_order_for_other_teams(self):
        order = self.file("other", "team: 0 2 1\n")
        process = nestbind("plan", *BARCELONA, "--order", order, "4,compact")
        self.assertStatus(process, 0)
        self.assertIn("other is for other teams: the outermost team has 3 members there, and 4 by the specification", process.stderr)

    def test_plan_shows_the_order_file(self):
        order = self.file("told", "team: 0 2 1 3\n")
        line = f"members are in the order of {order}"
        for form in ("text", "picture", "svg"):
            process = nestbind("plan", *BARCELONA, "--order", order, "--format", form, "4,compact", env={"COLUMNS": "500"})
            self.assertIn(line, process.stdout)
            self.assertEqual(nestbind("plan", *BARCELONA, "--format", form, "4,compact", env={"NESTBIND_ORDER": order, "COLUMNS": "500"}).stdout,
                             process.stdout)
        process = nestbind("plan", *BARCELONA, "--order", order, "--format=text", "--beside", "4,scatter", "4,compact")
        self.assertEqual(process.stdout.count(line), 2)
        self.assertIn("; 4,compact\n" + line + "\n\nlevel 1: 4,compact\n", process.stdout)
        plain = self.file("plain", "# as planned\n")
        self.assertNotIn("order", nestbind("plan", *BARCELONA, "--order", plain, "--format=text", "4,compact").stdout)

    def test_run_passes_an_absolute_order_file(self):
        """nestbind run must make the file's name absolute, because the program may change its folder."""
        self.file("good", "team: 0 2 1 3\n")
        process = nestbind("run", "--order=good", "--print-env", "4,compact", cwd=self.folder)
        self.assertIn(f"export NESTBIND_ORDER='{self.folder}/good'\n", process.stdout)
        process = nestbind("run", "--order=good", *BARCELONA, "--report=json", "4,compact", "--", self.compile("forking", "-fopenmp"),
                           cwd=self.folder)
        self.assertStatus(process, 42)
        rows = [json.loads(line) for line in process.stderr.splitlines() if line.startswith("{")]
        self.assertEqual([member["cpus"] for member in rows[0]["threads"]], [[0], [2], [1], [3]])

    def test_report_shows_the_order_file(self):
        order = self.file("reported", "team: 0 2 1 3\n")
        process = nestbind("run", "--order", order, *BARCELONA, "--report=text", "4,compact", "--", self.compile("forking", "-fopenmp"))
        self.assertIn(f"nestbind: NESTBIND_ORDER={order} is set\n", process.stderr)

    def test_doctor(self):
        process = nestbind("doctor", self.compile("forking", "-fopenmp"), env={"NESTBIND_ORDER": self.bad()})
        self.assertIn("two members on one place", process.stdout)
        self.assertIn("nestbind run refuses it", process.stdout)
        self.assertIn("correct NESTBIND_ORDER, then nestbind run", process.stdout)


if __name__ == "__main__":
    unittest.main()
