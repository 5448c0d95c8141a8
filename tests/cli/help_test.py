# SPDX-License-Identifier: BSD-3-Clause
"""The command, its help, the manual and the shell completion must list the same words."""
import glob
import os
import re
import select
import shlex
import shutil
import subprocess
import time
import unittest

from support import COMMAND, TestCase, environment, fork_in_terminal, nestbind

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGES = glob.glob(os.path.join(ROOT, "docs", "man", "*.[1-9]"))
COMPLETION = os.path.join(ROOT, "cli", "completion")


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def listed():
    """Returns {kind: [the parts of each line]}."""
    found = {}
    for line in nestbind("--list-words").stdout.splitlines():
        kind, *parts = line.split("\t")
        found.setdefault(kind, []).append(parts)
    return found


COMMANDS = [parts[0] for parts in listed()["command"]]


class Alone(TestCase):
    def test_page(self):
        process = nestbind()
        self.assertStatus(process, 2)
        self.assertEqual(process.stderr, "")
        lines = re.findall(r"^  nestbind (\w+)", process.stdout, re.M)
        self.assertEqual(lines, ["suggest", "plan", "run"])

    def test_help_names_the_first_commands(self):
        self.assertIn("nestbind suggest 4x4", nestbind("--help").stdout)


class Lists(TestCase):
    def test_every_command_is_in_the_help(self):
        text = nestbind("--help").stdout
        self.assertGreater(len(COMMANDS), 5)
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command} ", f"{command} is not in nestbind --help")

    def test_every_command_is_in_one_of_three_groups(self):
        groups = re.findall(r"(?m)^(\w[^\n]*):\n((?:  .*\n)+)", nestbind("--help").stdout.partition("\nOptions:\n")[2])
        found = {name.split()[0]: re.findall(r"(?m)^  ([a-z]+) ", lines) for name, lines in groups if "nestbind" not in lines}
        self.assertEqual(list(found), ["Run", "See", "Measure"])
        self.assertEqual(sorted(sum(found.values(), [])), sorted(COMMANDS))
        self.assertIn("run", found["Run"])
        self.assertIn("plan", found["See"])
        self.assertIn("probe", found["Measure"])

    def test_every_command_and_option_is_in_the_manual(self):
        page = read(os.path.join(ROOT, "docs", "man", "nestbind.1"))
        for command in COMMANDS:
            self.assertIn(f"\n.Ss nestbind {command}\n", page, f"nestbind {command} has no section in nestbind(1)")
        for command, name, *_ in listed()["option"]:
            if name not in ("--help", "--topology"):  # --topology is an older name
                self.assertIn("Fl -" + name[2:], page, f"{name} of nestbind {command} is not in nestbind(1)")

    def test_the_synopsis_has_every_command(self):
        page = read(os.path.join(ROOT, "docs", "man", "nestbind.1"))
        ways = {}
        for command, text in re.findall(r"^\.Nm\n\.Cm (\w+)\n((?:(?!\.Nm).*\n)*)", page.partition(".Sh SYNOPSIS\n")[2].partition(".Sh ")[0], re.M):
            ways[command] = ways.get(command, "") + text
        first_words = page.partition(".Sh DESCRIPTION\n")[2].partition("\n.Ss ")[0]
        self.assertEqual(sorted(ways), sorted(COMMANDS + ["help", "version"]))
        for command in COMMANDS:
            self.assertIn(f"\n.Nm\n.Cm {command}\n", first_words, f"what nestbind {command} does is not at the beginning of nestbind(1)")
            if "Ar options" not in ways[command]:
                for of, name, *_ in listed()["option"]:
                    if of == command and name not in ("--help", "--topology", "--delay"):  # --topology is an older name; --delay is -d
                        self.assertIn("Fl -" + name[2:], ways[command], f"{name} of nestbind {command}")

    def test_every_option_is_in_the_page_of_its_command(self):
        found = 0
        for command in COMMANDS:
            name = os.path.join(ROOT, "docs", "man", f"nestbind-{command}.1")
            if not os.path.exists(name):
                continue
            page = read(name)
            for of, option, *_ in listed()["option"]:
                if of == command and option not in ("--help", "--topology"):
                    found += 1
                    self.assertRegex(page, rf"Fl -{option[2:]}\b", f"{option} is not in nestbind-{command}(1)")
        self.assertGreater(found, 30)

    def test_every_option_is_in_its_help(self):
        for command in COMMANDS:
            text = nestbind(command, "--help").stdout
            for of, name, *_ in listed()["option"]:
                if of == command:
                    self.assertIn(name, text)

    def test_options_fit_a_terminal(self):
        for command in COMMANDS:
            text = nestbind(command, "--help").stdout
            options = text[text.index("\nOptions:\n"):text.index("\nExamples:\n")]
            self.assertLessEqual(max(map(len, text.splitlines())), 80, f"nestbind {command} --help")
            self.assertNotIn("{", options)
            self.assertNotRegex(text, r"\b(INT|FLOAT)\b", "a range in the words of the library that parses")

    def test_commands_fit_a_terminal(self):
        for process in (nestbind("--help"), nestbind()):
            self.assertLessEqual(max(map(len, process.stdout.splitlines())), 80)

    def test_specifications_are_explained(self):
        words = [name for kind in ("size", "strategy", "domain") for name, in listed()[kind]]
        for command in ("run", "plan", "explain"):
            text = nestbind(command, "--help").stdout
            for word in words:
                self.assertRegex(text, rf"\b{word}\b", f"{word} is not in nestbind {command} --help")

    def test_every_variable_is_in_the_manual(self):
        pages = "".join(map(read, PAGES))
        for name, in listed()["variable"]:
            self.assertIn(f"Ev {name}", pages, f"{name} is in no manual page")

    def test_every_word_of_specifications_is_in_the_manual(self):
        page = read(os.path.join(ROOT, "docs", "man", "nestbind-spec.7"))
        words = listed()
        for word, in words["size"] + words["strategy"] + words["domain"]:
            self.assertIn(word, page)


