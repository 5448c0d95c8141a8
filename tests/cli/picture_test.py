# SPDX-License-Identifier: BSD-3-Clause
"""Tests the pictures of nestbind plan."""
import fcntl
import os
import re
import shutil
import struct
import subprocess
import sys
import termios
import unittest
import xml.etree.ElementTree

from support import COMMAND, TestCase, environment, machine, nestbind, open_terminal

BARCELONA = ["--machine", machine("barcelona")]
UTF8 = {"LC_ALL": "C.UTF-8"}
SVG = "{http://www.w3.org/2000/svg}"

PICTURE = """\
4,scatter,2,subcompact
4 packages, 4 NUMA nodes, 16 cores, 16 processors

┌ package 0, node 0, L3 ┐ ┌ package 1, node 1, L3 ┐
│ 0.0  0.1   ·    ·     │ │ 1.0  1.1   ·    ·     │
└─────── processors 0-3 ┘ └─────── processors 4-7 ┘
┌ package 2, node 2, L3 ┐ ┌ package 3, node 3, L3 ┐
│ 2.0  2.1   ·    ·     │ │ 3.0  3.1   ·    ·     │
└────── processors 8-11 ┘ └───── processors 12-15 ┘
· free: 8 of 16 cores; 0.1: thread 1 of the team of thread 0
"""


def on_terminal(*arguments, columns=80, rows=24, **variables):
    """Returns the command's output on a terminal of this size."""
    primary, secondary = open_terminal()
    fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    attributes = termios.tcgetattr(secondary)
    attributes[1] &= ~termios.OPOST  # the terminal does not change line ends
    termios.tcsetattr(secondary, termios.TCSANOW, attributes)
    own = {k: v for k, v in environment().items() if k not in ("NO_COLOR", "COLUMNS", "LANG", "LC_CTYPE", "LC_ALL")}
    with subprocess.Popen([COMMAND, "plan", *arguments], stdout=secondary, stdin=subprocess.DEVNULL,
                          env={**own, "TERM": "xterm-256color", **UTF8, **variables}) as process:
        os.close(secondary)
        output = b""
        while True:
            try:
                part = os.read(primary, 65536)
            except OSError:  # the other end of the terminal is closed
                break
            if not part:
                break
            output += part
    os.close(primary)
    assert process.returncode == 0
    return output.decode()


def without_colour(text):
    return re.sub(r"\033\[[0-9;]*m", "", text)


def ascii_of(text):
    return text.translate(str.maketrans("┌┐└┘─│·", "++++-|."))


