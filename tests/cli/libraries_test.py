# SPDX-License-Identifier: BSD-3-Clause
"""nestbind and the loader must find the same libraries of a program.

The test starts the loaders of programs. So it uses only programs of this machine and programs that it has compiled."""
import os
import re
import shutil
import sys
import unittest

from libraries import ComparingTestCase, comparable, output_of, read, traced
from support import TestCase


class Machine(TestCase):
    def test_programs_of_the_machine(self):
        names = ("sh", "env", "gcc", "git", "cmake", "ninja", "gdb", "strace")
        programs = [sys.executable, *filter(None, map(shutil.which, names))]
        found = read(*programs)
        differing = []
        for program in programs:
            expected, process = traced(program)
            if comparable(found[program][0]) != comparable(expected):
                differing.append(f"{program}\n  read {found[program]}\n  loader {process.stdout}")
        self.assertEqual(differing, [])
        print(f"{len(programs)} programs alike")


class MadeUp(ComparingTestCase):
    def test_origin_of_a_linked_program(self):
        self.library("real/libbeside.so")
        program = self.program("real/program", self.path("real/libbeside.so"), "-Wl,-rpath,$ORIGIN")
        link = self.path("elsewhere/link")
        os.symlink(program, link)
        self.assert_alike(link, expected={"libbeside.so": "real/libbeside.so"})

    def test_relative_name(self):
        self.gcc(self.path("librelative.so"), "", "-shared", "-nostdlib")
        process = output_of("gcc", "-x", "c", "-", "-x", "none", "-o", self.path("program"), "-Wl,--no-as-needed",
                            "./librelative.so", input="int main(void) { return 0; }", cwd=self.root)
        self.assertEqual(process.returncode, 0, process.stdout)
        self.assert_alike(self.path("program"), cwd=self.root, expected={"./librelative.so": "./librelative.so"})
        self.assert_alike(self.path("program"), cwd="/", expected={"./librelative.so": "not found"})

    def test_preloads(self):
        for name in ("first", "second", "needed"):
            self.library(f"lib{name}.so")
        self.library("libfirst.so", self.path("libneeded.so"))
        program = self.program("program", self.path("libneeded.so"), "-Wl,-rpath," + self.root)
        first, second = self.path("libfirst.so"), self.path("libsecond.so")
        for preload in (first, f"{first}:{second}", f"{second} {first}", f" :{first}::{first} ", "libsecond.so", "libneeded.so",
                        "/nosuch.so:" + first, "libnosuch.so " + first, self.file("text.so", "x" * 100) + " " + first):
            with self.subTest(preload=preload):
                self.assert_alike(program, {"LD_PRELOAD": preload})
        self.assert_alike(program, {"LD_PRELOAD": "libfirst.so", "LD_LIBRARY_PATH": self.root})

    def test_bad_library_stops_loader_and_listing(self):
        library = self.library("good/libtext.so")
        program = self.program("program", library)
        self.file(self.path("bad/libtext.so"), "INPUT(good/libtext.so)" * 10)
        env = {"LD_LIBRARY_PATH": self.path("bad") + ":" + self.path("good")}
        _, process = traced(program, env)
        _, others = read(program, env=env)[program]
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(len(others), 1)
        fault = re.match("fault .*/libtext.so: (.*)$", others[0])[1]
        self.assertIn(fault, process.stdout)

    def test_another_loader(self):
        """nestbind asks no other loader, but finds libraries in the program's own paths."""
        self.library("here/libplace.so")
        with open("/proc/self/exe", "rb") as file:
            interpreter = re.search(rb"/[!-~]*/ld-linux[!-~]*", file.read())[0].decode()
        loader = self.path("loader", os.path.basename(interpreter))
        shutil.copy(interpreter, loader)
        shutil.copy(next(path for _, path in traced(sys.executable)[0] if "/libc.so" in path), self.path("loader"))
        program = self.program("program", self.path("here/libplace.so"), "-Wl,-rpath," + self.path("here"),
                               "-Wl,--dynamic-linker=" + loader)
        found, others = read(program)[program]
        self.assertEqual(found[:2], [("libplace.so", self.path("here/libplace.so")), ("libc.so.6", self.path("loader/libc.so.6"))])
        self.assertEqual(others, [])
        program = self.program("lost", self.path("here/libplace.so"), "-Wl,--dynamic-linker=" + loader)
        _, others = read(program)[program]
        self.assertEqual(len(others), 1)
        self.assertIn("libplace.so", others[0])
        self.assertIn(loader, others[0])


if __name__ == "__main__":
    unittest.main()