class Examples(TestCase):
    def test_example_programs_have_different_names(self):
        """Each file of examples/ must say how to compile it, and the programs' names must differ."""
        folder = os.path.join(ROOT, "examples")
        sources = [name for name in os.listdir(folder) if name.endswith((".c", ".f90"))]
        names = [re.findall(r" -o (\w+)", read(os.path.join(folder, name))) for name in sources]
        self.assertTrue(all(len(name) == 1 for name in names), names)
        self.assertEqual(len({name for name, in names}), len(sources), names)

    def test_each_command_accepts_the_examples_of_its_help(self):
        for command in COMMANDS:
            text = nestbind(command, "--help").stdout
            examples = re.findall(r"^  (nestbind .*)$", text[text.find("\nExamples:"):], re.M)
            self.assertTrue(examples, f"nestbind {command} --help has no example")
            for example in examples:
                words = shlex.split(example.split(" | ")[0])
                self.assertEqual(words[1], command)
                with self.subTest(example):
                    process = nestbind(*self.harmless(words[1:]), cwd=self.folder)
                    self.assertNotEqual(process.returncode, 2, process.stderr)

    @staticmethod
    def harmless(words):
        """Returns the words of an example, changed so that the command ends soon."""
        if words[0] == "probe":
            words += ["--cpus", str(min(os.sched_getaffinity(0)))]
        words = [str(os.getpid()) if word.isdigit() and len(word) == 4 else word for word in words]
        return words + ["--once"] if words[0] == "top" and "--once" not in words else words