class OnATerminal(TestCase):
    def test_picture_is_the_default_on_a_terminal_only(self):
        arguments = ["4,scatter,2,subcompact", *BARCELONA]
        self.assertEqual(without_colour(on_terminal(*arguments)), PICTURE)
        text = nestbind("plan", "--format", "text", *arguments).stdout
        self.assertEqual(nestbind("plan", *arguments).stdout, text)
        self.assertEqual(on_terminal("--format=text", *arguments), text)
        self.assertEqual(nestbind("plan", "--format=picture", *arguments, env=UTF8).stdout, PICTURE)

    def test_colour(self):
        arguments = ["4,scatter,2,subcompact", *BARCELONA]
        coloured = on_terminal(*arguments)
        self.assertIn("\033[38;5;16;48;5;214m0.0\033[0m", coloured)
        self.assertEqual(len(set(re.findall(r"48;5;\d+", coloured))), 4)
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
            self.assertEqual(on_terminal(*arguments, **variables), PICTURE)
        self.assertEqual(on_terminal("--color=never", *arguments, CLICOLOR_FORCE="1"), PICTURE)
        piped = ["plan", "--format=picture", *arguments]
        for words, variables in ((["--color=always"], {"NO_COLOR": "1", "TERM": "dumb"}), ([], {"CLICOLOR_FORCE": "1"})):
            self.assertEqual(nestbind(*piped, *words, env={**UTF8, "COLUMNS": "80", **variables}).stdout, coloured)
        for variables in ({"CLICOLOR_FORCE": "0"}, {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}):
            self.assertEqual(nestbind(*piped, env={**UTF8, **variables}).stdout, PICTURE)
        # An empty variable counts as not set, as no-color.org says.
        self.assertEqual(on_terminal(*arguments, NO_COLOR=""), coloured)
        self.assertNotIn("\033", nestbind("plan", "--format=picture", *arguments, env={**UTF8, "TERM": "xterm"}).stdout)

    def test_encoding(self):
        arguments = ["plan", "--format=picture", "4,scatter,2,subcompact", *BARCELONA]
        for variables, is_utf8 in (({"LC_ALL": "C"}, False), ({"LC_ALL": "de_DE.ISO-8859-1", "LANG": "de_DE.UTF-8"}, False),
                                   ({"LC_ALL": "", "LC_CTYPE": "", "LANG": ""}, False),
                                   ({"LC_ALL": "", "LC_CTYPE": "de_DE.utf8", "LANG": "C"}, True),
                                   ({"LC_ALL": "", "LC_CTYPE": "", "LANG": "en_GB.UTF-8@euro"}, True)):
            with self.subTest(variables):
                self.assertEqual(nestbind(*arguments, env=variables).stdout, PICTURE if is_utf8 else ascii_of(PICTURE))

    def test_width(self):
        arguments = ["13,scatter,4,subscatter", "--machine", machine("scalemp")]
        for columns in (1, 30, 47, 80, 132, 300):
            for shown in (on_terminal(*arguments, columns=columns, NO_COLOR="1"),
                          nestbind("plan", "--format=picture", *arguments, env={**UTF8, "COLUMNS": str(columns)}).stdout):
                self.assertLessEqual(max(map(len, shown.splitlines())), max(columns, 30))
        for columns in ("", "x", "-4", "99999999999999999999"):
            shown = nestbind("plan", "--format=picture", *arguments, env={**UTF8, "COLUMNS": columns}).stdout
            self.assertEqual(shown, nestbind("plan", "--format=picture", *arguments, env=UTF8).stdout)

    def test_equal_parts_are_folded_on_a_short_terminal(self):
        arguments = ["16,scatter,8,subcompact", "--machine", "pack:16 [numa] core:8 pu:1"]
        self.assertNotIn("alike", on_terminal(*arguments, rows=100))
        self.assertIn("packages 1-15 alike: team of 1 to team of 15\n", on_terminal(*arguments, rows=24))


class Beside(TestCase):
    def test_pictures_side_by_side(self):
        self.assertEqual(nestbind("plan", "4,scatter,2,subcompact", "--beside", "8,compact", "--machine",
                                  "pack:2 [numa] l3:1 core:4 pu:1", env=UTF8).stdout, """\
2 packages, 2 NUMA nodes, 8 cores, 8 processors

4,scatter,2,subcompact                   8,compact

┌ package 0, node 0, L3 ┐                ┌ package 0, node 0, L3 ┐
│ 0.0  0.1  1.0  1.1    │                │ 0  1  2  3            │
└─────── processors 0-3 ┘                └─────── processors 0-3 ┘
┌ package 1, node 1, L3 ┐                ┌ package 1, node 1, L3 ┐
│ 2.0  2.1  3.0  3.1    │                │ 4  5  6  7            │
└─────── processors 4-7 ┘                └─────── processors 4-7 ┘
no core is free                          no core is free
0.1: thread 1 of the team of thread 0
""")

    def test_pictures_below_each_other_if_shorter(self):
        shown = nestbind("plan", "2,scatter,16,subcompact", "--beside", "8,compact", "--machine",
                         "pack:2 [numa] core:16 pu:1", env={**UTF8, "COLUMNS": "62"}).stdout.splitlines()
        self.assertEqual(shown.index("2,scatter,16,subcompact"), 2)
        self.assertGreater(shown.index("8,compact"), 8)

    def test_as_tables(self):
        both = nestbind("plan", "2,scatter", "--beside", "4,scatter", "--format=text", *BARCELONA).stdout
        self.assertEqual(both, nestbind("plan", "2,scatter", *BARCELONA).stdout + "\n" +
                         nestbind("plan", "4,scatter", *BARCELONA).stdout)

    def test_faults(self):
        process = nestbind("plan", "2,scatter", "--beside", "2,scater", *BARCELONA)
        self.assertStatus(process, 2)
        self.assertIn("bad specification, column 3", process.stderr)
        process = nestbind("plan", "2,scatter", "--beside", "4,scatter", "--format=json", *BARCELONA)
        self.assertStatus(process, 2)
        self.assertEqual(process.stderr, "nestbind: --beside does not go with --format json; plan each specification "
                                         "by a call of its own\n")
        self.assertStatus(nestbind("plan", "2,scatter", "--beside", "", *BARCELONA), 2)


