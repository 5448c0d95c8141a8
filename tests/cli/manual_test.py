# SPDX-License-Identifier: BSD-3-Clause
"""The manual pages must be well formed, and their examples must be true."""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import unittest

from support import COMMAND, LIBRARY, TestCase, environment, machine, nestbind

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGES = sorted(glob.glob(os.path.join(ROOT, "docs", "man", "*.[1-9]")))

# Commands that end soon if the named program or file does not exist.
TRIED = "run|plan|explain|suggest|topology|doctor|job|tune|memory|map|balance"


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def commands(page):
    """Returns each command in the page's displays, with the command's output."""
    displays = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", read(os.path.join("docs", "man", page)), re.M | re.S)
    return [(typed, text) for shown in displays for typed, _, text in
            re.findall(r"^\$ (.*<<'(\w+)'\n(?:.*\n)*?\2|(?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)",
                       shown.replace("\\e\n", "\\\n").replace("\\e", "\\"), re.M)]


def planned(*arguments):
    process = nestbind("plan", "--format=json", *arguments)
    assert process.returncode == 0, process.stderr
    teams = {}
    for thread in json.loads(process.stdout)["threads"]:
        cpus = thread["cpus"]
        name = str(cpus[0]) if len(cpus) == 1 else "{" + ",".join(map(str, cpus)) + "}"
        teams.setdefault(tuple(thread["path"][:-1]), []).append(name)
    return " / ".join(" ".join(team) for team in teams.values())


