# SPDX-License-Identifier: BSD-3-Clause
"""Reads the libraries that a program loads, with nestbind's code and with the program's own loader."""
import os
import re
import subprocess

from support import TestCase, environment

LISTING = os.environ["NESTBIND_TEST_LISTING"]
NOTHING = {"LD_LIBRARY_PATH": "", "LD_PRELOAD": ""}


def output_of(*command, **keywords):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="surrogateescape", check=False, timeout=300, **keywords)


def libraries_in(lines):
    """Returns the name and the file of each library, without the vDSO, which has no file."""
    found = []
    for line in lines:
        match = re.match(r"\t(.*?) => (.*?)(?: \(0x[0-9a-f]+\))?$", line) or re.match(r"\t((.*)) \(0x[0-9a-f]+\)$", line)
        if match and not match[1].startswith("linux-vdso"):
            found.append((match[1], match[2]))
    return found


def read(*programs, options=(), env=None, cwd=None):
    variables = (f"{name}={value}" for name, value in (NOTHING | (env or {})).items())
    process = output_of(LISTING, *options, *variables, *programs, env=environment(**NOTHING), cwd=cwd)
    assert process.returncode == 0, process.stdout
    found = {}
    for line in process.stdout.splitlines():
        if line in programs:
            lines = found[line] = []
        else:
            lines.append(line)
    return {program: (libraries_in(lines), [line for line in lines if not line.startswith("\t")])
            for program, lines in found.items()}


def traced(program, env=None, cwd=None, variables=()):
    """Returns the output of the program's loader, which the kernel starts for the program."""
    asked = {name: "1" for name in ("LD_TRACE_LOADED_OBJECTS", *variables)}
    process = output_of(program, env=environment(**(NOTHING | (env or {}) | asked)), cwd=cwd)
    lines = process.stdout.splitlines()
    return libraries_in(lines), process


def comparable(libraries):
    """The loader lists a missing library at any position, once for each library that needs it."""
    there = [library for library in libraries if library[1] != "not found"]
    return there, sorted(set(libraries) - set(there))


class ComparingTestCase(TestCase):
    """Each test has its own folder."""

    def setUp(self):
        self.root = os.path.join(self.folder, self.id().rsplit(".", 1)[1])
        os.mkdir(self.root)

    def path(self, *parts):
        path = os.path.join(self.root, *parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def gcc(self, path, source, *options):
        process = output_of("gcc", "-x", "c", "-", "-x", "none", "-o", path, "-Wl,--no-as-needed",
                            "-Wl,--allow-shlib-undefined", *options, input=source)
        self.assertEqual(process.returncode, 0, process.stdout)
        return path

    def library(self, path, *options, soname=None):
        name = soname or os.path.basename(path)
        return self.gcc(self.path(path), "", "-shared", "-nostdlib", "-Wl,-soname," + name, *options)

    def program(self, path, *options):
        return self.gcc(self.path(path), "int main(void) { return 0; }", *options)

    def assert_alike(self, program, env=None, cwd=None, expected=None):
        """The command and the loader must find the same libraries. `expected` maps names of libraries to files."""
        found, others = read(program, env=env, cwd=cwd)[program]
        loader, process = traced(program if cwd is None else os.path.join(cwd, program), env=env, cwd=cwd)
        self.assertEqual(comparable(found), comparable(loader), process.stdout)
        self.assertEqual(others, [])
        for name, file in (expected or {}).items():
            files = [path for library, path in found if library == name]
            self.assertEqual(files, [file if file.startswith(("/", "./", "not ")) else os.path.join(self.root, file)])