class Graphic(TestCase):
    MACHINES = (machine("barcelona"), machine("tigerton"), machine("nehalem-sun"), machine("laptop"), machine("scalemp"),
                "pack:1 [numa] [numa] l2:32 core:2 pu:4", "pack:16 [numa] core:64 pu:1", "pu:3")

    def svg(self, *arguments):
        process = nestbind("plan", "--format=svg", *arguments, env={"LC_ALL": "C"})
        self.assertStatus(process, 0)
        return process.stdout

    def texts(self, text):
        return [element.text for element in xml.etree.ElementTree.fromstring(text).iter(SVG + "text")]

    def test_text_is_text(self):
        texts = self.texts(self.svg("4,scatter,2,subcompact", *BARCELONA))
        for text in ("4,scatter,2,subcompact", "package 0, node 0, L3", "0.0", "3.1", "\u00b7", "processors 12-15"):
            self.assertIn(text, texts)
        self.assertEqual(texts.count("\u00b7"), 8)

    def test_inside_and_apart(self):
        """Everything must be on the page, each text must be inside its box, and no text may cover another text."""
        for source in self.MACHINES:
            for spec in ("package,scatter,core,subcompact", "5,compact", "1,scatter"):
                with self.subTest(machine=source, spec=spec):
                    root = xml.etree.ElementTree.fromstring(self.svg(spec, "--machine", source, "--beside", "3,scatter"))
                    width, height = float(root.get("width")), float(root.get("height"))
                    seen = []
                    for element in root.iter():
                        if element.tag == SVG + "rect" and element.get("x"):
                            x, y = float(element.get("x")), float(element.get("y"))
                            self.assertTrue(0 <= x and x + float(element.get("width")) <= width)
                            self.assertTrue(0 <= y and y + float(element.get("height")) <= height)
                        if element.tag == SVG + "text":
                            size = 18 if element.get("class") == "spec" else 14
                            columns = 0.602 * size * len(element.text)  # the width of a character of DejaVu Sans Mono
                            x, y = float(element.get("x")), float(element.get("y"))
                            x -= {"middle": columns / 2, "end": columns}.get(element.get("text-anchor"), 0)
                            self.assertTrue(0 <= x and x + columns <= width, element.text)
                            self.assertTrue(size <= y <= height - 4, element.text)
                            for left, right, line in seen:
                                self.assertFalse(abs(line - y) < 12 and left < x + columns and x < right, element.text)
                            seen.append((x, x + columns, y))

    def test_light_and_dark(self):
        style = self.svg("2,scatter", *BARCELONA)
        light, dark = style.split("@media (prefers-color-scheme: dark) {")
        for selector in (".ground", "text", ".box", ".even", ".odd", ".nobody"):
            self.assertRegex(light, rf"\n{re.escape(selector)} {{")
            self.assertRegex(dark, rf"\n  {re.escape(selector)} {{")

    def test_rendered(self):
        if shutil.which("rsvg-convert") is None:
            self.skipTest("there is no rsvg-convert")
        for number, source in enumerate(self.MACHINES):
            with self.subTest(source):
                text = self.svg("4,scatter,2,subcompact", "--machine", source)
                process = subprocess.run(["rsvg-convert", "--format=png", self.file(f"{number}.svg", text)],
                                         capture_output=True, check=False)
                self.assertEqual((process.returncode, process.stderr), (0, b""))
                self.assertTrue(process.stdout.startswith(b"\x89PNG"))
                width, height = struct.unpack(">II", process.stdout[16:24])
                root = xml.etree.ElementTree.fromstring(text)
                self.assertEqual((str(width), str(height)), (root.get("width"), root.get("height")))
                self.assertGreater(len(process.stdout), 4000)

    def test_well_formed(self):
        if shutil.which("xmllint") is None:
            self.skipTest("there is no xmllint")
        for number, source in enumerate(self.MACHINES):
            file = self.file(f"lint{number}.svg", self.svg("4,scatter,2,subcompact", "--machine", source))
            process = subprocess.run(["xmllint", "--noout", "--nonet", file], capture_output=True, check=False)
            self.assertEqual((process.returncode, process.stderr), (0, b""))


class Page(TestCase):
    def test_the_page_has_the_pictures_of_the_command(self):
        """If this fails, run docs/make_pictures.py build/gcc/bin/nestbind, and look at the changes."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "make_pictures.py")
        process = subprocess.run([sys.executable, script, COMMAND, "--check"], capture_output=True, encoding="utf-8",
                                 env=environment(), check=False)
        self.assertEqual((process.returncode, process.stdout, process.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
