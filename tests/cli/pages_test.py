# SPDX-License-Identifier: BSD-3-Clause
"""Runs each command line of README.md and docs/*.md that can run here.

In a block `sh` each line is a command. In a block `console` each line with a dollar is a command, and `...` matches any text."""
import glob
import json
import os
import re
import shutil
import subprocess
import unittest

from support import COMMAND, ROOT, TestCase, environment, machine, nestbind

PAGES = [os.path.join(ROOT, "README.md"), *sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")))]

# Lines that begin with these words do not run here: they install, measure, describe this machine, or need an installation or a launcher.
ELSEWHERE = ("apt", "pip", "cmake", "gcc", "srun", "mpirun", "mpiexec", "nestbind tune", "nestbind memory", "lstopo")


def blocks(page, kind):
    with open(page, encoding="utf-8") as file:
        return re.findall(rf"^```{kind}\n(.*?)^```$", file.read(), re.M | re.S)


def is_elsewhere(line):
    words = re.sub(r"^(\w+=\S* )*", "", line)
    return words.startswith(tuple(word + " " for word in ELSEWHERE))


def script(block):
    """Returns the lines of a block that run here, with joined continuation lines."""
    return [line for line in block.replace("\\\n", " ").splitlines() if line and not is_elsewhere(line)]


def shown(block):
    """Returns the pairs (command, output) of a console block."""
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n", block, flags=re.M)
    return zip(parts[1::2], parts[2::2], strict=True)


class Pages(TestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.mkdir(os.path.join(cls.folder, "bin"))
        os.symlink(COMMAND, os.path.join(cls.folder, "bin", "nestbind"))
        os.symlink(os.path.join(ROOT, "tests"), os.path.join(cls.folder, "tests"))
        shutil.copy(machine("barcelona"), os.path.join(cls.folder, "node.xml"))
        subprocess.run(["gcc", "-fopenmp", os.path.join(ROOT, "examples", "nested.c"), "-o", "program"], cwd=cls.folder, check=True)
        with open(os.path.join(cls.folder, "script.py"), "w", encoding="utf-8"):
            pass
        nestbind("run", "--report=json:report-n0-0", "1,scatter,2,subcompact", "--", "./program", cwd=cls.folder)

    def run_shell(self, text):
        own = {"PATH": os.path.join(self.folder, "bin") + ":" + os.environ["PATH"], "HOME": self.folder, "LC_ALL": "C.UTF-8",
               "PBS_O_WORKDIR": self.folder, "NESTBIND_QUIET": "1"}
        inherited = {name: value for name, value in environment().items() if name != "COLUMNS"}
        return subprocess.run(["sh", "-ec", text], env={**inherited, **own}, cwd=self.folder, timeout=60, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)

    def test_command_lines(self):
        count = 0
        for page in PAGES:
            for block in blocks(page, "sh"):
                lines = script(block)
                count += sum("nestbind" in line for line in lines)
                with self.subTest(page=os.path.basename(page), lines=lines):
                    process = self.run_shell("\n".join(lines))
                    self.assertEqual(process.returncode, 0, process.stdout)
        self.assertGreater(count, 20)

    def test_first_block(self):
        """The first thing that README shows can be typed: it builds nestbind, and turns nesting on before it runs a program."""
        with open(PAGES[0], encoding="utf-8") as file:
            text = file.read()
        kind, block = re.search(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S).groups()
        self.assertEqual(kind, "sh")
        places = [block.find(words) for words in ("cmake --build", "OMP_MAX_ACTIVE_LEVELS=2", "nestbind run")]
        self.assertEqual([place for place in sorted(places) if place >= 0], places)
        self.assertLessEqual(len(text.splitlines()), 110)

    def test_shown_output(self):
        count = 0
        for page in PAGES:
            for command, output in (pair for block in blocks(page, "console") for pair in shown(block)):
                count += 1
                with self.subTest(page=os.path.basename(page), command=command):
                    process = self.run_shell(command + (" --format picture" if "┌" in output else ""))
                    self.assertEqual(process.returncode, 0, process.stdout)
                    pattern = re.escape(output).replace(r"\.\.\.", ".*")
                    self.assertTrue(re.fullmatch(pattern, process.stdout, re.S), process.stdout)
        self.assertGreater(count, 25)

    def test_openmp_variables(self):
        """The variables and the specification in each row of coming-from.md must give the same processors."""
        with open(os.path.join(ROOT, "docs", "coming-from.md"), encoding="utf-8") as file:
            rows = re.findall(r"^\| `([\d,]+)` \| `([a-z,]+)` \| ([\d /-]+) \| `(.*)` \|$", file.read(), re.M)
        self.assertGreater(len(rows), 6)
        for sizes, words, processors, spec in rows:
            with self.subTest(spec):
                found = [list(range(int(first), int(last or first) + 1)) for first, last in re.findall(r"(\d+)(?:-(\d+))?", processors)]
                plan, said = (json.loads(nestbind(what, spec, "--format=json", "--machine", machine("barcelona")).stdout)
                              for what in ("plan", "explain"))
                self.assertEqual([thread["cpus"] for thread in plan["threads"]], [[cpu] for part in found for cpu in part])
                rows_of_cores = [row for row in said["equivalents"] if row["tool"] == "OMP_PLACES=cores"]
                self.assertEqual([row["equal"] for row in rows_of_cores], [True, True])
                for row in rows_of_cores:
                    self.assertEqual(row["line"].split()[0::2], [f"OMP_NUM_THREADS={sizes}", f"OMP_PROC_BIND={words}"])

    def test_lines_of_tables(self):
        """If a sentence or a table contains a command, the subcommand and its options must exist."""
        for page in PAGES:
            with open(page, encoding="utf-8") as file:
                text = re.sub(r"^```.*?^```$", "", file.read(), flags=re.M | re.S)
            for words in re.findall(r"`nestbind ([^`]*)`", text):
                command, *rest = words.partition(" -- ")[0].split()
                with self.subTest(page=os.path.basename(page), words=words):
                    process = self.run_shell(f"nestbind {command} --help" if not command.startswith("-") else "nestbind --help")
                    self.assertEqual(process.returncode, 0, process.stdout)
                    for option in (word.partition("=")[0] for word in rest if word.startswith("--")):
                        self.assertIn(option, process.stdout)


if __name__ == "__main__":
    unittest.main()