class Completion(TestCase):
    """Presses the Tab key in real shells on a terminal."""
    has_library = True  # bash-completion is loaded

    def complete(self, shell, typed):
        folder = os.path.join(self.folder, "bin")
        os.makedirs(folder, exist_ok=True)
        told = os.path.join(self.folder, "told")
        if os.path.exists(told):
            os.remove(told)
        self.file("bin/nestbind", f'#!/bin/sh\n[ "$1" = --list-words ] && exec {shlex.quote(COMMAND)} --list-words\n'
                                  f'for word in "$@"; do echo "$word"; done >{told}.new\nmv {told}.new {told}\n', 0o755)
        env = environment(PATH=folder + ":" + os.environ["PATH"], TERM="dumb", HOME=self.folder, ZDOTDIR=self.folder)
        process, terminal = fork_in_terminal()
        if process == 0:
            os.execvpe(shell[0], shell, env)
        try:
            return self.drive(terminal, shell[0], typed, told)
        finally:
            os.close(terminal)
            os.waitpid(process, 0)

    def drive(self, terminal, shell, typed, told):
        seen = b""

        def until(mark, seconds=60):
            nonlocal seen
            end = time.monotonic() + seconds
            while mark not in seen and time.monotonic() < end:
                if select.select([terminal], [], [], 0.2)[0]:
                    seen += os.read(terminal, 65536)
            self.assertIn(mark, seen)
            seen = seen[seen.index(mark) + len(mark):]

        if shell == "bash":
            library = "source /usr/share/bash-completion/bash_completion 2>/dev/null; " if self.has_library else ""
            source = f"{library}source {COMPLETION}/nestbind.bash"
        else:
            source = f"fpath=({COMPLETION} $fpath); autoload -Uz compinit; compinit -u -D; unsetopt list_beep"
        os.write(terminal, f"PS1=; {source}; echo rea''dy\n".encode())
        until(b"ready")
        os.write(terminal, (typed + "\necho do''ne\n").encode())
        until(b"done")
        return read(told).split("\n")[:-1] if os.path.exists(told) else []

    def check_shell(self, shell):
        if shutil.which(shell[0]) is None:
            self.skipTest(f"there is no {shell[0]}")
        self.file("node.xml", "")
        self.file("node.txt", "")
        for typed, words in (("nestbind sugg\t 4x4", ["suggest", "4x4"]),
                             ("nestbind expl\t 4,sca\t,2,subc\t", ["explain", "4,scatter,2,subcompact"]),
                             ("nestbind plan num\tsca\t,co\tsubsc\t@pac\t", ["plan", "numa,scatter,core,subscatter@package"]),
                             ("nestbind explain 2,scatter --run\tgn\t", ["explain", "2,scatter", "--runtime", "gnu"]),
                             ("nestbind explain 2,scatter --format=js\t", ["explain", "2,scatter", "--format=json"]),
                             ("nestbind run --report=js\t --schedule hyb\t --memory=app\t --runtime nat\t 2,scatter ech\t",
                              ["run", "--report=json", "--schedule", "hybrid", "--memory=apply", "--runtime", "native", "2,scatter", "echo"]),
                             (f"nestbind plan 2,scatter --machine {self.folder}/nod\t", ["plan", "2,scatter", "--machine", self.folder + "/node.xml"]),
                             ("nestbind hel\tpla\t", ["help", "plan"]),
                             ("nestbind run --memory-policy=pref\t 2,comp\t ech\t", ["run", "--memory-policy=prefer:", "2,compact", "echo"]),
                             ("nestbind run --memory-policy=prefer: --cores=all 2,compact -- ech\t",
                              ["run", "--memory-policy=prefer:", "--cores=all", "2,compact", "--", "echo"]),
                             ("nestbind run --cor\tperf\t 2,comp\t -- ech\t", ["run", "--cores", "performance", "2,compact", "--", "echo"])):
            with self.subTest(shell=shell[0], typed=typed):
                # The completed name may be longer than echo, if other commands begin with echo.
                found = self.complete(shell, typed)
                self.assertEqual([word for word in found], words)

    def test_bash(self):
        self.check_shell(["bash", "--norc", "--noprofile", "-i"])

    def test_bash_without_bash_completion(self):
        """Without this package bash itself completes names of hosts after "@"."""
        self.has_library = False
        self.check_shell(["bash", "--norc", "--noprofile", "-i"])

    def test_fish(self):
        if shutil.which("fish") is None:
            self.skipTest("there is no fish")
        bin_ = os.path.dirname(COMMAND)
        for typed, words in (("nestbind sugg", ["suggest"]), ("nestbind help pla", ["plan"]), ("nestbind explain 4,sca", ["4,scatter", "4,scatter,"]),
                             ("nestbind plan num", ["numa,"]), ("nestbind plan numa,subscatter@pac", ["numa,subscatter@package"]),
                             ("nestbind explain 2,scatter --run", ["--runtime"]), ("nestbind explain 2,scatter --runtime gn", ["gnu"]),
                             ("nestbind explain 2,scatter --format=js", ["--format=json"]), ("nestbind run --report=js", ["--report=json"]),
                             ("nestbind run --cores perf", ["performance"]),
                             ("nestbind run --devices=", ["--devices=gpu", "--devices=gpu,nic", "--devices=nic"]),
                             ("nestbind run --memory-policy=in", ["--memory-policy=interleave"]), ("nestbind map --network dra", ["dragonfly:"]),
                             ("nestbind map --write open", ["openmpi:"]), ("nestbind run -- mkfif", ["mkfifo"])):
            with self.subTest(typed):
                script = f"source {COMPLETION}/nestbind.fish; complete -C {shlex.quote(typed)}"
                done = subprocess.run(["fish", "--no-config", "-c", script], env=environment(PATH=bin_ + ":" + os.environ["PATH"], HOME=self.folder),
                                      capture_output=True, encoding="utf-8", timeout=60, check=False)
                self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()], words, done.stderr)

    def test_zsh(self):
        self.check_shell(["zsh", "-f", "-i"])

    def test_well_formed(self):
        for shell, name in (("bash", "nestbind.bash"), ("zsh", "_nestbind"), ("fish", "nestbind.fish")):
            if shutil.which(shell) is not None:
                subprocess.run([shell, "-n", os.path.join(COMPLETION, name)], check=True)


if __name__ == "__main__":
    unittest.main()
