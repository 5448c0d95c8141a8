# SPDX-License-Identifier: BSD-3-Clause
"""Tests the destination, the form and the width of output. Also tests the subcommand `help`."""
import json
import os
import shutil
import unittest

from support import TestCase, machine, nestbind

ON = ("--machine", machine("barcelona"))
OBJECTS = '{"load": [4, 1, 1, 2]}'


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


class Output(TestCase):
    def lines(self):
        """Returns one call for each of several subcommands. Each call ends at once."""
        return (("plan", "2,scatter", *ON), ("explain", "2,scatter", *ON), ("suggest", "4x4", *ON), ("topology", *ON),
                ("balance", self.file("objects", OBJECTS), *ON), ("doctor",), ("top", "--once", "-d", "0.1", str(os.getpid())),
                ("job", self.file("report", '{"spec": "1,scatter"}\n')))

    def test_json_has_one_spelling(self):
        for words in self.lines():
            with self.subTest(words[0]):
                process = nestbind(*words, "--format", "json")
                self.assertIsInstance(json.loads(process.stdout), dict)
                self.assertNotIn("--json", nestbind(words[0], "--help").stdout)

    def test_the_older_spelling_is_accepted(self):
        for words in self.lines():
            with self.subTest(words[0]):
                self.assertIsInstance(json.loads(nestbind(*words, "--json").stdout), dict)

    def test_output_file_has_the_printed_text(self):
        name = os.path.join(self.folder, "out")
        for words in self.lines()[:5]:
            for form in ("text", "json"):
                with self.subTest(words=words[0], form=form):
                    process = nestbind(*words, "--format", form, "--output", name)
                    self.assertEqual((process.returncode, process.stdout), (0, ""), process.stderr)
                    self.assertEqual(read(name), nestbind(*words, "--format", form).stdout)

    def test_an_unwritable_file_is_reported(self):
        for name in ("/nowhere/out", self.folder):
            process = nestbind("plan", "2,scatter", *ON, "--output", name)
            self.assertEqual((process.returncode, process.stdout), (1, ""))
            self.assertIn(f"--output {name}: ", process.stderr)
        if os.path.exists("/dev/full"):
            self.assertStatus(nestbind("plan", "2,scatter", *ON, "--output", "/dev/full"), 1)

    def test_bad_words_leave_the_file(self):
        name = self.file("kept", "kept")
        self.assertStatus(nestbind("plan", "--output", name, "--nothing"), 2)
        self.assertEqual(read(name), "kept")

    def test_a_failure_leaves_the_file(self):
        kept = self.file("kept", "kept")
        for name in (kept, os.path.join(self.folder, "new.txt"), os.path.join(self.folder, "new.png")):
            for words in (("plan", "4,scatter", "--machine", "nosuch.xml"), ("suggest", "1000x1000", *ON), ("top", "--once", "999999999"),
                          ("job", "nosuch"), ("balance", "nosuch")):
                process = nestbind(*words, "--output", name)
                if process.returncode == 1 and "rsvg-convert" in process.stderr:
                    continue
                self.assertIn(process.returncode, (1, 2), words)
                self.assertNotEqual(process.stderr, "")
        self.assertEqual(read(kept), "kept")
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("new.")], [])

    def test_tune_writes_nothing_but_json(self):
        name = os.path.join(self.folder, "tuned")
        words = ("tune", "--candidates", "1,scatter;1,compact", "--budget", "0.001", "--format", "json")
        program = self.file("program", "#!/bin/sh\nexit 0\n", 0o755)
        self.assertIn("layouts", json.loads(nestbind(*words, "--", program).stdout))
        self.assertEqual(nestbind(*words, "--output", name, "--", program).stdout, "")
        self.assertIn("layouts", json.loads(read(name)))

    def test_file_name_chooses_the_picture_format(self):
        svg = os.path.join(self.folder, "plan.svg")
        self.assertStatus(nestbind("plan", "2,scatter", *ON, "--output", svg), 0)
        self.assertIn("<svg", read(svg))
        png = os.path.join(self.folder, "plan.png")
        process = nestbind("plan", "2,scatter", *ON, "--output", png)
        if shutil.which("rsvg-convert"):
            self.assertStatus(process, 0)
            with open(png, "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        without = nestbind("plan", "2,scatter", *ON, "--output", png + ".png", env={"PATH": self.folder})
        self.assertStatus(without, 1)
        self.assertEqual(without.stderr.count("\n"), 1)
        self.assertIn("rsvg-convert", without.stderr)
        self.assertFalse(os.path.exists(png + ".png"))

    def test_lines_fit_the_terminal(self):
        for words in (("suggest", "4x4"), ("explain", "4,scatter,4,subscatter", "--runtime", "gnu"), ("doctor",)):
            with self.subTest(words[0]):
                more = () if words[0] == "doctor" else ON
                narrow, wide = (nestbind(*words, *more, env={"COLUMNS": columns}).stdout for columns in ("60", "200"))
                if words[0] != "doctor":  # it also shows other processes, which come and go
                    self.assertEqual(narrow.split(), wide.split())
                for line in narrow.splitlines():
                    copied = "OMP_" in line or "nestbind " in line or "/" in line or ", 16 processors" in line
                    self.assertTrue(len(line) <= 60 or copied, line)
                self.assertGreater(max(map(len, wide.splitlines())), 60)


class Pictures(TestCase):
    def test_all_of_a_large_machine(self):
        """Equal parts of a machine are drawn once, and with --all every part is drawn."""
        drawn = [nestbind("plan", "--format", "picture", "104,scatter", *more, "--machine", machine("scalemp")).stdout for more in ((), ("--all",))]
        self.assertIn("alike", drawn[0])
        self.assertNotIn("alike", drawn[1])
        for number in range(104):
            self.assertRegex(drawn[1], rf"\b{number}\b")

    def test_header_and_boxes_have_the_same_nodes(self):
        drawn = nestbind("plan", "--format", "picture", "4,scatter", "--machine", "pack:1 group:4 [numa] [numa] core:2 pu:1").stdout
        self.assertIn("nodes 6-7", drawn)
        self.assertIn("8 NUMA nodes", drawn)

    def test_the_speed_of_cores(self):
        drawn = nestbind("plan", "--format", "picture", "2,scatter", "--machine", machine("hybrid")).stdout
        self.assertRegex(drawn, r"fast cores: processors 2-5\b")
        self.assertRegex(drawn, r"slow cores: processors 0-1,6-7\b")
        self.assertNotIn("slow", nestbind("plan", "--format", "picture", "2,scatter", *ON).stdout)

    def test_explain_has_the_shape_of_plan(self):
        said = json.loads(nestbind("explain", "*,scatter", "--shape", "3", *ON, "--format", "json").stdout)
        self.assertIn("3 threads on", said["fit"])
        self.assertStatus(nestbind("explain", "4,scatter", "--shape", "2x2", *ON), 2)


class Help(TestCase):
    def test_help_and_version_by_name(self):
        for words, same in ((("help",), ("--help",)), (("help", "plan"), ("plan", "--help")), (("help", "help"), ("--help",)), (("version",), ("--version",))):
            process = nestbind(*words)
            self.assertEqual((process.returncode, process.stderr), (0, ""))
            self.assertEqual(process.stdout, nestbind(*same).stdout)

    def test_help_of_an_unknown_command(self):
        process = nestbind("help", "pln")
        self.assertStatus(process, 2)
        self.assertIn("did you mean plan?", process.stderr)


if __name__ == "__main__":
    unittest.main()