class Manual(TestCase):
    def test_well_formed(self):
        if shutil.which("mandoc") is None:
            self.skipTest("there is no mandoc")
        self.assertGreater(len(PAGES), 3)
        for page in PAGES:
            process = subprocess.run(["mandoc", "-Tlint", "-Wwarning", page], stdout=subprocess.PIPE,
                                     encoding="utf-8", check=False)
            self.assertEqual(process.stdout, "")

    def test_readable(self):
        """man must show the pages on narrow and wide screens, groff must print no warning, and no column may be as narrow as one word."""
        if shutil.which("groff") is None:
            self.skipTest("there is no groff")
        for page in PAGES:
            for width in (80, 100):
                with self.subTest(page=os.path.basename(page), width=width):
                    process = subprocess.run(["groff", "-mdoc", "-Tutf8", "-ww", "-P-cbou", f"-rLL={width - 2}n", page],
                                             capture_output=True, encoding="utf-8", check=False)
                    self.assertEqual(process.stderr, "")
                    words = [line for line in process.stdout.splitlines() if line.startswith(" " * 40)]
                    self.assertEqual(words, [])

    def test_examples(self):
        found = 0
        for where, display in re.findall(r'^\.\\" On (.*)\n\.Bd .*\n((?:[^.].*\n)+)', read("docs/man/nestbind-spec.7"), re.M):
            for line in display.splitlines():
                words, processors = re.split("  +", line)
                with self.subTest(line=line):
                    self.assertEqual(planned(*words.split(), "--topology", where if ":" in where else machine(where)), processors)
                found += 1
        self.assertGreater(found, 60)

    def test_boards(self):
        self.assertEqual(planned("13,scatter,4,subscatter", "--topology", machine("scalemp")),
                         " / ".join(f"{8*t} {8*t+2} {8*t+4} {8*t+6}" for t in range(13)))

    def test_example_of_the_command(self):
        shown = re.search(r"\$ nestbind plan .*\n((?:[^$].*\n|\n)*)", read("docs/man/nestbind.1")).group(1)
        process = nestbind("plan", "4,scatter,4,subscatter", "--topology", machine("barcelona"))
        self.assertEqual(shown, process.stdout)

    def test_example_of_ranks(self):
        ((command, shown),) = [one for one in commands("nestbind-mpi.7") if "--ranks 2" in one[0]]
        self.assertEqual(nestbind(*shlex.split(command)[1:]).stdout, shown)

    def test_example_of_the_variables(self):
        """The output in nestbind-environment(7) must be the real output, except for thread IDs and the host's name."""
        folder = os.path.join(self.folder, "variables")
        os.makedirs(os.path.join(folder, "nestbind"))
        os.symlink(os.path.dirname(LIBRARY), os.path.join(folder, "nestbind", "lib"))
        self.compile("variables/program", "-fopenmp", source=read("examples/nested.c"))
        found = commands("nestbind-environment.7")
        script = "\n".join(command for command, _ in found)
        process = subprocess.run(["sh", "-c", script], env=environment(HOME=folder), cwd=folder, timeout=60,
                                 capture_output=True, encoding="utf-8", check=False)
        self.assertStatus(process, 0)

        def alike(text):
            return re.sub(r" on [^;]*;", " on HOST;", re.sub(r"\d{3,} ", "THREAD ", re.sub(" +", " ", text)), count=1)
        self.assertEqual(alike(found[-1][1]), alike(process.stderr))

    def test_commands_give_the_shown_output(self):
        """The output of a command must be the text below the command in the page."""
        self.compile("program", "-fopenmp", source="int main(void) {\n#pragma omp parallel\n  { }\n  return 0;\n}\n")
        os.symlink(os.path.join(ROOT, "tests"), os.path.join(self.folder, "tests"))
        env = environment(PATH=os.path.dirname(COMMAND) + ":" + os.environ["PATH"])
        for page, typed, shown in (("nestbind-map.1", 6, 2), ("nestbind-topology.1", 3, 3), ("nestbind-memory.1", 3, 0), ("nestbind-spec.7", 2, 1),
                                   ("nestbind-balance.1", 5, 3)):
            found = commands(page)
            self.assertEqual((len(found), len([text for _, text in found if text])), (typed, shown), page)
            for command, text in found:
                with self.subTest(page=page, command=command):
                    process = subprocess.run(["sh", "-c", command], env=env, cwd=self.folder, capture_output=True, encoding="utf-8",
                                             stdin=subprocess.DEVNULL, timeout=60, check=False)
                    self.assertStatus(process, 0)
                    if text:
                        self.assertEqual(process.stdout, text)

    def test_commands_of_the_pages_have_no_fault(self):
        """The programs and files do not exist, but each option must be accepted."""
        os.mkdir(os.path.join(self.folder, "without"))
        self.file("without/order.txt", "team: 0 2 1 3\n")
        self.file("without/rules", "* auto\n")
        found = 0
        for page in PAGES:
            shown = "".join(re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", read(page), re.M | re.S)).replace("\\e\n", "").replace("\\e", "\\")
            for line in re.findall(rf"^[^\n]*?\b(nestbind (?:{TRIED}) .*?)(?=\)\"|`\"|$)", shown, re.M):
                words = shlex.split(re.sub(r"\bSPEC\b|\$OMP_NESTING_TEAM_SIZE", "2,scatter", line), comments=True)
                words = words[:next((i for i, word in enumerate(words) if word[0] in "|>"), len(words))]
                with self.subTest(page=os.path.basename(page), line=line):
                    process = nestbind(*words[1:], cwd=os.path.join(self.folder, "without"))
                    self.assertNotEqual(process.returncode, 2, process.stderr)
                    found += 1
        self.assertGreater(found, 60)

    def test_table_of_the_probe(self):
        """The page's table must be the table of the unit test."""
        tested = re.search(r'TEST_CASE\("the table has all measurements"\) {.*?for (.*?) {\n', read("tests/unit/probe/show_test.cpp"), re.S).group(1)
        rows = re.findall(r'"(.*?)"', tested)
        self.assertEqual(len(rows), 9)
        page = re.sub(" +", " ", read("docs/man/nestbind-probe.1"))
        for row in rows:
            self.assertIn(f"\n {row}\n", page)

    def test_link_commands_set_the_run_path(self):
        found = 0
        for page in PAGES:
            for command in re.findall(r"^.*--libs nestbind\).*(?:\n.*rpath.*)?", read(page), re.M):
                found += 1
                self.assertIn("-Wl,-rpath,$(pkg-config --variable=libdir nestbind)", command, page)
        self.assertGreater(found, 4)

    def test_errors(self):
        """The table must have exactly the error numbers of the header."""
        header = re.findall(r"^ *(NESTBIND_\w+) = (\d+)[, ]", read("include/nestbind/nestbind.h"), re.M)
        page = re.findall(r"^\.It (\d+) Ta Dv (\w+) ", read("docs/man/omp_set_nesting_info.3"), re.M)
        self.assertEqual([(name, number) for number, name in page], header)

    def test_every_option_is_described(self):
        page = read("docs/man/nestbind.1")
        for command in ("plan", "run", "doctor"):
            text = nestbind(command, "--help").stdout
            for option in re.findall(r"^  --([a-z]+)", text, re.M):
                self.assertIn("Fl -" + option, page)


if __name__ == "__main__":
    unittest.main()
